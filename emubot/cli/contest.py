"""The options for measured games, the same for all commands that measure; plays nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from emubot.cli import common

if TYPE_CHECKING:
    from emubot.trials.evaluation.contest import Contest

# Each option of a family's trials: its name in Trial.settings, the form of its value, its help text. The family checks
# whether the chosen rules have it, and its range.
_OPTIONS: Final[tuple[tuple[str, str | None, str], ...]] = (
    ("board", "CxR", "textbook: columns and rows of the board (default 10x20)"),
    ("generator", "uniform|bag|nes", "textbook, versus: the random generator of pieces"),
    ("plies", "N", "textbook, versus: how many pieces deep the search looks, 1 to 4; puyo: 2, no deeper than the next"),
    ("hold", None, "textbook: allow the player to hold one piece"),
    ("previews", "N", "textbook, puyo: how many next pieces the player sees"),
    ("expect", "K", "textbook: compare the K best drops by the mean over all pieces that may follow (default 0: off)"),
    ("cap_lines", "N", "textbook: end a game after N lines"),
    ("cap_pieces", "N", "textbook, versus: end a game after N pieces"),
    ("start_level", "N", "nes: the start level (default 18)"),
    ("taps", "RATE", "nes: 10hz to 30hz, das, or a pattern such as ..X.... (default 12hz); puyo with --gravity: 30hz"),
    ("reaction", "FRAMES", "nes, puyo with --gravity: frames before the first input of a piece"),
    ("see_next", "FRAMES", "nes: frames before the next piece is shown; hands move before, and may change course then"),
    ("stop_lines", "N", "nes: end a game after N lines (default: play to the top-out)"),
    ("type", "a|b", "nes: the game's type; B-type begins with garbage and ends after 25 lines (default a)"),
    ("height", "0-5", "nes with --type b: the height of the garbage (default 0)"),
    (
        "nodes",
        "N",
        "nes, puyo: boards of a decision (default 25000, puyo 40000, both below 16 ms; 0: two pieces by features)",
    ),
    ("budget_ms", "MS", "nes, puyo: milliseconds of a decision instead of --nodes; results do not repeat"),
    (
        "aim",
        "AIM",
        "nes: score (default), lines, or survive: lines, and no risk for points; puyo: score, chain (one large chain, "
        "the default of tsu), or survive",
    ),
    ("aggression", "0..1", "nes: how much risk of dying is taken for points (default 0.5; not for B-type)"),
    ("rng", "blind|aware", "nes: aware reads the generator and chooses the pieces, a class of its own (default blind)"),
    ("solid_every", "N", "versus: a solid row rises every N pieces"),
    ("combo", "ROWS", "versus: extra rows sent for line clears by successive pieces"),
    ("t_spin", "ROWS", "versus: extra rows sent for line clears by a T with three filled corners"),
    ("colors", "N", "puyo: colours in play"),
    ("pairs", "N", "puyo: end a game after N pairs"),
    ("horizon", "known|unknown", "puyo: whether the search knows after how many pairs the game ends (default known)"),
    ("stop_points", "N", "puyo: a chain of N points or more ends the game (default for one large chain: 80000)"),
    ("sequences", "FILE", "puyo: the games of a file: a line of letters RGBYPO each, two a pair, the pivot first"),
    (
        "foreseen",
        "WIDTH",
        "puyo, for training: no game, but one search of this width that sees all its pairs (0: games)",
    ),
    ("pair_price", "N", "puyo with --foreseen: points that each pair before a chain costs (default 0)"),
    ("gravity", "FRAMES", "puyo: frames per row of a pair's fall, 2 at the highest level (default: no time limit)"),
)
_KINDS: Final[dict[str, Callable[[str], Any]]] = {"budget_ms": common.milliseconds, "aggression": common.share}
_WORDS: Final = {"board", "generator", "taps", "type", "aim", "rng", "horizon", "sequences"}


def add_options(made: argparse._ActionsContainer) -> None:
    """Add `--rules` and the options of all rules; an option that is not given has the rules' default."""
    made.add_argument(
        "--rules",
        metavar="PROFILE",
        help="textbook, nes, nes-pal (tetris), famicom-1991, tsu (puyo); default: the game's own",
    )
    for name, takes, text in _OPTIONS:
        option = f"--{name.replace('_', '-')}"
        if takes is None:
            made.add_argument(option, action="store_true", default=None, help=text)
        else:
            kind = str if name in _WORDS else _KINDS.get(name, common.whole(0))
            made.add_argument(option, type=kind, metavar=takes, help=text)


def contest_of(options: argparse.Namespace, sides: int) -> Contest:
    """Returns the contest that the options describe; it names only those that were given."""
    from emubot.trials.evaluation.contest import Contest

    named: dict[str, Any] = {name: getattr(options, name) for name, _, _ in _OPTIONS}
    given = {name: value for name, value in named.items() if value is not None}
    return Contest(options.game, sides, options.rules, given)
