"""The training runs that a page may see, by name, and what each has reached, as plain data; starts nothing.

They lie in the user's own folder of runs, and in the folder `runs` of the directory where the arena was started. The
page never sees a path.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from emubot.atomic import cannot_be_written, write_whole
from emubot.datafiles import user_data
from emubot.errors import UsageError
from emubot.training.folder import FINISHED, latest
from emubot.training.history import NAME as HISTORY
from emubot.training.history import read_history
from emubot.training.trainer import Report

HERE: Final = Path("runs")  # in the current directory
_MOST_RUNS: Final = 200
_MOST_FITNESSES: Final = 150  # of a generation, for a picture
_OPTIONS: Final = ".options.json"


def folder() -> Path:
    """Returns the user's own folder of runs; it need not exist."""
    return user_data("runs")


def new_name(what: str) -> str:
    """Returns a name for a run with this plan that begins now."""
    taken = set(names())
    stem = f"{what}-{time.strftime('%Y%m%d-%H%M%S')}"
    return next(name for name in chain([stem], (f"{stem}-{number}" for number in count(2))) if name not in taken)


def names() -> list[str]:
    """Returns the names of all runs, the latest first."""
    return list(_folders())


def path_of(name: str) -> Path:
    """Returns the folder of a run. Raises UsageError if the list has no such name."""
    found = _folders().get(name)
    if found is None:
        raise UsageError(f"There is no training run {name!r}: choose one from the list.")
    return found


def keep_options(name: str, options: Mapping[str, Any]) -> None:
    """Make a new run's folder in the user's own, and note what it is started with. Raises StorageError."""
    try:
        folder().joinpath(name).mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise cannot_be_written(folder(), failure) from failure
    write_whole(folder() / (name + _OPTIONS), json.dumps(dict(options)).encode())


def options_of(name: str) -> dict[str, Any]:
    """Returns what a run was started with. Raises UsageError for an unknown one, and if this page did not start it."""
    path_of(name)  # a page's word becomes part of a path only if the list has it
    try:
        found = json.loads((folder() / (name + _OPTIONS)).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise UsageError(f"{name} was not started from this page: go on with the command that began it.")
    return found


@dataclass(slots=True)
class Histories:
    """What runs have reached. It reads a file again only when it has changed."""

    _seen: dict[Path, tuple[tuple[int, int], list[Report]]] = field(default_factory=dict)
    _settings: dict[Path, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, name: str, since: int) -> dict[str, Any]:
        """Returns a run's settings in a few words, and its generations after the first `since`.

        A run that has finished none yet has none of these words, but `generations`. Raises UsageError for an unknown
        name, StorageError or CheckpointError for a folder that cannot be read.
        """
        path = path_of(name)
        reports = self._reports(path)
        told: dict[str, Any] = {"name": name, "since": min(since, len(reports)), "generations": []}
        if not reports:
            return told
        settings = self._settings.get(path)
        if settings is None:
            checkpoint = latest(path)
            if checkpoint is None:
                return told
            settings = self._settings[path] = checkpoint.settings
        names_ = settings["features"]
        return told | {
            "title": f"{settings['game']}, {settings['method']}, seed {settings['seed']}",
            "measure": ("log of " if settings["recipe"]["shape"] == "log" else "") + str(settings["figure"]),
            "features": list(names_) if len(reports[-1].weights) == len(names_) else [],
            "finished": (path / FINISHED).exists(),
            "generations": [_plain(report) for report in reports[since:]],
        }

    def _reports(self, path: Path) -> list[Report]:
        try:
            found = (path / HISTORY).stat()
        except OSError:
            return []
        stamp = (found.st_mtime_ns, found.st_size)
        if path not in self._seen or self._seen[path][0] != stamp:
            self._seen[path] = (stamp, read_history(path))
        return self._seen[path][1]


def _folders() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for prefix, base in (("", folder()), ("runs/", HERE)):
        if base.is_dir():
            inside = [path for path in base.iterdir() if path.is_dir() and (not prefix or (path / HISTORY).exists())]
            found |= {prefix + path.name: path.absolute() for path in sorted(inside, key=_age)[:_MOST_RUNS]}
    return found


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _plain(report: Report) -> dict[str, Any]:
    step = max(1, -(-len(report.fitness) // _MOST_FITNESSES))
    return {
        "generation": report.generation,
        "games": report.games,
        "mean": report.figures.get("mean"),
        "best": report.figures.get("best"),
        "fitness": sorted(report.fitness)[::step],
        "weights": list(report.weights),
    }
