"""A run's plan: every recipe can be run, says all it decides, and comes back from what it says."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from emubot.errors import CheckpointError, UsageError, WeightsError
from emubot.games import game, names
from emubot.games.recipes import Recipe
from emubot.training.methods import LEARNERS, POPULATIONS, settings_of
from emubot.training.plan import TrainingPlan
from tests.paths import ROOT

METHODS = [*POPULATIONS, *LEARNERS]
NEEDED = {"cmaes": "cma", "dqn": "sklearn"}  # libraries that not everybody has


RECIPES = [(name, method) for name in names() for method in game(name).options.recipes()]


def recipe_of(name: str, method: str) -> Recipe:
    return game(name).options.recipes()[method]


@pytest.mark.parametrize(("name", "method"), RECIPES)
def test_every_recipe_can_be_run_and_says_all_it_decides(name: str, method: str) -> None:
    if method in NEEDED:
        pytest.importorskip(NEEDED[method])
    plan = TrainingPlan(name, method, recipe_of(name, method), seed=3)
    settings = plan.settings()
    assert json.loads(json.dumps(settings))["hyper"].keys() == settings["hyper"].keys()
    trainer = plan.trainer()
    assert sum(task.games for task in trainer.ask()) > 0
    assert set(plan.names) <= set(game(name).facts.feature_names)
    again = TrainingPlan.of(json.loads(json.dumps(settings)))
    assert json.dumps(again.settings()) == json.dumps(settings)
    assert again.trainer(trainer.state()).individuals() == trainer.individuals()


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("method",), "magic"),
        (("method",), ["ga"]),
        (("game",), 7),
        (("seed",), -1),
        (("seed",), "7"),
        (("recipe", "against"), 3),
        (("recipe", "features"), [None]),
        (("recipe", "asked"), 8),
        (("recipe", "games"), 2.5),
        (("recipe", "unheard_of"), 1),
        (("recipe", "asked", "board"), json.loads("[" * 900 + "]" * 900)),
        (("recipe",), []),
    ],
)
def test_settings_that_no_plan_has_are_refused(place: tuple[str, ...], value: object) -> None:
    """As they may stand in a checkpoint that somebody made."""
    settings = json.loads(json.dumps(TrainingPlan("tetris", "ga", recipe_of("tetris", "ga")).settings()))
    holder = settings
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    with pytest.raises(CheckpointError, match="not the settings of a run"):
        TrainingPlan.of(settings)


def test_every_method_has_a_recipe_for_falling_blocks() -> None:
    assert {method for name, method in RECIPES if name == "tetris"} == set(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_the_guide_tells_every_setting_with_its_default(method: str) -> None:
    guide = (ROOT / "docs" / "how-to" / "training.md").read_text(encoding="utf-8")
    (row,) = [
        line for line in guide.split("## Settings of the methods")[1].splitlines() if line.startswith(f"| `{method}`")
    ]
    told = [field for field in fields(settings_of(method)) if field.name not in ("start", "scales")]
    for field in told:
        default = ",".join(map(str, field.default)) if isinstance(field.default, tuple) else f"{field.default:g}"
        assert f"`{field.name}` {default}" in row
    assert row.count("`") == 2 * (1 + len(told))


def test_how_many_generations_is_no_setting() -> None:
    recipe = recipe_of("tetris", "ga")
    more = TrainingPlan("tetris", "ga", replace(recipe, generations=recipe.generations + 7))
    assert more.settings() == TrainingPlan("tetris", "ga", recipe).settings()


@pytest.mark.parametrize("method", ["ga", "td"])
def test_what_is_told_at_the_end_is_never_a_logarithm(method: str) -> None:
    trainer = TrainingPlan("tetris", method, replace(recipe_of("tetris", method), shape="log")).trainer()
    assert trainer.fitness.shape == "log"
    assert trainer.final_fitness.shape == "mean"


def test_whoever_cannot_play_the_last_games_is_refused_before_the_first() -> None:
    recipe = replace(recipe_of("tetris", "ga-rank"), against="reference")
    with pytest.raises(WeightsError, match="for puyo, not for tetris"):
        TrainingPlan("tetris", "ga-rank", recipe).trainer()
    recipe = replace(recipe_of("tetris", "td"), options={"board": "4x6"}, final={"board": "5x6"})
    with pytest.raises(WeightsError, match="tables of a board of 4x6, not of 5x6"):
        TrainingPlan("tetris", "td", recipe).trainer()


def test_a_start_is_scaled_by_its_own_values() -> None:
    pytest.importorskip("cma")
    recipe = Recipe(rules="textbook", features=("holes", "eroded_cells", "bumpiness"), start="dt10")
    hyper = TrainingPlan("tetris", "cmaes", recipe).settings()["hyper"]
    assert hyper["start"] == (0.95, 2.42, 0.0)
    assert hyper["scales"] == pytest.approx((0.95, 2.42, (0.95 + 2.42) / 3)), "of what weighs nothing, the mean"


@pytest.mark.parametrize(
    ("method", "changes", "said"),
    [
        ("ga", {"start": "dt10"}, "no vector to start from"),
        ("cmaes", {"start": "lowest", "features": ("holes",)}, "lowest weigh none of holes"),
        ("cmaes", {"hyper": {"start": 3}}, "has no setting 'start'"),
        ("ga", {"hyper": {"population": 2.5}}, "population of ga is a whole number, not 2.5"),
        ("ga", {"hyper": {"low": True}}, "low of ga is a number, not True"),
        ("dqn", {"hyper": {"hidden": "many"}}, "hidden of dqn is whole numbers such as 32,32, not 'many'"),
        ("ga", {"features": ("luck",)}, "tetris has no feature 'luck'"),
        ("ga", {"features": ("holes", "holes")}, "feature holes is named twice"),
        ("dqn", {"hyper": {"hidden": "256,256"}}, "20,000 weights is the largest"),
    ],
)
def test_what_cannot_be_planned(method: str, changes: dict[str, object], said: str) -> None:
    recipe = replace(recipe_of("tetris", method), **{"start": None, **changes})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=said):
        TrainingPlan("tetris", method, recipe).settings()
