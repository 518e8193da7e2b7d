"""Draws training runs from their histories, which are plain numbers; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from emubot.text import counted
from emubot.view.plots import BARS, CURVE, OTHER, picture, save

_ACROSS: Final = 3  # small pictures side by side
_PER_POINT: Final = 10  # games per point of a learning curve
Series = Sequence[float]


def draw_fitness(
    path: Path,
    individuals: Sequence[Series],
    mean: Series,
    best: Series,
    measure: str,
    title: str,
    most: float | None = None,
) -> None:
    """Write a PNG: every individual's fitness by generation, with each generation's mean and best.

    `individuals[g]` has the fitness values of generation g + 1. `most` is the fitness of a game that is stopped, or
    None. Raises UsageError without matplotlib, StorageError.
    """
    figure = picture(8, 5)
    from matplotlib.ticker import MaxNLocator

    axes = figure.subplots()
    generations = range(1, len(mean) + 1)
    points = [(generation, value) for generation, row in zip(generations, individuals, strict=True) for value in row]
    if points:
        axes.plot(*zip(*points, strict=True), ".", color=BARS, markersize=4, label="an individual")
    axes.plot(generations, best, color=OTHER, linewidth=1, label="best")
    axes.plot(generations, mean, color=CURVE, linewidth=2, label="mean")
    if most is not None and max(best, default=most) > most / 2:  # otherwise it would only press the curves down
        axes.axhline(most, color="black", linestyle="--", linewidth=1, label="no game is longer")
    axes.set_xlabel("generation")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel(measure)
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend()
    save(figure, path)


def draw_weights(path: Path, weights: Mapping[str, Series], title: str) -> None:
    """Write a PNG with a small picture for each weight by generation. Raises as `draw_fitness` does."""
    rows = -(-len(weights) // _ACROSS)
    figure = picture(9, 1 + 1.7 * rows)
    figure.suptitle(title)
    grid = figure.subplots(rows, _ACROSS, sharex=True, squeeze=False)
    for axes in grid.flat[len(weights) :]:
        axes.set_visible(False)
    for axes, (name, values) in zip(grid.flat, weights.items(), strict=False):
        axes.plot(range(1, len(values) + 1), values, color=CURVE)
        axes.axhline(0, color="black", linewidth=0.5)
        axes.set_title(name, fontsize=9)
        axes.grid(alpha=0.3)
    save(figure, path)


def draw_games(path: Path, moves: Series, scores: Series, each: int, measure: str, title: str) -> None:
    """Write a PNG: moves and score of a learner's games, as means of about 10 games, or of `each` if that is more.

    Each number is for `each` games in a row. Raises as `draw_fitness` does.
    """
    figure = picture(8, 6)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for axes, values, label in ((upper, moves, "moves"), (lower, scores, measure)):
        joined = max(_PER_POINT // each, 1)
        points = [values[first : first + joined] for first in range(0, len(values), joined)]
        axes.plot(
            [each * joined * (index + 1) for index in range(len(points))],
            [sum(point) / len(point) for point in points],
            color=CURVE,
        )
        axes.set_ylabel(f"{label}, mean of {counted(each * joined, 'game')}")
        axes.grid(alpha=0.3)
    upper.set_title(title)
    lower.set_xlabel("games")
    save(figure, path)


def draw_learning(path: Path, figures: Mapping[str, Series], title: str) -> None:
    """Write a PNG with a picture for each figure by generation, one below the other. Raises as `draw_fitness` does."""
    figure = picture(8, 1 + 2.2 * len(figures))
    figure.suptitle(title)
    column = figure.subplots(len(figures), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (name, values) in zip(column, figures.items(), strict=True):
        axes.plot(range(1, len(values) + 1), values, color=CURVE)
        axes.set_ylabel(name)
        axes.grid(alpha=0.3)
    column[-1].set_xlabel("generation")
    save(figure, path)


def draw_comparison(path: Path, runs: Mapping[str, Sequence[tuple[float, float]]], measure: str, title: str) -> None:
    """Write a PNG: the mean fitness of several runs over the games played, from (games, fitness) points.

    If no fitness is below 0, its scale is logarithmic, and linear below 1. Raises as `draw_fitness` does.
    """
    figure = picture(8, 5)
    axes = figure.subplots()
    for name, points in runs.items():
        axes.plot([games for games, _ in points], [fitness for _, fitness in points], label=name, linewidth=1.5)
    if all(fitness >= 0 for points in runs.values() for _, fitness in points):
        axes.set_yscale("symlog", linthresh=1)
    axes.set_xlabel("games played")
    axes.set_ylabel(measure)
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend()
    save(figure, path)
