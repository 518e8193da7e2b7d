"""Shared by all commands: one-sentence errors, number ranges, JSON on stdout, everything else on stderr."""

from __future__ import annotations

import argparse
import logging
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NoReturn

from emubot import interrupts
from emubot.errors import UsageError
from emubot.text import did_you_mean, nearest, printable

INTERRUPTED: Final = interrupts.EXIT_CODE
_LONGEST_MS: Final = 60_000
_SHOWN: Final = 40  # characters of a word that is no number


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises UsageError: one sentence with the nearest option or value, not the usage text.

    `elsewhere` has a sentence about each option that is known, but not here.
    """

    elsewhere: Mapping[str, str] = MappingProxyType({})

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        for word in message.split() if message.startswith("unrecognized") else ():
            if (name := word.partition("=")[0]) in self.elsewhere:
                raise UsageError(self.elsewhere[name])
        raise UsageError(f'{message.rstrip(".")}{self._nearest(message)}; "{self.prog} --help" lists what there is.')

    def change(self, option: str, default: str | None, text: str) -> None:
        """Change the default and the help text of an existing option."""
        action = self._option_string_actions[option]
        action.default, action.help = default, text

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is none of the choices, as argparse does, and name the nearest one."""
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = nearest(str(value), known)
            hint = f"did you mean {near}? " if near else ""
            raise argparse.ArgumentError(action, f"invalid choice: {value!r} ({hint}choose from {', '.join(known)})")

    def _nearest(self, message: str) -> str:
        unknown = [word.partition("=")[0] for word in message.split() if word.startswith("-")]
        if not message.startswith("unrecognized") or not unknown:
            return ""
        return did_you_mean(unknown[0], self._option_string_actions)


def parser(command: str, description: str, epilog: str = "") -> Parser:
    """Returns the parser of `emubot COMMAND`, with `-v` and `-q`."""
    made = Parser(
        prog=f"emubot {command}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("-v", "--verbose", action="count", default=0, help="print more; errors show their traceback")
    made.add_argument("-q", "--quiet", action="store_true", help="print only errors and results")
    return made


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Returns an argparse type for whole numbers from `low` to `high`, both included."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low or (high is not None and number > high):
            allowed = f"from {low} to {high}" if high is not None else f"of at least {low}"
            raise argparse.ArgumentTypeError(f"{printable(text, _SHOWN)!r} is not a whole number {allowed}")
        return number

    return convert


def number(text: str) -> int:
    """An argparse type for a whole number whose range is checked later."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{printable(text, _SHOWN)!r} is not a whole number") from None


def _real(what: str, accepts: Callable[[float], bool]) -> Callable[[str], float]:
    """Returns an argparse type for a number that may have a fraction."""

    def convert(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan  # which no range has
        if not accepts(number):
            raise argparse.ArgumentTypeError(f"{printable(text, _SHOWN)!r} is not {what}")
        return number

    return convert


share = _real("a number from 0 to 1", lambda number: 0 <= number <= 1)
milliseconds = _real(
    f"a number of milliseconds above 0, at most {_LONGEST_MS:,}", lambda number: 0 < number <= _LONGEST_MS
)


def new_file(text: str) -> Path:
    """An argparse type for a file to be written; raises StorageError or UsageError early if that is not possible.

    It accepts an existing file. `refuse_existing` refuses that, except in commands that continue a file.
    """
    from emubot.atomic import check_output

    path = Path(text)
    check_output(path, force=True)
    return path


def add_force(made: argparse.ArgumentParser | argparse._ArgumentGroup, option: str) -> None:
    """Add `--force`; without it `refuse_existing` refuses an existing file."""
    made.add_argument("--force", action="store_true", help=f"replace the file of {option} if it exists")


def refuse_existing(path: Path | None, force: bool) -> None:
    """Raise UsageError if the output file exists and may not be replaced; nothing to check if `path` is None."""
    from emubot.atomic import check_output

    if path is not None:
        check_output(path, force=force)


def add_json(made: argparse.ArgumentParser) -> None:
    """Add `--json`: one JSON object on stdout at the end, everything else on stderr."""
    made.add_argument("--json", action="store_true", help="print one JSON object on stdout at the end")


def say(text: str) -> None:
    """Print lines for the person at the terminal to stderr, without control characters; stdout is for results."""
    for line in text.split("\n"):
        print(printable(line, len(line)), file=sys.stderr)


def announce(sentence: str) -> None:
    """Print a sentence with the prefix `emubot:`, which distinguishes it from another program's output."""
    say(f"emubot: {sentence}")


def set_up_logging(verbose: int, quiet: bool) -> None:
    """Log warnings to stderr; with -v also the pilot's events, with -vv everything, with -q only errors."""
    level = logging.ERROR if quiet else (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    logging.basicConfig(level=level, handlers=[_Said()], format="emubot: %(message)s")


class _Said(logging.Handler):
    """Says log lines on what stderr is at the time, so that a live board moves down for them."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the line, and a traceback after it."""
        try:
            say(self.format(record))
        except (OSError, ValueError):  # stderr was closed
            self.handleError(record)
