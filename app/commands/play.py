"""`hanafuda play`: plays at a table, a camera's or a simulated one, and goes on with a game that was broken off."""

import argparse
from pathlib import Path
from typing import Any

from app.camera_venue import CameraVenue
from app.follow import new_follower, watched_follower
from app.lights import LANGUAGES
from app.output import answer, answer_json
from app.play import Result, Wish, play_games
from app.wishes import DEFAULT_GAME, make_wish, open_venue, to_resume
from engine.words import seat_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    add = parser.add_argument
    add("--game", default=DEFAULT_GAME, help=f"which game (default {DEFAULT_GAME}; see: hanafuda games)")
    add("--seats", type=int, default=2, metavar="N", help="how many people play (default 2)")
    add("--dealer", type=int, default=0, metavar="SEAT", help="the seat that begins (default 0, the operator's side)")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game, may be repeated")
    add("--deck", metavar="NAME", help="the deck that lies on the table")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--layout", default="", metavar="NAME|FILE", help="where the zones lie (default: built in, for the seats)")
    add("--language", choices=LANGUAGES, default="both", help="language of the projected texts (default both)")
    add("--camera", metavar="ID", help="the camera over the table: a number or a device's name")
    add("--profile", type=Path, metavar="FILE", help="calibration profile (default: the one that calibrate wrote)")
    add("--display", metavar="NAME", help="the projector's display: a number or a part of its name")
    add("--human", type=int, action="append", default=[], metavar="SEAT", help="simulated: you play SEAT by mouse")
    add("--simulated", action="store_true", help="a simulated table, even if a camera is set up")
    add("--headless", action="store_true", help="simulated, without a window: simulated players play to the end")
    add("--seed", type=int, default=1, metavar="N", help="which game the simulated players play (default 1)")
    add("--look", default="felt", help="how the simulated table looks")
    add("--size", type=_size, default=(960, 540), metavar="WxH", help="frame size of the simulated camera")
    add(
        "--knock",
        action="append",
        default=[],
        metavar="WHAT@SECONDS[:MM]",
        help="simulated: camera, projector or mat is moved then (or marker 2 covered), to see how it is followed",
    )
    add("--no-record", action="store_true", help="keep no video, only the event log")
    add("--out", type=Path, metavar="DIR", help="folder of the session (default: a new one in the user data folder)")
    add(
        "--resume",
        nargs="?",
        const="",
        metavar="DIR",
        help="go on with the game in DIR, or the last unfinished",
    )
    add("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Plays. 0 when it ended or was quit."""
    unfinished = to_resume(arguments)
    wish = make_wish(arguments, unfinished)
    with open_venue(arguments, unfinished, wish.seats) as venue:
        follow = watched_follower if isinstance(venue, CameraVenue) else new_follower
        results = play_games(venue, wish, unfinished, follow)
    for result in results:
        if arguments.json:
            answer_json(_as_dict(result))
        else:
            answer("\n".join(_lines(result, wish)))
    return 0


def _as_dict(result: Result) -> dict[str, Any]:
    seats = [
        {"points": tally.points, "yaku": [{"id": y.id, "value": y.value} for y in tally.yaku], "total": tally.total}
        for tally in result.seats
    ]
    return {"session": str(result.folder), "ended": result.ended, "seats": seats, "winner": list(result.winner)}


def _lines(result: Result, wish: Wish) -> list[str]:
    titles = {yaku.id: yaku.title.en for yaku in wish.game.book.yaku}
    lines = ["result:" if result.ended else "the game has not ended; so far:"]
    for seat, tally in enumerate(result.seats):
        yaku = "".join(f" + {titles[y.id]} {y.value}" for y in tally.yaku)
        won = "  (wins)" if seat in result.winner else ""
        lines.append(f"  {seat_name(seat).en}: {tally.points}{yaku} = {tally.total}{won}")
    lines.append(f"session: {result.folder}")
    go_on = f"hanafuda replay {result.folder} --verify" if result.ended else f"hanafuda play --resume {result.folder}"
    lines.append(f"{'check it' if result.ended else 'go on'}: {go_on}")
    return lines


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not 320 <= int(width) <= 7680 or not 180 <= int(height) <= 4320 or int(width) % 2 or int(height) % 2:
        raise ValueError(text)
    return int(width), int(height)


_size.__name__ = "size (such as 1920x1080, even numbers)"
