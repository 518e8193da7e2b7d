"""Pictures of training runs: what is drawn is what was given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emubot.view import training_plots as plots


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are saved, instead of saving them."""
    pytest.importorskip("matplotlib")
    found: list[Any] = []
    monkeypatch.setattr(plots, "save", lambda figure, path: found.append(figure))
    return found


def points(line: Any) -> list[tuple[float, float]]:
    return [tuple(point) for point in line.get_xydata()]


def test_every_individual_has_a_point(drawn: list[Any]) -> None:
    plots.draw_fitness(Path("x"), [[1, 2], [3, 5]], [1.5, 4], [2, 5], "lines", "a run")
    (axes,) = drawn[0].axes
    dots, best, mean = axes.lines
    assert points(dots) == [(1, 1), (1, 2), (2, 3), (2, 5)]
    assert points(best) == [(1, 2), (2, 5)]
    assert points(mean) == [(1, 1.5), (2, 4)]
    assert (axes.get_ylabel(), axes.get_title()) == ("lines", "a run")


def test_the_most_of_a_game_is_drawn_where_somebody_comes_near(drawn: list[Any]) -> None:
    for best in ([2, 5], [2, 60]):
        plots.draw_fitness(Path("x"), [[1, 2], best], [1.5, 4], best, "lines", "a run", 100)
    far, near = (figure.axes[0].lines for figure in drawn)
    assert (len(far), len(near)) == (3, 4)
    assert [*near[3].get_ydata()] == [100, 100]


def test_a_learner_without_individuals_has_lines_only(drawn: list[Any]) -> None:
    plots.draw_fitness(Path("x"), [[], []], [1.5, 4], [2, 5], "lines", "a run")
    assert len(drawn[0].axes[0].lines) == 2


def test_each_weight_has_a_picture_of_its_own(drawn: list[Any]) -> None:
    plots.draw_weights(Path("x"), {"holes": [-1, -2], "bumpiness": [0.5, 0], "lines": [1, 1], "wells": [0, 3]}, "a run")
    seen = [axes for axes in drawn[0].axes if axes.get_visible()]
    assert [axes.get_title() for axes in seen] == ["holes", "bumpiness", "lines", "wells"]
    assert points(seen[3].lines[0]) == [(1, 0), (2, 3)]


def test_games_are_told_in_means_of_about_ten(drawn: list[Any]) -> None:
    plots.draw_games(Path("x"), [10, 20, 30], [1, 3, 8], 4, "lines", "a run")
    moves, scores = drawn[0].axes
    assert points(moves.lines[0]) == [(8, 15), (16, 30)]
    assert points(scores.lines[0]) == [(8, 2), (16, 8)]
    assert scores.get_ylabel() == "lines, mean of 8 games"


def test_each_figure_of_learning_has_its_own_scale(drawn: list[Any]) -> None:
    plots.draw_learning(Path("x"), {"score": [100, 900], "difference": [9, 3]}, "a run")
    upper, lower = drawn[0].axes
    assert (upper.get_ylabel(), points(upper.lines[0])) == ("score", [(1, 100), (2, 900)])
    assert (lower.get_ylabel(), points(lower.lines[0])) == ("difference", [(1, 9), (2, 3)])


def test_runs_side_by_side_over_the_games_they_played(drawn: list[Any]) -> None:
    plots.draw_comparison(Path("x"), {"a": [(10, 5), (20, 50)], "b": [(7, 1)]}, "lines", "both")
    (axes,) = drawn[0].axes
    assert [points(line) for line in axes.lines] == [[(10, 5), (20, 50)], [(7, 1)]]
    assert axes.get_yscale() == "symlog"
    plots.draw_comparison(Path("x"), {"a": [(10, -1)]}, "fitness", "one")
    assert drawn[1].axes[0].get_yscale() == "linear"
