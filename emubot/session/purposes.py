"""All that is compiled of a family, in one list: what each command needs of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from emubot.errors import EmubotError, UsageError
from emubot.session.compiling import Purpose, play_by, scope_of, title_of

if TYPE_CHECKING:
    from emubot.games.protocol import Game, Measurable
    from emubot.games.trial import Trial
    from emubot.rammap import RamMap
    from emubot.training.plan import TrainingPlan

_COST: Final = 2.0  # CPU seconds of a trial or a method, after play: between 0.6 and 3.4


def self_play(game: Game) -> Purpose:
    """Returns what self-play needs, and play by any map."""
    from emubot.games.protocol import Compiled

    jobs = game.kernels if isinstance(game, Compiled) else tuple
    return Purpose(title_of(game), scope_of(game), f"self-play-{game.name}", jobs)


def trial_of(game: Game, trial: Trial) -> Purpose:
    """Returns what a trial needs."""
    from emubot.games.edition import Job

    rules = str(trial.settings["rules"])
    jobs = [Job(f"games by {rules}", trial.warm_up, _COST)]
    return Purpose(title_of(game), scope_of(game), f"trial-{rules}-{trial.sides}", lambda: jobs)


def method_of(plan: TrainingPlan) -> Purpose:
    """Returns what a training method needs in addition to the trials of its contests: nothing, if it only breeds.

    Raises UsageError if the method cannot learn from these games.
    """
    from emubot.games import game as family
    from emubot.games.edition import Job
    from emubot.training.methods import LEARNERS

    game, rules = family(plan.game), plan.contest.trial().settings["rules"]
    learns = plan.method in LEARNERS
    if learns:
        plan.trainer()
    jobs = [Job(f"training by {plan.method}", plan.warm_up, _COST)] if learns else []
    return Purpose(title_of(game), scope_of(game), f"train-{plan.method}-{rules}", lambda: jobs)


def of_family(game: Game) -> Iterator[Purpose]:
    """Yields all that is compiled of a family; what plays by its own map comes first. A purpose may come again."""
    from emubot.games.protocol import Compiled, Measurable

    if isinstance(game, Compiled):
        yield from _of_maps(game)
        yield self_play(game)
    if isinstance(game, Measurable):
        yield from _of_trials(game, game)
        yield from _of_methods(game)


def by_map(ram_map: RamMap) -> Iterator[Purpose]:
    """Yields play by a map, as its file has it and as it is for each cartridge that it lists."""
    from emubot.games import open_edition

    each = [ram_map, *(ram_map.for_identity(known.sha1) for known in ram_map.identities if known.sha1)]
    for one in each if ram_map.sha1 is None else [ram_map]:
        with suppress(EmubotError):  # whoever plays by it is told what is wrong
            yield play_by(open_edition(one))


def _of_maps(game: Game) -> Iterator[Purpose]:
    from emubot.rammap import valid_maps

    default = game.facts.default_map
    maps = [ram_map for ram_map in valid_maps() if ram_map.family == game.name]
    for ram_map in sorted(maps, key=lambda each: each.name != default):
        yield from by_map(ram_map)


def _of_trials(game: Game, measured: Measurable) -> Iterator[Purpose]:
    for rules in game.options.rule_sets:
        with suppress(UsageError):  # rules that need an option, such as a file of games
            yield trial_of(game, measured.trial(rules.sides, rules.names[0], {}))


def _of_methods(game: Game) -> Iterator[Purpose]:
    for plan in _plans(game):
        with suppress(EmubotError):  # a method that these games or this machine do not have
            for contest in (plan.contest, plan.last_contest):
                yield trial_of(game, contest.trial())
            yield method_of(plan)


def _plans(game: Game) -> Iterator[TrainingPlan]:
    """Yields the runs of `train` without options, and those of `td` by each kind of rules."""
    from emubot.games.recipes import Recipe
    from emubot.training import METHODS
    from emubot.training.methods import TD, TD_POINTS, method_for
    from emubot.training.plan import TrainingPlan
    from emubot.trials.evaluation.contest import Contest

    recipes = game.options.recipes()
    for method in METHODS:
        yield TrainingPlan(game.name, method, recipes.get(method, Recipe()))
    for rules in game.options.rule_sets:
        with suppress(UsageError):
            if method_for(TD, Contest(game.name, rules.sides, rules.names[0], {})) == TD_POINTS:
                recipe = replace(recipes.get(TD_POINTS, Recipe()), rules=rules.names[0])
                yield TrainingPlan(game.name, TD_POINTS, recipe)
