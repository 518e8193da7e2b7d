"""Everything that decides a training run, as plain data, and its trainer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from emubot.errors import CheckpointError, UsageError
from emubot.games import game
from emubot.games.recipes import Recipe
from emubot.text import did_you_mean, printable, whole_number
from emubot.training.fitness import WIN_RATE, Fitness, Race, counted
from emubot.training.learning import LearningTrainer
from emubot.training.methods import LEARNERS, POPULATIONS, settings_of
from emubot.training.population import PopulationTrainer
from emubot.trials.evaluation.contest import Contest
from emubot.weights import Weights, load_weights

_FROM_START: Final = ("start", "scales")  # settings that the start weights fill in
# What a state can raise that is whole, by its checksum, and yet not a state of this run.
_DAMAGE: Final = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError, UsageError)
_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "tuple[int, ...]": "whole numbers such as 32,32",
    "tuple[float, ...]": "numbers such as 0.3,0.1",
}
_OPTIONS_KEY: Final = "asked"  # the key of a recipe's `options` in the settings of a run, as files have it


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """A run. `recipe` has every choice made; its `hyper` replaces defaults of the method's settings."""

    game: str
    method: str
    recipe: Recipe
    seed: int = 0

    @property
    def meets(self) -> bool:
        """Whether candidates play against each other in training."""
        return self.method in POPULATIONS and POPULATIONS[self.method].meets

    @property
    def contest(self) -> Contest:
        """What a generation plays."""
        battles = self.meets or (self.method in POPULATIONS and self.recipe.figure == WIN_RATE)
        return Contest(self.game, 2 if battles else 1, self.recipe.rules, dict(self.recipe.options))

    @property
    def last_contest(self) -> Contest:
        """What the favourites play at the end."""
        return replace(self.contest, options=overridden(self.recipe.options, self.recipe.final))

    @property
    def names(self) -> tuple[str, ...]:
        """The features that the vector weighs. Raises UsageError if the game lacks one or one is named twice."""
        family, recipe = game(self.game), self.recipe
        if self.extends:
            if recipe.features or recipe.like:
                raise UsageError("td adds tables to weights and keeps their features: name weights with --start.")
            return load_weights(self.base).features.names
        names = recipe.features or (
            load_weights(recipe.like).features.names if recipe.like else family.facts.feature_names
        )
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise UsageError(f"The feature {twice[0]} is named twice: name it once.")
        unknown = [name for name in names if name not in family.facts.feature_names]
        if unknown:
            raise UsageError(
                f"{self.game} has no feature {unknown[0]!r}{did_you_mean(unknown[0], family.facts.feature_names)}; "
                f"it has {', '.join(family.facts.feature_names)}."
            )
        return tuple(names)

    @property
    def extends(self) -> bool:
        """Whether the method adds to weights, which are then `base`."""
        return self.method in LEARNERS and LEARNERS[self.method].extends

    @property
    def base(self) -> str:
        """The weights to start from, or the game's own."""
        return self.recipe.start or game(self.game).facts.default_weights

    def settings(self) -> dict[str, Any]:
        """Returns the run as a JSON object with defaults filled in. Runs with equal settings are the same run.

        The number of generations is not part of it, because a run can continue.
        """
        recipe = asdict(self.recipe)
        recipe[_OPTIONS_KEY] = recipe.pop("options")
        del recipe["generations"]
        settings = {
            "game": self.game,
            "method": self.method,
            "seed": self.seed,
            "features": list(self.names),
            "figure": counted(self.contest.trial(), self.recipe.figure),
            "contest": dict(self.contest.trial().settings),
            "final_contest": dict(self.last_contest.trial().settings),
            "hyper": asdict(self._hyper()),
            "recipe": recipe,
        }
        # A name may mean other weights tomorrow.
        if self.recipe.against:
            settings["against_sha256"] = _digest(load_weights(self.recipe.against))
        if self.extends:
            settings["base_sha256"] = _digest(load_weights(self.base))
        return settings

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> TrainingPlan:
        """Returns the plan of these settings, with 0 generations. Raises CheckpointError if they are not a plan's."""
        try:
            recipe = dict(settings["recipe"])
            plan = cls(
                settings["game"],
                settings["method"],
                _recipe(recipe),
                settings["seed"],
            )
            plan._check_types()
        except (KeyError, TypeError, ValueError, RecursionError) as damage:
            raise CheckpointError(
                f"These are not the settings of a run ({printable(damage)}): put back a copy of its folder."
            ) from damage
        return plan

    def _check_types(self) -> None:
        """Raise ValueError if a value is not of its field's type, or the method or the seed is invalid."""
        try:
            _schema().validate_json(json.dumps(asdict(self)), strict=True)
        except ValidationError as invalid:
            first = invalid.errors()[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        if self.method not in {*LEARNERS, *POPULATIONS}:
            raise ValueError(f"there is no method {self.method}")
        if self.seed < 0:
            raise ValueError(f"the seed is {self.seed}")

    def trainer(self, state: Mapping[str, Any] | None = None) -> PopulationTrainer | LearningTrainer:
        """Returns a new trainer, or one in `state`. Raises UsageError, WeightsError or CheckpointError."""
        recipe, names = self.recipe, self.names
        race = Race(recipe.race) if recipe.race else None
        against: Weights | None = load_weights(recipe.against) if recipe.against else None
        fitness = Fitness(
            self.contest,
            names,
            version=game(self.game).facts.feature_version,
            seed=self.seed,
            games=recipe.games,
            figure=recipe.figure,
            shape=recipe.shape,
            normalise=recipe.normalise,
            race=race,
            portion=recipe.portion,
            opponent=against if self.contest.sides == 2 and not self.meets else None,
            against=recipe.against,
        )
        final = replace(
            fitness,
            contest=self.last_contest,
            games=recipe.final_games,
            figure=WIN_RATE if against else recipe.figure,
            opponent=against,
            against=recipe.against,
            race=None,
        )
        trainer: PopulationTrainer | LearningTrainer
        if self.method in LEARNERS:
            base = (load_weights(self.base),) if self.extends else ()
            trainer = LEARNERS[self.method].trainer(self._hyper(), fitness, final, *base)
        else:
            optimiser = POPULATIONS[self.method].optimiser(self._hyper(), len(names), self.seed)
            trainer = PopulationTrainer(optimiser, fitness, final, self.method)
        try:
            trainer = trainer if state is None else trainer.resumed(state)
        except _DAMAGE as damage:
            raise CheckpointError(
                f"The newest checkpoint does not hold what a run of {self.method} is ({printable(damage)}): remove it, "
                "and the run continues from the one before."
            ) from damage
        self._try_out(trainer, against)
        return trainer

    def warm_up(self) -> None:
        """Compile or load the kernels that the method needs besides those of its contests."""
        if self.method in LEARNERS:
            trainer = self.trainer()
            assert isinstance(trainer, LearningTrainer)
            trainer.warm_up()

    def _try_out(self, trainer: PopulationTrainer | LearningTrainer, against: Weights | None) -> None:
        """Check, before anything is played, that the trained weights can play everything. Raises WeightsError."""
        candidate = trainer.individuals()[0]
        for contest in (self.contest, self.last_contest):
            others = [against or candidate] * (contest.sides - 1)
            contest.trial().play([candidate, *others], [])

    def _hyper(self) -> Any:
        """Returns the method's settings, with the recipe's values in place of defaults. Raises UsageError."""
        known = {each.name: each for each in fields(settings_of(self.method))}
        chosen: dict[str, Any] = {}
        for name, value in self.recipe.hyper.items():
            if name not in known or name in _FROM_START:
                names = sorted(set(known) - set(_FROM_START))
                near = did_you_mean(name, names)
                raise UsageError(f"The method {self.method} has no setting {name!r}{near}; it has {', '.join(names)}.")
            kind = str(known[name].type)
            chosen[name] = _converted(value, kind)
            if chosen[name] is None:
                raise UsageError(
                    f"The setting {name} of {self.method} is {_KINDS[kind]}, not {printable(repr(value), 60)}."
                )
        if self.recipe.start is not None and not self.extends:
            if not known.keys() >= set(_FROM_START):
                raise UsageError(f"The method {self.method} has no vector to start from: leave out --start.")
            start = self._start(self.recipe.start)
            sizes = np.abs(start)
            chosen |= {
                "start": tuple(start.tolist()),
                "scales": tuple(np.where(sizes > 0, sizes, sizes.mean()).tolist()),
            }
        return settings_of(self.method)(**chosen)

    def _start(self, name: str) -> NDArray[np.float64]:
        """Returns the values of some weights for this run's features, 0 for a feature that they do not weigh."""
        weights, family = load_weights(name), game(self.game)
        whole = weights.vector(family.name, family.facts.feature_names, family.facts.feature_version)
        start = np.array([whole[family.facts.feature_names.index(feature)] for feature in self.names])
        if not start.any():
            raise UsageError(f"The weights {name} weigh none of {', '.join(self.names)}: start from others.")
        return start


@cache
def _schema() -> TypeAdapter[TrainingPlan]:
    return TypeAdapter(TrainingPlan)


def _recipe(stored: dict[str, Any]) -> Recipe:
    """Returns the recipe in a run's settings. Raises KeyError, TypeError or ValueError if it is not one."""
    options = stored.pop(_OPTIONS_KEY)
    return Recipe(**{**stored, "options": options, "generations": 0, "features": tuple(stored["features"])})


def overridden(options: Mapping[str, Any], by: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a trial's options with those of `by` in their place.

    Without gravity the input options (taps, reaction) are left out, because they mean nothing then.
    """
    pointless = ("taps", "reaction") if by.get("gravity") == 0 else ()
    return {name: value for name, value in options.items() if name not in pointless} | dict(by)


def _digest(weights: Weights) -> str:
    """Returns the digest of everything that decides how weights play."""
    return hashlib.sha256(weights.model_dump_json(exclude={"provenance"}).encode()).hexdigest()


def _converted(value: Any, kind: str) -> Any:
    """Returns a setting's value as its kind, None if it is not of that kind."""
    if isinstance(value, bool):
        return None
    if kind == "float":
        return float(value) if isinstance(value, int | float) else None
    if kind == "int":
        return value if isinstance(value, int) else None
    parts = str(value).split(",") if not isinstance(value, list | tuple) else [str(part) for part in value]
    if kind == "tuple[float, ...]":
        try:
            return tuple(map(float, parts))
        except ValueError:
            return None
    numbers = tuple(number for part in parts if (number := whole_number(part)) is not None)
    return numbers if len(numbers) == len(parts) else None
