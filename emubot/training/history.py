"""Finished generations as lines of history.jsonl and back: what a run was worth, without any time; knows no run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from emubot.errors import StorageError, UsageError
from emubot.files import UnsuitableFile, read_regular
from emubot.training.trainer import Report

NAME: Final = "history.jsonl"

_MOST_BYTES: Final = 1 << 28  # that can be drawn; a run goes on with any


def line_of(report: Report) -> bytes:
    """One line of JSON, its end included. Raises ValueError for a figure that is not finite."""
    told = {
        "generation": report.generation,
        "games": report.games,
        "figures": dict(report.figures),
        "fitness": report.fitness,
        "weights": report.weights,
    }
    return (json.dumps(told, allow_nan=False) + "\n").encode()


def read_history(folder: Path) -> list[Report]:
    """The generations that the run in a folder has finished, while it goes on or later.

    A line that is still being written is left out. Raises UsageError for a folder with no history and for a damaged
    one, StorageError where it cannot be read.
    """
    path = folder / NAME
    try:
        content = read_regular(path, _MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"There is no training run in {folder}: name the folder given to --out.") from None
    except UnsuitableFile as wrong:
        raise UsageError(f"{path} is no history of a run: {wrong.strerror}.") from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    lines = content.split(b"\n")[:-1]  # what follows the last end of a line is not finished
    reports = []
    for number, line in enumerate(lines, start=1):
        try:
            reports.append(_report(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as damage:
            raise UsageError(
                f"{path}:{number} is damaged ({damage}): resume the run, which sees what is left of it."
            ) from damage
    return reports


def _report(told: Mapping[str, Any]) -> Report:
    figures = {str(name): float(value) for name, value in told["figures"].items()}
    fitness, weights = (tuple(float(value) for value in told[name]) for name in ("fitness", "weights"))
    return Report(int(told["generation"]), int(told["games"]), figures, fitness, weights)
