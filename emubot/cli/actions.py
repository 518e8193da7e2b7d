"""The actions of the commands that have several, a line each: for their help, and for the command alone; runs none."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

# By command; what follows an action in its label is its argument.
ACTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "core": {
        "install [CORE]": "download a core into your own data folder",
        "list [CORE]": "list the cores that emubot finds",
    },
    "maps": {
        "list": "list the maps of emubot and your own",
        "check FILE...": "check maps, and describe them; with --rom by playing",
        "schema": "print the JSON Schema of a map file, for an editor",
        "discover": "draft a map of an unknown cartridge, by experiments",
        "learn": "play, find out what a map leaves open, and write a better map",
        "watch": "show live what a map reads in a running cartridge",
    },
    "trace": {
        "record FILE": 'play and record the game; takes the options of "emubot play"',
        "verify FILE...": "replay games and compare every byte; code 1 if a row differs",
        "show FILE": "print the board and the state of one row",
        "play FILE": "show the game on the board in the terminal",
        "export FILE": "write the game as a movie or for NestrisChamps (--ngf)",
    },
    "train": {
        "GAME": "train weights for a game by self-play",
        "plot DIR...": "draw training runs, and compare several",
        "watch DIR": "watch an individual of a run play",
    },
}


def names(command: str) -> tuple[str, ...]:
    """Returns the words that are actions of this command; none of the words that a person chooses, such as GAME."""
    words = (label.split()[0] for label in ACTIONS[command])
    return tuple(word for word in words if not word.isupper())


def listed(command: str) -> str:
    """Returns the lines that list a command's actions, with their heading."""
    width = max(map(len, ACTIONS[command]))
    return "\n".join(["actions:", *(f"  {label:<{width}}  {text}" for label, text in ACTIONS[command].items())])


def usage(command: str) -> str:
    """Returns what is said where a command stands alone."""
    return "\n".join(
        [
            f"usage: emubot {command} ACTION ...",
            "",
            listed(command),
            "",
            f'"emubot help {command} ACTION" explains one of them.',
        ]
    )
