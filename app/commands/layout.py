"""`hanafuda layout list | show NAME | new`: which zone lies where on the mat."""

import argparse

from app import layouts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    listing = actions.add_parser("list", help="the layouts that ship with the program", allow_abbrev=False)
    listing.add_argument("--json", action="store_true", help="answer as JSON")
    show = actions.add_parser("show", help="one layout: picture, zones, seats", allow_abbrev=False)
    show.add_argument("layout", metavar="NAME_OR_FILE", help="a built-in name such as 2-seats, or a layout file")
    show.add_argument("--game", metavar="GAME", help="check that the layout has the zones of this game")
    show.add_argument("--picture", metavar="OUT.png", help="draw it into a picture file")
    show.add_argument("--json", action="store_true", help="answer as JSON")
    new = actions.add_parser("new", help="make a layout for your mat", allow_abbrev=False)
    new.add_argument("--seats", type=int, required=True, metavar="N", help="2 to 5")
    new.add_argument("--mat", metavar="WIDTHxHEIGHT", help="the mat's size in mm, such as 1000x640 (default: by seats)")
    new.add_argument("--hand", type=int, metavar="N", help="the largest hand to make room for (default: by seats)")
    new.add_argument("--name", metavar="NAME", default="", help="the layout's name")
    new.add_argument("--out", metavar="FILE", help="write it there (default: print it)")


def run(arguments: argparse.Namespace) -> int:
    """Lists, shows or makes. Raises ConfigError for a layout that cannot be read or made."""
    match arguments.action:
        case "list":
            return layouts.show_all(arguments.json)
        case "show":
            return layouts.show(arguments.layout, arguments.game, arguments.picture, arguments.json)
        case _:
            return layouts.make(arguments.seats, arguments.mat, arguments.hand, arguments.name, arguments.out)
