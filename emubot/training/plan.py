"""All that decides a training run, as plain data, and the trainer it makes; knows no folder and no command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games import game
from emubot.training.checkpoint import Checkpoint
from emubot.training.fitness import Fitness, Race
from emubot.training.methods import POPULATIONS
from emubot.training.population import PopulationTrainer
from emubot.training.recipes import Recipe
from emubot.training.trainer import Trainer
from emubot.trials.playing import Contest
from emubot.weights import FeatureSet, Weights, load_weights

_FROM_START: Final = ("start", "scales")  # settings that weights to start from fill in


@dataclass(frozen=True, slots=True)
class Plan:
    """A run. `recipe` has every choice made; `hyper` of it replaces defaults of the method's settings."""

    game: str
    method: str
    recipe: Recipe
    seed: int = 0

    @property
    def meets(self) -> bool:
        """Whether candidates meet each other in training."""
        return POPULATIONS[self.method].meets

    @property
    def contest(self) -> Contest:
        """What a generation plays."""
        return Contest(self.game, 2 if self.meets else 1, self.recipe.rules, dict(self.recipe.asked))

    @property
    def last_contest(self) -> Contest:
        """What the favourites play at the end."""
        return replace(self.contest, asked={**self.recipe.asked, **self.recipe.final})

    @property
    def names(self) -> tuple[str, ...]:
        """The features that are weighed."""
        family, recipe = game(self.game), self.recipe
        names = recipe.features or (load_weights(recipe.like).features.names if recipe.like else family.feature_names)
        unknown = [name for name in names if name not in family.feature_names]
        if unknown:
            raise UsageError(f"{self.game} has no feature {unknown[0]!r}; it has {', '.join(family.feature_names)}.")
        return tuple(names)

    def settings(self) -> dict[str, Any]:
        """The run as a JSON object, options filled in: two runs with equal settings are the same run."""
        recipe = self.recipe
        told = {
            "game": self.game,
            "method": self.method,
            "seed": self.seed,
            "features": list(self.names),
            "contest": dict(self.contest.trial().settings),
            "final_contest": dict(self.last_contest.trial().settings),
            "hyper": asdict(self._hyper()),
        }
        kept = ("games", "figure", "shape", "race", "normalise", "portion", "against", "final_games")
        told |= {name: getattr(recipe, name) for name in kept}
        if recipe.against:
            told["against_values"] = list(load_weights(recipe.against).values)
        return told

    def trainer(self, state: Mapping[str, Any] | None = None) -> Trainer:
        """A trainer at its beginning, or where the one whose state this is stood. Raises UsageError, WeightsError."""
        recipe, names = self.recipe, self.names
        race = Race(recipe.race) if recipe.race else None
        against: Weights | None = load_weights(recipe.against) if recipe.against else None
        fitness = Fitness(
            self.contest,
            names,
            version=game(self.game).feature_version,
            seed=self.seed,
            games=recipe.games,
            figure=recipe.figure,
            shape=recipe.shape,
            normalise=recipe.normalise,
            race=race,
            portion=recipe.portion,
        )
        final = replace(
            fitness,
            contest=self.last_contest,
            games=recipe.final_games,
            figure="win_rate" if against else recipe.figure,
            opponent=against,
            against=recipe.against,
            race=None,
        )
        optimiser = POPULATIONS[self.method].optimiser(self._hyper(), len(names), self.seed)
        made = PopulationTrainer(optimiser, fitness, final, self.method)
        return made if state is None else made.resumed(state)

    def _hyper(self) -> Any:
        """The method's settings, those that were asked for in place of its defaults. Raises UsageError."""
        known = {each.name: each for each in fields(POPULATIONS[self.method].settings)}
        chosen = dict(self.recipe.hyper)
        for name, value in chosen.items():
            if name not in known or name in _FROM_START:
                names = ", ".join(sorted(set(known) - set(_FROM_START)))
                raise UsageError(f"The method {self.method} has no setting {name!r}; it has {names}.")
            kind = known[name].type
            fits = isinstance(value, int | float) if kind == "float" else type(value).__name__ == kind
            if not fits or isinstance(value, bool):
                raise UsageError(f"The setting {name} of {self.method} is of the kind {kind}, not {value!r}.")
        if self.recipe.start is not None:
            if not known.keys() >= set(_FROM_START):
                raise UsageError(f"The method {self.method} has no vector to start from: leave out --start.")
            start = self._start(self.recipe.start)
            sizes = np.abs(start)
            chosen |= {
                "start": tuple(start.tolist()),
                "scales": tuple(np.where(sizes > 0, sizes, sizes.mean()).tolist()),
            }
        return POPULATIONS[self.method].settings(**chosen)

    def _start(self, name: str) -> NDArray[np.float64]:
        """The values of some weights for this run's features; what they do not weigh is 0."""
        given, family = load_weights(name), game(self.game)
        whole = given.vector(family.name, family.feature_names, family.feature_version)
        if given.network or not whole.any():
            raise UsageError(f"The weights {name} have no values to start from: choose linear ones.")
        return np.array([whole[family.feature_names.index(feature)] for feature in self.names])


def individuals(checkpoint: Checkpoint) -> list[Weights]:
    """Who plays in the generation that follows a checkpoint, as they are numbered, from 0."""
    settings = checkpoint.settings
    features = FeatureSet(version=game(settings["game"]).feature_version, names=tuple(settings["features"]))
    optimiser = POPULATIONS[settings["method"]].optimiser.resume(checkpoint.state["optimiser"])
    return [
        Weights(game=settings["game"], features=features, values=tuple(map(float, candidate)))
        for candidate in optimiser.ask().candidates
    ]
