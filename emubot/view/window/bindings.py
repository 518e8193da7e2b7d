"""The bindings of keys and gamepad buttons: the defaults and the user's own file.

The file is TOML with the tables [commands], [port1], [port2] and [gamepad]. An entry replaces the default of that name.
It is one name or a list of names; an empty list removes the binding.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from emubot.datafiles import user_config
from emubot.errors import UsageError
from emubot.files import read_regular
from emubot.pad import Pad
from emubot.text import did_you_mean, printable
from emubot.view.window.gamepads import SOURCES
from emubot.view.window.sdl import pygame


def _keys() -> dict[str, int]:
    """Returns every key of pygame under one name; if pygame has several names, the first in alphabetical order."""
    codes: dict[int, str] = {}
    for name in sorted(dir(pygame)):
        if name.startswith("K_") and name != "K_UNKNOWN":
            codes.setdefault(getattr(pygame, name), name.removeprefix("K_").lower())
    return {name: code for code, name in codes.items()}


KEYS: Final[Mapping[str, int]] = _keys()


class WindowCommand(StrEnum):
    """The window's commands."""

    HELP = "help"
    PAUSE = "pause"
    SAVE = "save"
    LOAD = "load"
    SPEED_1 = "speed_1"
    SPEED_2 = "speed_2"
    SPEED_MAX = "speed_max"
    SLOWER = "slower"
    FASTER = "faster"
    OVERLAY = "overlay"
    FIGURES = "figures"
    MUTE = "mute"
    FULLSCREEN = "fullscreen"
    QUIT = "quit"


BUTTONS: Final[Mapping[str, Pad]] = {button.name.lower(): button for button in Pad if button and button.name}

Names = tuple[str, ...]
_MOST_BYTES: Final = 1 << 16
_LISTED: Final = 20  # names that a message lists at most
_ONE_PLAYER: Final[Mapping[str, Names]] = {
    "a": ("x",),
    "b": ("z", "y"),  # a German keyboard has Y in the place of Z
    "select": ("rshift", "backspace"),
    "start": ("return",),
    "up": ("up",),
    "down": ("down",),
    "left": ("left",),
    "right": ("right",),
}
DEFAULTS: Final[Mapping[str, Mapping[str, Names]]] = {
    "commands": {
        "help": ("f1",),
        "pause": ("p",),
        "save": ("f5",),
        "load": ("f8",),
        "speed_1": ("1",),
        "speed_2": ("2",),
        "speed_max": ("3",),
        "slower": ("minus", "kp_minus"),
        "faster": ("plus", "equals", "kp_plus"),
        "overlay": ("o",),
        "figures": ("i",),
        "mute": ("m",),
        "fullscreen": ("f11",),
        "quit": ("escape",),
    },
    "port1": _ONE_PLAYER,
    "port2": _ONE_PLAYER,
    # A is the right one of the NES's two buttons, so east on a pad with four. "buttonN" is for pads unknown to SDL.
    "gamepad": {
        "a": ("b", "button1"),
        "b": ("a", "x", "button0"),
        "select": ("back", "button8"),
        "start": ("start", "button9"),
        "up": ("dpad_up", "stick_up"),
        "down": ("dpad_down", "stick_down"),
        "left": ("dpad_left", "stick_left"),
        "right": ("dpad_right", "stick_right"),
    },
}


@dataclass(frozen=True, slots=True)
class Bindings:
    """Checked names by table and entry, as in `DEFAULTS`; no name does two things at once."""

    tables: Mapping[str, Mapping[str, Names]]

    def commands(self) -> dict[int, WindowCommand]:
        """Returns the commands by pygame's key code."""
        return {KEYS[name]: WindowCommand(entry) for entry, names in self.tables["commands"].items() for name in names}

    def keys(self, port: int) -> dict[int, Pad]:
        """Returns this port's buttons by pygame's key code."""
        return {KEYS[name]: BUTTONS[entry] for entry, names in self.tables[port_table(port)].items() for name in names}

    def gamepad(self) -> dict[str, Pad]:
        """Returns the buttons by gamepad source (`SOURCES`)."""
        return {name: BUTTONS[entry] for entry, names in self.tables["gamepad"].items() for name in names}


def port_table(port: int) -> str:
    """Returns the name of a port's table, which is numbered from 1."""
    return f"port{port + 1}"


def bindings_file() -> Path:
    """Returns the path of the user's own bindings."""
    return user_config("window") / "keys.toml"


def load_bindings(path: Path | None = None) -> Bindings:
    """Returns the defaults with the file's changes; without a path it reads the user's own file, if there is one.

    Raises UsageError with one sentence that names the file, the entry and the allowed values.
    """
    file = path or bindings_file()
    if path is None and not file.exists():
        return Bindings(DEFAULTS)
    try:
        document = tomllib.loads(read_regular(file, _MOST_BYTES).decode("utf-8"))
    except OSError as failure:
        raise UsageError(f"{file} cannot be read ({failure.strerror}): name another file, or remove it.") from failure
    except RecursionError:
        raise UsageError(f"{file} is not a file of keys: it is nested too deeply.") from None
    except ValueError as failure:  # TOML or UTF-8
        raise UsageError(f"{file} is not TOML: {printable(failure)}.") from failure
    tables = {table: dict(entries) for table, entries in DEFAULTS.items()}
    for table, entries in document.items():
        _known(table, DEFAULTS, f"{file}: there is no table {table!r}")
        if not isinstance(entries, dict):
            raise UsageError(f"{file}: {table} must be a table, written [{table}] on a line of its own.")
        kind, allowed = ("button", SOURCES) if table == "gamepad" else ("key", KEYS)
        for entry, value in entries.items():
            where = f"{file}: [{table}]"
            _known(entry, DEFAULTS[table], f"{where} has no entry {entry!r}")
            tables[table][entry] = _names(value, kind, allowed, f"{where} {entry}")
    for table in map(port_table, (0, 1)):
        _check_single({"commands": tables["commands"], table: tables[table]}, file)
    _check_single({"gamepad": tables["gamepad"]}, file)
    return Bindings(tables)


def _names(value: object, kind: str, allowed: Iterable[str], where: str) -> Names:
    """Returns one name or a list of names as a tuple; raises UsageError for names that are not allowed."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UsageError(f'{where} is {value!r}: write one name such as "x", or a list of names such as ["x", "y"].')
    allowed = list(allowed)
    for name in names:
        _known(name, allowed, f"{where}: there is no {kind} {name!r}")
    return tuple(names)


def _known(name: str, allowed: Iterable[str], complaint: str) -> None:
    """Raise UsageError if the name is not allowed; the error names the nearest, and all if there are few."""
    allowed = list(allowed)
    if name in allowed:
        return
    few = len(allowed) <= _LISTED
    listed = f"there are {', '.join(allowed)}" if few else f"docs/how-to/window.md lists the {len(allowed)} names"
    raise UsageError(f"{complaint}{did_you_mean(name, allowed)}; {listed}.")


def _check_single(tables: Mapping[str, Mapping[str, Names]], file: Path) -> None:
    """Raise UsageError if a name has two bindings."""
    seen: dict[str, str] = {}
    for table, entries in tables.items():
        for entry, names in entries.items():
            here = f"[{table}] {entry}"
            for name in names:
                before = seen.setdefault(name, here)
                if before != here:
                    raise UsageError(f"{file}: {name} is both {before} and {here}: give one of them another name.")
