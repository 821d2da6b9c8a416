"""What each seat is told in sentences: the most important first, nothing twice, each language in its own line."""

from dataclasses import replace

from engine.events import Words
from engine.guidance import Cue, Guidance, Role
from engine.words import card_names
from projection.paragraph import Sentence
from projection.theme import GOLD, LOOKS, RED, SIZES, SOFT, WHITE, Badge

_LEAST_WORDS = 6


def sentences(guidance: Guidance, seat: int, language: str) -> list[Sentence]:
    """Faults, what to do, the headline, what cues say to this seat, the last move. `language` is en, ja or both."""
    cues = guidance.cues
    over = any(cue.role is Role.WINNER for cue in cues)
    waits = any(cue.role is Role.TURN and cue.seat != seat for cue in cues)
    line = guidance.seat_lines[seat] if seat < len(guidance.seat_lines) else None
    first, second = (guidance.headline, line) if over or line is None else (line, guidance.headline)
    told: list[tuple[Words | None, Sentence]] = [
        *((cue.words, Sentence("", SIZES.headline, RED, True, Badge.BANG)) for cue in cues if cue.role is Role.FAULT),
        (first, Sentence("", SIZES.headline, GOLD if over else WHITE, not waits)),
        (second, Sentence("", SIZES.line, WHITE)),
        *((_told(cue), _line(cue)) for cue in cues if cue.seat in (None, seat)),
        *((cue.words, Sentence("", SIZES.small, SOFT)) for cue in cues if cue.role is Role.ECHO),
    ]
    found: dict[str, Sentence] = {}
    for words, look in told:
        if words is not None and language != "en":
            found.setdefault(words.ja, replace(look, text=words.ja))
        if words is not None and language != "ja":
            below = language == "both"
            size = look.size_mm * (0.85 if below else 1.0)
            sign = Badge.NONE if below else look.sign
            found.setdefault(words.en, replace(look, text=words.en, size_mm=size, sign=sign))
    return list(found.values())


def cut_short(sentence: Sentence) -> list[Sentence]:
    """The sentence with three quarters of its words; nothing where hardly any would be left."""
    text = sentence.text.rstrip("…")
    kept = text[: len(text) * 3 // 4].rstrip()
    return [replace(sentence, text=kept + "…")] if len(kept) >= _LEAST_WORDS else []


def _line(cue: Cue) -> Sentence:
    """How a cue is said: with the sign of its cards where the sentence is about these cards."""
    if cue.role in (Role.STRAY, Role.MISSING, Role.UNSURE, Role.DEAD):
        look = LOOKS[cue.role]
        return Sentence("", SIZES.line, look.stroke.colour, False, look.badge)
    return Sentence("", SIZES.line, WHITE)


def _told(cue: Cue) -> Words | None:
    """What a cue says in words; roles that are said elsewhere say nothing here."""
    match cue.role:
        case Role.FAULT | Role.ECHO | Role.TURN | Role.WINNER | Role.DEAL:
            return None
        case Role.MISSING if cue.words is None:
            return card_names(cue.cards)
        case _:
            return cue.words
