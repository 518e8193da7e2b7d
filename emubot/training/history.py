"""Finished generations as lines of history.jsonl and back, without any times."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from emubot.errors import StorageError, UsageError
from emubot.files import UnsuitableFile, read_regular
from emubot.training.trainer import Report

NAME: Final = "history.jsonl"

_MOST_BYTES: Final = 1 << 28  # the most that can be read back; a run continues with any size


def line_of(report: Report) -> bytes:
    """Returns one line of JSON with its line end. Raises ValueError if a figure is not finite."""
    stored = {
        "generation": report.generation,
        "games": report.games,
        "figures": dict(report.figures),
        "fitness": report.fitness,
        "weights": report.weights,
    }
    return (json.dumps(stored, allow_nan=False) + "\n").encode()


def read_history(folder: Path) -> list[Report]:
    """Returns the generations that the run in a folder has finished, even while it is running.

    A line that is still being written is left out. Raises UsageError if the folder has no history or a damaged one,
    and StorageError if it cannot be read.
    """
    path = folder / NAME
    try:
        content = read_regular(path, _MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"There is no training run in {folder}: name the folder given to --out.") from None
    except UnsuitableFile as wrong:
        raise UsageError(f"{path} is not a history of a run: {wrong.strerror}.") from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    lines = content.split(b"\n")[:-1]  # what follows the last line end is not finished
    reports = []
    for number, line in enumerate(lines, start=1):
        try:
            reports.append(_report(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as damage:
            raise UsageError(
                f"{path}:{number} is damaged ({damage}): resume the run, which sees what is left of it."
            ) from damage
    return reports


def _report(stored: Mapping[str, Any]) -> Report:
    figures = {str(name): float(value) for name, value in stored["figures"].items()}
    fitness, weights = (tuple(float(value) for value in stored[name]) for name in ("fitness", "weights"))
    return Report(int(stored["generation"]), int(stored["games"]), figures, fitness, weights)
