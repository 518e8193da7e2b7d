"""A person's own defaults of options: which there may be, and what the file says of them; changes no file.

The file is TOML, with a table for each command. What the command line says goes before it.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot.errors import UsageError
from emubot.text import did_you_mean, printable

if TYPE_CHECKING:
    from emubot.cli.common import Parser

VARIABLE: Final = "EMUBOT_CONFIG"
# Options that may be set, by command: what suits a person or a machine in every run, and no file of one run.
SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "play": ("speed", "view", "bridge", "core", "core-process", "emu-speed", "wait"),
    "arena": ("port", "no-open"),
    "serve": ("port",),
    "selfplay": ("jobs",),
    "evaluate": ("jobs",),
    "train": ("jobs",),
}
NAMES: Final = tuple(f"{command}.{name}" for command, names in SETTINGS.items() for name in names)
_FILE: Final = "config.toml"
_MOST_BYTES: Final = 1 << 16
_WITHOUT: Final = f"mend it, or do without by {VARIABLE}="
_TABLE: Final = re.compile(r"\s*\[\s*([\w-]+)\s*\]\s*(?:#.*)?")


@dataclass(frozen=True, slots=True)
class Config:
    """What a file says: its text, and its values by command and name, all known and none checked."""

    file: Path
    text: str
    values: Mapping[str, Mapping[str, object]]

    def error(self, command: str, name: str, text: str) -> UsageError:
        """Returns an error about a setting: where, which, what is wrong."""
        place = place_of(self.text, command, name)
        line = "" if place is None else f":{place + 1}"
        return UsageError(f"{self.file}{line}: {command}.{name}: {text.rstrip('.')}.")


def config_file() -> Path | None:
    """Returns the path of the file, which need not exist; None if EMUBOT_CONFIG is set to nothing."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named in ("", os.devnull) else Path(named)
    from emubot.datafiles import user_config

    return user_config(_FILE)


def read_config(file: Path) -> Config:
    """Returns what the file says; nothing if there is none. Raises UsageError for one that is wrong."""
    from emubot.files import read_regular

    try:
        text = read_regular(file, _MOST_BYTES).decode("utf-8-sig")
        return parse_config(text, file)
    except (FileNotFoundError, NotADirectoryError):
        return Config(file, "", {})
    except OSError as failure:
        raise UsageError(f"{file} cannot be read ({failure.strerror}): {_WITHOUT}") from failure
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text: {_WITHOUT}") from None


def parse_config(text: str, file: Path) -> Config:
    """Returns what a text says. Raises UsageError if it is not TOML or has a key that is no setting."""
    import tomllib

    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise UsageError(f"{file} is nested too deeply for a file of settings: {_WITHOUT}") from None
    except tomllib.TOMLDecodeError as wrong:
        raise UsageError(f"{file} is not TOML: {printable(wrong)}; {_WITHOUT}") from None
    found = Config(file, text, document)
    for command, values in document.items():
        if command not in SETTINGS:
            line = next((number for number, line in enumerate(text.splitlines(), 1) if command in line), 1)
            raise UsageError(
                f"{file}:{line}: {printable(command)}: no command of this name has settings"
                f"{did_you_mean(command, SETTINGS)}; these have: {', '.join(SETTINGS)}."
            )
        if not isinstance(values, dict):
            raise UsageError(f"{file}: {command} is a table, written [{command}] on a line of its own.")
        for name in values:
            if name not in SETTINGS[command]:
                raise found.error(command, printable(name), refusal(command, name))
    return found


def refusal(command: str, name: str) -> str:
    """Returns why a name is no setting of a command."""
    known = SETTINGS[command]
    return f"there is no such setting{did_you_mean(name, known)}; {command} has {', '.join(known)}"


def place_of(text: str, command: str, name: str) -> int | None:
    """Returns the line, from 0, in which a setting is written; None if no line is found that says it."""
    table = ""
    alone = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*=""")
    dotted = re.compile(rf"""\s*["']?{re.escape(command)}["']?\s*\.\s*["']?{re.escape(name)}["']?\s*=""")
    for number, line in enumerate(text.splitlines()):
        if (header := _TABLE.fullmatch(line)) is not None:
            table = header[1]
        elif (alone if table == command else dotted).match(line) and table in ("", command):
            return number
    return None


def checked(made: Parser, name: str, value: object) -> Any:
    """Returns the value of a setting as the parser of its command takes it. Raises argparse.ArgumentError."""
    action = made.setting(name)
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise argparse.ArgumentError(None, f"it is true or false, not {printable(value)!r}")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise argparse.ArgumentError(None, f"it is a word or a number, not {printable(value)}")
    converted = made._get_value(action, str(value))
    made._check_value(action, converted)
    return converted


def defaults_for(made: Parser, command: str) -> dict[str, Any]:
    """Returns what the person's file sets of a command's options, by their name in its namespace.

    Raises UsageError if the file is wrong.
    """
    file = config_file()
    config = None if file is None else read_config(file)
    found = {}
    for name, value in {} if config is None else config.values.get(command, {}).items():
        try:
            found[made.setting(name).dest] = checked(made, name, value)
        except argparse.ArgumentError as wrong:
            assert config is not None
            raise config.error(command, name, wrong.message) from None
    return found


def told(made: Parser, command: str) -> str:
    """Returns a sentence about what the person's file sets of a command, or about what is wrong with the file."""
    file = config_file()
    if file is None:
        return ""
    try:
        defaults_for(made, command)
        values = read_config(file).values.get(command, {})
    except UsageError as wrong:
        return f"Your settings cannot be read: {wrong}"
    listed = ", ".join(f"{name} {printable(literal(value))}" for name, value in values.items())
    return listed and f"Your settings in {file} are: {listed}."


def literal(value: object) -> str:
    """Returns a value as it is written in TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
