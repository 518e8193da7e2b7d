"""A family of another package has its environments beside ours, with no word about it elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from docs.draw_options import environment_tables
from emubot.errors import UsageError
from emubot.gym import Environment, environment_names
from emubot.gym.registered import register
from tests.games.test_third_family import install


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install(tmp_path, monkeypatch, "tests.games.toy_family.family:GAME")
    register()
    yield
    del gymnasium.registry["emubot/Numbers-v0"]


@pytest.mark.parametrize("observation", ["board", "picture"])
def test_it_passes_gymnasiums_check(observation: str) -> None:
    assert "emubot/Numbers-v0" in environment_names()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make("emubot/Numbers-v0", disable_env_checker=True, digits=2, observation=observation)
        check_env(made.unwrapped, skip_render_check=True)


def test_many_of_them_are_played_beside_each_other() -> None:
    games: Any = gymnasium.make_vec("emubot/Numbers-v0", num_envs=3, digits=1, render_mode="ansi")
    games.reset(seed=1)
    for _ in range(3):
        _, rewards, *_ = games.step([0, 1, 2])
    assert rewards.tolist() == [1.0, 1.0, 1.0], "three alike vanish"
    assert games.render()[0].splitlines()[0] == ".....|1..."


def test_its_options_are_its_own() -> None:
    with pytest.raises(UsageError, match="digits of the environment Numbers is a whole number from 1 to 3"):
        Environment("Numbers", digits=4)
    table = "\n".join(environment_tables(["numbers"]))
    assert "`emubot/Numbers-v0`: numbers, a drop a step." in table
    assert "| `digits` | different numbers that come | 1 to 3; default 3 |" in table
