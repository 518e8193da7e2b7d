"""The options of `emubot play` and their help; plays nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from emubot.cli import common, publishing
from emubot.cli.session_options import add_options
from emubot.tempo import FULL_SPEED, SPEEDS

_DESCRIPTION = """\
Let the bot play a cartridge: it reads the game's RAM, thinks, and presses the controller, frame by frame.
SPEED is 0 (a child can follow) to 10 (the pad's limit, the default). With AIvsAI the bot plays against itself."""

_EPILOG = """\
examples:
  emubot play --demo tetris                     watch the bot play the built-in cartridge
  emubot play 5 FILE.nes --level 18             your own cartridge, medium speed, level 18
  emubot play FILE.nes --discover               a cartridge that emubot does not know yet
  emubot play 5 AIvsAI --demo puyo              two bots, one match after the other
  emubot play 3 --demo puyo --view window --human 1      you at port 1 against the bot
  emubot play --demo tetris --taps 12hz         a human's tap rate
  emubot play                                   in the emulator that is running
  emubot play 3 --bridge fceux --human 1        you at port 1 of that emulator against the bot
  emubot play 10 --demo tetris --emu-speed max --pieces 1000 --json

SPEED sets how fast the bot presses the pad; --emu-speed sets how fast the console runs.
{speeds}"""

_GIF_SECONDS = 60
_USUAL = (
    *("--rom", "--demo", "--discover", "--bridge", "--emu-speed", "--weights", "--human", "--pieces"),
    *("--games", "--view", "--record", "--gif"),
)


def build_parser(families: Sequence[str] | None = None) -> common.Parser:
    """Returns the parser of `emubot play`, with the options of these families (None: of all)."""
    rows = [f"  {speed:5}  {reaction:8}  {period:6}" for speed, (reaction, period) in enumerate(SPEEDS)]
    speeds = "\n".join(["  SPEED  reaction  frames per input", *rows])
    made = common.parser("play", _DESCRIPTION, _EPILOG.format(speeds=speeds), _USUAL)
    made.add_argument(
        "words",
        nargs="*",
        metavar="SPEED|AIvsAI|FILE",
        help="bot speed 0-10 (default 10); AIvsAI: two bots; FILE: your own cartridge, as --rom FILE",
    )
    made.elsewhere = {
        "--speed": 'The speed is a word of its own, as in "emubot play 5"; --emu-speed is how fast the console runs.'
    }
    made.words_set = (
        argparse.Action([], "speed", type=common.whole(0, FULL_SPEED), help=f"bot speed 0-{FULL_SPEED} (default 10)"),
    )
    what = add_options(made, families)
    what.add_argument(
        "--discover",
        action="store_true",
        help="if no map knows the cartridge: find out by experiments how it works, which takes some minutes, keep the "
        "map among your own, and play",
    )
    players = made.add_argument_group("players")
    players.add_argument(
        "--mode", choices=("endless", "versus"), help="the mode to choose in the menus, if they offer one"
    )
    players.add_argument("--speed2", type=common.whole(0, 10), metavar="N", help="AIvsAI: the second bot's speed")
    players.add_argument("--weights2", metavar="FILE|NAME", help="AIvsAI: the second bot's weights")
    players.add_argument("--nodes2", type=common.whole(0), metavar="N", help="AIvsAI: the second bot's --nodes")
    players.add_argument(
        "--human",
        type=common.whole(1, 2),
        metavar="PORT",
        help="you play port 1 or 2, the bot the other: with --view window or web it goes to the game for two by "
        "itself, in a running emulator it says what to press",
    )
    until = made.add_argument_group("when to stop")
    until.add_argument(
        "--pieces",
        type=common.whole(1),
        metavar="N",
        help="stop when each player has placed N pieces, in new games as needed",
    )
    until.add_argument(
        "--games",
        type=common.whole(1),
        metavar="N",
        help="stop after N games (default without --pieces: 1; with --human: play on until you end it)",
    )
    watch = made.add_argument_group("view and recording")
    watch.add_argument(
        "--view",
        choices=("board", "window", "web", "none"),
        help="how to show the game: in the terminal, a window, or a page in the browser (default: board on a terminal, "
        "else none)",
    )
    watch.add_argument(
        "--overlay-only",
        action="store_true",
        help="with --view web: a page for a stream instead, with nothing behind the boards; always at port 7788 if it "
        "is free",
    )
    watch.add_argument("--feed", action="store_true", help=argparse.SUPPRESS)  # frames to stdout, for the arena
    watch.add_argument(
        "--overlay", action="store_true", help="draw plan and figures over the running emulator's picture (nintaco)"
    )
    publishing.add_option(watch)
    watch.add_argument(
        "--record",
        type=common.new_file,
        metavar="FILE.npz",
        help='record the game for "emubot trace"; later games are FILE-2, FILE-3, ..., a second player\'s FILE-player2',
    )
    watch.add_argument(
        "--gif",
        type=common.new_file,
        metavar="OUT.gif",
        help="draw the game as an animated picture at its end (needs the extra gif)",
    )
    watch.add_argument(
        "--gif-seconds",
        type=common.whole(1, 600),
        default=_GIF_SECONDS,
        metavar="N",
        help=f"with --gif: how much of the game, from its first piece on (default {_GIF_SECONDS})",
    )
    watch.add_argument(
        "--force",
        action="store_true",
        help="replace the file of --record or --gif; later games take the next free number",
    )
    common.add_json(made)
    return made
