"""Shared by all commands: one-sentence errors, number ranges, JSON on stdout, everything else on stderr."""

from __future__ import annotations

import argparse
import logging
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NoReturn

from emubot import interrupts
from emubot.cli.settings import SETTINGS, defaults_for, told
from emubot.errors import UsageError
from emubot.text import did_you_mean, nearest, printable

INTERRUPTED: Final = interrupts.EXIT_CODE
_LONGEST_MS: Final = 60_000
_HELP: Final = frozenset({"-h", "--help", "--help-all"})
_ALWAYS: Final = (*_HELP, "-v", "--verbose", "-q", "--quiet", "--json")  # that `--help` shows of each command
_NO_CONFIG: Final = "--no-config"
_SHOWN: Final = 40  # characters of a word that is no number


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises UsageError: one sentence with the nearest option or value, not the usage text.

    `elsewhere` has a sentence about each option that is known, but not here. `usual` are the options that `--help`
    shows, where `--help-all` shows more; none: it shows all.
    """

    elsewhere: Mapping[str, str] = MappingProxyType({})
    usual: frozenset[str] = frozenset()
    asked = ""  # the words that lead to this parser, if these are more than its program's name
    command = ""  # whose settings are its defaults
    words_set: tuple[argparse.Action, ...] = ()  # what settings know by name, and the command line by a word alone

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Returns the options; those that are not given are the person's own defaults, as far as there are any.

        `configured` of the result names these. Raises UsageError, also if the file of settings is wrong.
        """
        without = _NO_CONFIG in words or asks_for_help(words)
        kept = {} if without else defaults_for(self, self.command)
        not_given = object()
        self.set_defaults(**dict.fromkeys(kept, not_given))
        options = self.parse_intermixed_args([*words])
        options.configured = {name for name in kept if getattr(options, name) is not_given}
        for name in options.configured:
            setattr(options, name, kept[name])
        return options

    def setting(self, name: str) -> argparse.Action:
        """Returns the option that a setting is of: one of the command line, or one that is no option there."""
        found = self._option_string_actions.get(f"--{name}")
        return found or next(one for one in self.words_set if one.dest == name)

    def format_help(self, whole: bool = False) -> str:
        """Returns the text of `--help`, or of `--help-all` (`whole`)."""
        text = super().format_help() if whole or not self.usual else self._short_help()
        return f"{text}{self._settings_told()}"

    def _settings_told(self) -> str:
        if not self.command:
            return ""
        return f"\n{text}\n" if (text := told(self, self.command)) else ""

    def _short_help(self) -> str:
        formatter = self._get_formatter()
        shown = [*filter(self._is_usual, self._actions)]
        together = [one for one in self._mutually_exclusive_groups if {*one._group_actions} <= {*shown}]
        formatter.add_usage(None, shown, together)  # parse_intermixed_args keeps a whole one in `usage`
        formatter.add_text(self.description)
        listed: set[str] = set()
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(filter(self._is_usual, group._group_actions))
            formatter.end_section()
            listed |= {one.option_strings[0] for one in group._group_actions if _is_listed(one)}
        formatter.add_text(f'"{self.asked or self.prog} --help-all" shows all {len(listed)} options.')
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _is_usual(self, action: argparse.Action) -> bool:
        return not action.option_strings or not self.usual.isdisjoint(action.option_strings)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        for word in message.split() if message.startswith("unrecognized") else ():
            if (name := word.partition("=")[0]) in self.elsewhere:
                raise UsageError(self.elsewhere[name])
        all_of_it = "--help-all" if self.usual else "--help"
        near = self._nearest(message)
        raise UsageError(f'{message.rstrip(".")}{near}; "{self.asked or self.prog} {all_of_it}" lists what there is.')

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


class _HelpAll(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        assert isinstance(parser, Parser)
        parser._print_message(parser.format_help(whole=True), sys.stdout)
        parser.exit()


def _is_listed(action: argparse.Action) -> bool:
    return bool(action.option_strings) and action.help != argparse.SUPPRESS


def asks_for_help(words: Iterable[str]) -> bool:
    """Returns whether there is an option that shows help among the words."""
    return not _HELP.isdisjoint(words)


def parser(command: str, description: str, epilog: str = "", usual: Iterable[str] = ()) -> Parser:
    """Returns the parser of `emubot COMMAND`, with `-v` and `-q`.

    `usual` are the options that `--help` shows, beside those that all commands have; without it `--help` shows all.
    """
    made = Parser(
        prog=f"emubot {command}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.usual = frozenset([*usual, *_ALWAYS]) if usual else frozenset()
    made.add_argument(
        "--help-all", action=_HelpAll, nargs=0, help="show all options and exit" if usual else argparse.SUPPRESS
    )
    if command in SETTINGS:
        made.command = command
        made.add_argument(_NO_CONFIG, action="store_true", help='take no defaults from your own ("emubot config")')
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
