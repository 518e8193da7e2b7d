"""`emubot train`: trains weights by self-play and saves each generation; contains no method itself."""

from __future__ import annotations

import argparse
import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emubot import games
from emubot.cli import actions, common
from emubot.cli.compiling import compile_training
from emubot.cli.game_options import add_rules, contest_of, epilog_of, parsed
from emubot.cli.progress import stopped_in_good_order
from emubot.cli.result import emit_json, reach
from emubot.errors import UsageError
from emubot.extras import CLUSTER
from emubot.text import nearest
from emubot.training import METHODS
from emubot.training.stops import stop_of

if TYPE_CHECKING:
    from emubot.training.plan import TrainingPlan

_DESCRIPTION = "Train weights by self-play. Each generation is saved, so the same command continues a stopped run."
_EPILOG = f"""\
{actions.listed("train")}

examples:
  emubot train tetris --method pso --out runs/pso --jobs 2          particle swarm, as published
  emubot train tetris --method cmaes --rules nes --stop-lines 230 --start nes_tetris --out runs/nes
  emubot train tetris --method td --rules nes --taps 12hz --stop-lines 230 --out runs/12hz
                                                                    the tables of nes_tetris for a tap rate
  emubot train puyo --method battle --out runs/battle --cluster tcp://scheduler:8786
  emubot train plot runs/pso runs/ga                                draw runs, and compare several
  emubot train watch runs/pso --individual 7                        watch an individual of the current generation play

Every method has a recipe (features, games per generation, number of generations). The options replace parts of it; see
docs/how-to/training.md. Results do not depend on --jobs or --cluster. Ctrl-C keeps all finished generations."""

_USUAL = (*("--method", "--out", "--resume", "--jobs", "--seed", "--minutes", "--generations", "--games", "--rules"),)


def run(words: list[str]) -> int:
    """Run `emubot train WORDS` and return the exit code."""
    if words[:1] == ["plot"]:
        from emubot.cli.train_plot import run as plot

        return plot(words[1:])
    if words[:1] == ["watch"]:
        from emubot.cli.train_watch import run as watch

        return watch(words[1:])
    if words and words[0] not in games.names() and (near := nearest(words[0], actions.names("train"))):
        raise UsageError(f"There is no game {words[0]!r}; did you mean emubot train {near}?")
    options = parsed(words, build_parser)
    common.set_up_logging(options.verbose, options.quiet)
    return _train(options)


def build_parser(family: str | None) -> common.Parser:
    """Returns the parser of `emubot train GAME` with the options of a family, or of all (None)."""
    made = common.parser("train", _DESCRIPTION, epilog_of("train", family, _EPILOG), _USUAL)
    made.add_argument("game", metavar="GAME", help=f"{', '.join(games.names())}; or plot, or watch")
    made.add_argument("--method", required=True, choices=METHODS, help="the training method")
    made.add_argument("--out", required=True, type=Path, metavar="DIR", help="the run's folder")
    made.add_argument("--resume", action="store_true", help="only continue; refuse to begin a new run")
    made.add_argument("--jobs", type=common.whole(1, 1024), default=1, metavar="N", help="processes (default 1)")
    made.add_argument(
        "--cluster", metavar="ADDRESS", help="use the workers of a dask scheduler (needs the extra cluster)"
    )
    made.add_argument(
        "--seed", type=common.whole(0), default=0, metavar="N", help="another seed gives another run (default 0)"
    )
    made.add_argument(
        "--minutes", type=common.whole(1), metavar="N", help="end after N minutes, with the current generation"
    )
    recipe = made.add_argument_group("changes to the recipe")
    recipe.add_argument("--generations", type=common.whole(0, 1_000_000), metavar="N", help="number of generations")
    recipe.add_argument("--games", type=common.whole(1), metavar="N", help="games of each candidate per generation")
    recipe.add_argument("--figure", metavar="NAME", help="the figure to train for, such as lines, score or win_rate")
    recipe.add_argument("--shape", choices=("mean", "log"), help="the mean of the figure, or of its logarithm")
    recipe.add_argument("--race", type=common.whole(0), metavar="ROUNDS", help="drop the worst early (0: no race)")
    recipe.add_argument("--features", metavar="A,B,...", help="names of features, or weights with these features")
    recipe.add_argument("--start", metavar="FILE|NAME", help="weights to start from (cmaes), or to add tables to (td)")
    recipe.add_argument(
        "--against", metavar="FILE|NAME", help="the opponent in the final games, for games of two players"
    )
    recipe.add_argument("--final-games", type=common.whole(4), metavar="N", help="final games of each favourite")
    recipe.add_argument(
        "--final", action="append", default=[], metavar="OPTION=VALUE", help="an option of the final games only"
    )
    recipe.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the method")
    common.add_json(made)
    add_rules(made, family, "train")
    return made


