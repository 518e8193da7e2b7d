"""What a person meant whose first word is no command; loads little, because this is said at once."""

from __future__ import annotations

from emubot.cli import COMMANDS, actions
from emubot.demos import IMAGES
from emubot.text import nearest

_CARTRIDGES = (".nes", ".zip")
_OF_PLAY = ("--demo", "--rom", "--view", "--bridge", "--map")
_SPOKEN = {  # words of other programs, and what emubot calls it
    "version": "--version",
    "run": "play",
    "start": "play",
    "setup": "core install",
    "uninstall": "clean",
    "settings": "config",
    "web": "arena",
    "--play": "play",
    "-help": "--help",
    "-version": "--version",
}


def meant(words: list[str]) -> str | None:
    """Returns the words of a command line that was probably meant; None if nothing is like it."""
    word = words[0]
    if word in _SPOKEN:
        return _SPOKEN[word]
    if word.lower().endswith(_CARTRIDGES):
        return f"play {word}" if word.isprintable() and " " not in word else "play FILE"
    if word in IMAGES:
        return f"play --demo {word}"
    if word in _OF_PLAY and len(words) == 2 and words[1].isprintable() and " " not in words[1]:
        return f"play {word} {words[1]}"
    owners = [command for command in actions.ACTIONS if word in actions.names(command)]
    return f"{owners[0]} {word}" if owners else nearest(word, COMMANDS)
