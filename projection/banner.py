"""What each seat is told in sentences: the most important first, nothing twice."""

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
    turns = [cue.seat for cue in cues if cue.role is Role.TURN]
    line = guidance.seat_lines[seat] if seat < len(guidance.seat_lines) else None
    first, second = (guidance.headline, line) if line is None or not turns else (line, guidance.headline)
    about = {cue.words: _line(cue) for cue in cues if cue.words is not None}
    told: list[tuple[Words | None, Sentence]] = [
        *((cue.words, Sentence("", SIZES.headline, RED, True, Badge.BANG)) for cue in cues if cue.role is Role.FAULT),
        (first, _first(about.get(first) if first else None, over, not turns or seat in turns)),
        (second, Sentence("", SIZES.line, WHITE)),
        *((_told(cue), _line(cue)) for cue in cues if cue.seat in (None, seat)),
        *((cue.words, Sentence("", SIZES.small, SOFT)) for cue in cues if cue.role is Role.ECHO),
    ]
    once: dict[Words, Sentence] = {}
    for words, look in told:
        if words is not None:
            once.setdefault(words, look)
    return [sentence for words, look in once.items() for sentence in _in(language, words, look)]


def _in(language: str, words: Words, look: Sentence) -> tuple[Sentence, ...]:
    """The words in one language; in both as two lines where they are the main thing, else in one."""
    if language != "both":
        return (replace(look, text=words.of(language)),)
    if look.size_mm < SIZES.headline:
        return (replace(look, text=f"{words.ja}  {words.en}", size_mm=look.size_mm * 0.92),)
    below = replace(look, text=words.en, size_mm=look.size_mm * 0.85, sign=Badge.NONE)
    return replace(look, text=words.ja), below


def _first(look: Sentence | None, over: bool, strong: bool) -> Sentence:
    """How the first sentence is said; one that is about marked cards keeps their sign and colour."""
    plain = Sentence("", SIZES.headline, GOLD if over else WHITE, strong)
    if look is None or over:
        return plain
    return replace(plain, colour=look.colour, sign=look.sign)


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
