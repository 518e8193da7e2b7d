"""All parsers of the command line, by command and action: for completion, settings and pages; parses nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from emubot import games
from emubot.cli import OF_GAMES, actions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emubot.cli.common import Parser

# Commands and actions whose parser is in another module than the command's.
_APART: Final[Mapping[str, Mapping[str, str]]] = {
    "play": {"": "play_options"},
    "maps": {"discover": "maps_discover", "learn": "maps_learn", "watch": "maps_watch"},
    "trace": {"record": "play_options"},
    "train": {"plot": "train_plot", "watch": "train_watch"},
}


def parser_of(command: str, follows: str = "") -> Parser:
    """Returns a new parser of a command, or of what is told apart by the word that follows: an action, or a game."""
    module = _APART.get(command, {}).get(follows, command)
    made = import_module(f"emubot.cli.{module.replace('-', '_')}").build_parser
    parser: Parser = made(follows or None) if module in OF_GAMES else made()
    return parser


def followed_by(command: str) -> tuple[str, ...]:
    """Returns the words that may follow a command: its actions, or the games that it plays; none: it has neither."""
    known = actions.names(command) if command in actions.ACTIONS else ()
    return (*games.names(), *known) if command in OF_GAMES else known
