"""One game of each kind as a text that people can read: `>` lines are what happened, the others what followed.

After a wanted change: `python -m tests.engine.test_golden` writes the files anew; read the difference like code.
"""

from pathlib import Path

import pytest
import yaml

from engine.cards import Card
from engine.catalogue import load, names
from engine.events import Dealt, Ended, Event, Fault, Moved, Repaired, Scored, Signalled, Tally, Turn
from engine.referee import advance, begin, guide
from tests.engine.table import cards, place

FOLDER = Path(__file__).parents[2] / "fixtures" / "golden"


def retell(text: str) -> str:
    """The golden text with everything but its `>` lines told anew."""
    lines = text.splitlines()
    keys = ("game: ", "options: ", "seats: ", "first player: ")
    head = dict(line.split(": ", 1) for line in lines if line.startswith(keys))
    options = yaml.safe_load(head.get("options", "{}"))
    session = begin(load(head["game"], options), int(head["seats"]), int(head["first player"]) - 1)
    told = [line for line in lines if line.startswith(("#", *(f"{key}: " for key in head)))]
    for line in lines:
        if not line.startswith("> "):
            continue
        session, follow = advance(session, fact(line[2:], float(len(session.facts))))
        shown = guide(session)
        told += ["", line, *(f"    {part}" for event in follow for part in tell(event))]
        todo = [words.en for words in (*shown.seat_lines,) if words is not None]
        if shown.headline is not None:
            told.append(f"    shown: {' | '.join(dict.fromkeys([shown.headline.en, *todo]))}")
    return "\n".join(told) + "\n"


def fact(text: str, t_s: float) -> Event:
    """`deal FIELD / HAND / HAND / 12` (`/ 7 7 7 /` for hidden hands), `player 2: pass`, or `CARD: from -> to`."""
    if text.startswith("deal "):
        field, *hands, draw = (part.strip() for part in text[5:].split("/"))
        if len(hands) == 1:
            return Dealt(t_s, cards(field), (), int(draw), tuple(int(count) for count in hands[0].split()))
        return Dealt(t_s, cards(field), tuple(cards(hand) for hand in hands), int(draw))
    if text.startswith("player "):
        seat, _, name = text[7:].partition(": ")
        return Signalled(t_s, name, int(seat) - 1)
    card, _, way = text.partition(": ")
    source, target = way.split(" -> ")
    return Moved(t_s, Card.parse(card), place(source), place(target))


def tell(event: Event) -> list[str]:
    match event:
        case Turn():
            return [f"turn of player {event.seat + 1}"]
        case Scored():
            return [f"score {scores(event.seats)}"]
        case Fault():
            return [f"fault {event.code}: {event.message.en}", f"    {event.message.ja}"]
        case Repaired():
            return [f"repaired {event.code}"]
        case Ended():
            return [f"ended: {event.reason}; won by player {' and '.join(str(s + 1) for s in event.winner)}"]
        case _:
            return [str(event)]


def scores(tallies: tuple[Tally, ...]) -> str:
    parts = []
    for tally in tallies:
        yaku = "".join(f" + {y.id} {y.value}" for y in tally.yaku)
        parts.append(f"{tally.points}{yaku} = {tally.total}" if yaku else f"{tally.total}")
    return " : ".join(parts)


@pytest.mark.parametrize("name", names())
def test_the_golden_game_is_told_as_before(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert retell(text) == text
    assert "ended:" in text


if __name__ == "__main__":
    for golden in FOLDER.glob("*.txt"):
        golden.write_text(retell(golden.read_text("utf-8")), "utf-8")
