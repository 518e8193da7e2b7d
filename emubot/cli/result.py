"""The one JSON object that a run prints with `--json`: the command's result, or else the error that ended it."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class _Run:
    """The run of this process; `main` begins a new one for each command."""

    printed = False  # whether its object is printed
    reached: Mapping[str, Any] = {}  # what is printed beside the error if one ends it


def begin() -> None:
    """A new run begins: nothing is printed or reached yet."""
    _Run.printed, _Run.reached = False, {}


def reach(value: Mapping[str, Any]) -> None:
    """Note what is reached so far: it is printed with the error if one ends the run before its result is printed."""
    _Run.reached = value


def emit_json(value: Mapping[str, Any]) -> None:
    """Print the command's one JSON object."""
    import json

    _Run.printed = True
    print(json.dumps(value))


def emit_failure(sentence: str, code: int) -> None:
    """Print why a run ended, with its exit code and what was reached, unless it has printed its object."""
    if not _Run.printed:
        emit_json({**_Run.reached, "error": sentence, "code": code})
