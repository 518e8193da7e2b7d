"""The run of a training method that a family proposes, as data; does not know how an optimiser works.

Settings that a publication gives are with the methods (training/methods/). A recipe has what it leaves open, or what
its machine needed hours for, so that a run takes at most about twenty minutes on two cores. The results are in
docs/measurements/training.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Recipe:
    """A candidate's games in a generation, and how many generations; features, contest and final measurement.

    `features` names them, or `like` names weights with the same features (neither: all that the game has). `start`
    names weights to start from, `against` the opponent of the final measurement if two meet. `final` replaces options
    of the contest for the final measurement. `race` is the number of its rounds, 0 for no race. `normalise` and
    `portion` are as in Fitness.
    """

    games: int = 20
    generations: int = 30
    rules: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    like: str | None = None
    start: str | None = None
    figure: str | None = None
    shape: str = "mean"
    race: int = 0
    normalise: bool = False
    portion: int = 0
    against: str | None = None
    final: Mapping[str, Any] = field(default_factory=dict)
    final_games: int = 200
    hyper: Mapping[str, Any] = field(default_factory=dict)
