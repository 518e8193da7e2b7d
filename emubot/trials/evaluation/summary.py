"""The result of many games: means with intervals, differences on the same games, win rates; plays nothing itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.trial import SHARES, SUMMED
from emubot.trials.evaluation.contest import Contest
from emubot.trials.executors import completed
from emubot.trials.statistics import of_samples, share, win_rates
from emubot.trials.work import WorkUnit, play_unit
from emubot.weights import Weights

Games = NDArray[np.int64]  # (games, figures)

_PARTS: Final = 64  # units of a run: enough for a bar to move, and for workers to end at about the same time
_MOST: Final = 100  # games of a unit, so that little is lost if one is
QUANTILES: Final = (5, 25, 75, 95)  # percent


def units(contest: Contest, players: tuple[Weights, ...], seed: int, games: int) -> list[WorkUnit[Contest]]:
    """Returns games 0 to `games` - 1 of the run of a seed, cut into units; the cut changes no game."""
    size = min(max(games // _PARTS, 1), _MOST)
    return [WorkUnit(contest, players, seed, first, min(first + size, games)) for first in range(0, games, size)]


def play(
    work: Sequence[WorkUnit[Contest]], executor: Executor, at_once: int, stop: Callable[[], bool] = lambda: False
) -> Iterator[tuple[WorkUnit[Contest], Games, float]]:
    """Yields each unit with its games and their CPU seconds, in the order in which they end."""
    for unit, (games, seconds) in completed(executor, _timed, work, at_once, stop):
        yield unit, games, seconds


def _timed(unit: WorkUnit[Contest]) -> tuple[Games, float]:
    started = time.process_time()
    games = play_unit(unit)
    return games, time.process_time() - started


def summarise(games: Games, figures: Sequence[str]) -> dict[str, Any]:
    """Returns each figure's mean, standard error, 95 % interval, quantiles and extremes; one game has no error (None).

    In games of two sides, `win_rate` counts a draw as half a win.
    """
    columns: dict[str, NDArray[Any]] = {name: games[:, index] for index, name in enumerate(figures) if name != SUMMED}
    if {"wins", "draws"} <= set(columns):
        columns = {"win_rate": win_rates(columns["wins"], columns["draws"]), **columns}
    return {name: _spread(name, column) for name, column in columns.items()}


def differences(games: Games, others: Games, figures: Sequence[str]) -> dict[str, Any]:
    """Returns how much larger each figure is in `games` than in `others`, on the same seeds: mean and interval."""
    return {
        name: of_samples(games[:, index] - others[:, index]).as_dict()
        for index, name in enumerate(figures)
        if name != SUMMED
    }


def _spread(name: str, column: NDArray[Any]) -> dict[str, float | int | None]:
    figures = of_samples(column).as_dict()
    if name in SHARES and len(column) > 1:
        figures["low95"], figures["high95"] = share(float(column.mean()), len(column))
    quantiles = {f"q{percent:02}": float(np.percentile(column, percent)) for percent in QUANTILES}
    extremes = {"median": float(np.median(column)), "min": column.min().item(), "max": column.max().item()}
    return figures | quantiles | extremes
