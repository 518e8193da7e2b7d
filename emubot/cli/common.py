"""What every command's parser shares: the parser class, ranges, JSON on stdout, everything else on stderr."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any


def parser(command: str, description: str, epilog: str = "") -> argparse.ArgumentParser:
    """An argparse parser for `emubot COMMAND` with `-v`, `-q` and defaults in its help."""
    made = argparse.ArgumentParser(
        prog=f"emubot {command}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("-v", "--verbose", action="count", default=0, help="say more; errors show their traceback")
    made.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors and results")
    return made


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """An argparse type for whole numbers from `low` to `high`, both included."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low or (high is not None and number > high):
            allowed = f"from {low} to {high}" if high is not None else f"of at least {low}"
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {allowed}")
        return number

    return convert


def add_json(made: argparse.ArgumentParser) -> None:
    """Add `--json`: one final JSON object on stdout, everything else on stderr."""
    made.add_argument("--json", action="store_true", help="print one JSON object on stdout at the end")


def emit_json(value: dict[str, Any]) -> None:
    """Print the command's one JSON object."""
    print(json.dumps(value))


def say(text: str) -> None:
    """A line for the person at the terminal; stdout stays free for results."""
    print(text, file=sys.stderr)