def _train(options: argparse.Namespace) -> int:
    from emubot.cli.training_progress import listener
    from emubot.training.folder import open_run
    from emubot.training.learning import LearningTrainer
    from emubot.training.run import train
    from emubot.trials.cluster import cluster
    from emubot.trials.executors import workers

    if options.cluster:
        CLUSTER.require()
    plan = plan_of(options)
    settings = plan.settings()
    trainer = plan.trainer()  # refuses invalid settings before any folder is made
    if options.jobs > 1 and isinstance(trainer, LearningTrainer) and len(trainer.episode_batches()) == 1:
        common.say("emubot: learning is one process here; the other --jobs only play the games that measure.")
    with (
        open_run(options.out, settings, lambda text: common.say(f"emubot: {text}"), options.resume) as folder,
        contextlib.ExitStack() as stack,
    ):
        compile_training(plan, options.quiet)
        if not options.quiet and (stop := stop_of(settings)):
            common.say(f"emubot: {stop}.")
        executor = stack.enter_context(cluster(options.cluster) if options.cluster else workers(options.jobs))
        heard = stack.enter_context(listener(plan.recipe.generations, options.quiet))
        stopping = stack.enter_context(stopped_in_good_order(options.quiet, "ending; what is finished is kept"))
        try:
            weights = train(
                plan.trainer,
                folder,
                executor,
                plan.recipe.generations,
                None if options.cluster else 2 * options.jobs,
                options.minutes,
                stopping,
                heard,
            )
        finally:
            checkpoint = folder.checkpoint
            reached = {"generations": checkpoint.generation if checkpoint else 0, "settings": settings}
            reach(reached)
    path = options.out / "weights.json"
    provenance = trainer.provenance_of(weights)
    results = [result.model_dump(mode="json") for result in provenance.results]
    if options.json:
        emit_json({"out": str(path), **reached, "results": results})
    else:
        for result in provenance.results:
            print(
                f"{result.figure} {result.mean:,.2f} ({result.low95:,.2f} to {result.high95:,.2f}): {result.settings}"
            )
        print(f"{path} is what came out.")
    return 0


def plan_of(options: argparse.Namespace) -> TrainingPlan:
    """Returns the method's recipe, changed by the options. Raises UsageError."""
    from dataclasses import replace

    from emubot.games import game
    from emubot.games.recipes import Recipe
    from emubot.training.methods import TD_POINTS, method_for
    from emubot.training.plan import TrainingPlan, overridden

    contest = contest_of(options, 1)
    method = options.method if contest.rules is None else method_for(options.method, contest)
    recipe = game(options.game).options.recipes().get(method, Recipe())
    if method == TD_POINTS:
        recipe = replace(recipe, rules=contest.rules)
    elif _plays_others(TrainingPlan(options.game, method, recipe), contest.rules, options.figure):
        # Other games have other options, and another length.
        plain = Recipe()
        counts = {name: getattr(plain, name) for name in ("games", "race", "portion", "final_games")}
        recipe = replace(recipe, rules=contest.rules or recipe.rules, options={}, final={}, **counts)
    last = {
        name: value for name, value in overridden(recipe.final, contest.options).items() if name not in contest.options
    }
    recipe = replace(recipe, options=overridden(recipe.options, contest.options), final=last)
    given = ("generations", "games", "figure", "shape", "race", "start", "against", "final_games")
    changes: dict[str, Any] = {name: getattr(options, name) for name in given if getattr(options, name) is not None}
    if options.features is not None:
        named = "," in options.features or options.features in game(options.game).facts.feature_names
        changes |= {
            "features": tuple(options.features.split(",")) if named else (),
            "like": None if named else options.features,
        }
    hyper, final = _pairs(options.set, "--set"), _pairs(options.final, "--final")
    changes |= {"hyper": {**recipe.hyper, **hyper}, "final": overridden(recipe.final, final)}
    if "budget_ms" in recipe.options or "budget_ms" in changes["final"]:
        raise UsageError("Games by the clock do not repeat, so no run learns from them: leave out --budget-ms.")
    return TrainingPlan(options.game, method, replace(recipe, **changes), options.seed)


def _plays_others(plan: TrainingPlan, rules: str | None, figure: str | None) -> bool:
    """Returns whether games by these rules, or for this figure, are others than those of a plan."""
    from emubot.training.fitness import WIN_RATE

    if rules is not None and not _same_rules(plan, rules):
        return True
    battles = (one for one in games.game(plan.game).options.rule_sets if one.sides == 2)
    read = {option.name for one in battles for option in one.options}
    return figure == WIN_RATE and not read.issuperset(plan.recipe.options)


def _same_rules(plan: TrainingPlan, rules: str) -> bool:
    """Returns whether a plan is for these rules, perhaps under another name."""
    from dataclasses import replace

    other = replace(plan, recipe=replace(plan.recipe, rules=rules))
    try:
        found = [replace(one.contest, options={}).trial().settings["rules"] for one in (plan, other)]
    except UsageError:  # there are no such rules; the contest reports that later
        return False
    return bool(found[0] == found[1])


def _pairs(given: list[str], option: str) -> dict[str, Any]:
    """Returns the values of NAME=VALUE by name: numbers, true, false or words. Raises UsageError for another form."""
    found: dict[str, Any] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"{option} takes NAME=VALUE, not {pair!r}.")
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        found[name.replace("-", "_")] = value if isinstance(value, bool | int | float) else text
    return found
