"""The one JSON object that a run prints with `--json`: the command's result, or else the error that ended it."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from typing import Any


class _Run:
    """The run of this process; `main` begins a new one for each command."""

    printed = False  # whether its object is printed


def begin() -> None:
    """A new run begins: nothing is printed yet."""
    _Run.printed = False


def emit_json(value: dict[str, Any]) -> None:
    """Print the command's one JSON object."""
    import json

    _Run.printed = True
    print(json.dumps(value))


def emit_failure(sentence: str, code: int) -> None:
    """Print why a run ended that has not printed its object, with its exit code."""
    if not _Run.printed:
        emit_json(failed(sentence, code))


def failed(sentence: str, code: int) -> dict[str, Any]:
    """Returns the keys that say why a run ended, which a result that is printed all the same has too."""
    return {"error": sentence, "code": code}
