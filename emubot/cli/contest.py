"""The options that say what is played to be measured, the same for every command that measures; plays nothing."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from emubot.cli import common

if TYPE_CHECKING:
    from emubot.trials.evaluation.contest import Contest

# Each option of a family's trials: its name as in Trial.settings, what it takes, and what for. Whether the rules asked
# for have it, and its range, is the family's to say.
_OPTIONS: Final[tuple[tuple[str, str | None, str], ...]] = (
    ("board", "CxR", "textbook: columns and rows of the board (default 10x20)"),
    ("generator", "uniform|bag|nes", "textbook, versus: how pieces are drawn"),
    ("plies", "N", "textbook, versus: how many pieces the search looks at, 1 to 4"),
    ("hold", None, "textbook: one piece may be put aside"),
    ("previews", "N", "textbook: how many coming pieces are seen"),
    ("cap_lines", "N", "textbook: end a game after so many lines"),
    ("cap_pieces", "N", "textbook, versus: end a game after so many pieces"),
    ("start_level", "N", "nes: the level games start at (default 18)"),
    ("taps", "RATE", "nes: 10hz to 30hz, das, or a pattern such as ..X.... (default 12hz); puyo with --gravity: 30hz"),
    ("reaction", "FRAMES", "nes, puyo with --gravity: frames before the first input of a piece"),
    ("stop_lines", "N", "nes: end a game after so many lines (default: play to the top-out)"),
    ("solid_every", "N", "versus: a solid row rises every N pieces"),
    ("combo", "ROWS", "versus: rows more for lines right after lines"),
    ("t_spin", "ROWS", "versus: rows more for lines by a T in a corner"),
    ("colors", "N", "puyo: colours in play"),
    ("pairs", "N", "puyo: end a game after so many pairs"),
    ("gravity", "FRAMES", "puyo: a pair falls a row in so many, 2 at the highest level (default: time for everything)"),
)
_WORDS: Final = {"board", "generator", "taps"}


def add_options(made: argparse._ActionsContainer) -> None:
    """Add `--rules` and the options of all rules; one that is not given is the rules' own default."""
    made.add_argument(
        "--rules", metavar="PROFILE", help="textbook, nes (tetris), famicom-1991, tsu (puyo); default: the game's own"
    )
    for name, takes, text in _OPTIONS:
        option = f"--{name.replace('_', '-')}"
        if takes is None:
            made.add_argument(option, action="store_true", default=None, help=text)
        else:
            made.add_argument(option, type=str if name in _WORDS else common.whole(0), metavar=takes, help=text)


def contest_of(options: argparse.Namespace, sides: int) -> Contest:
    """What was asked for, of those options only that were given."""
    from emubot.trials.evaluation.contest import Contest

    named: dict[str, Any] = {name: getattr(options, name) for name, _, _ in _OPTIONS}
    given = {name: value for name, value in named.items() if value is not None}
    return Contest(options.game, sides, options.rules, given)
