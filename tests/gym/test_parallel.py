"""Matches pass PettingZoo's check with every option, repeat by their seed, and refuse what they have not."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pettingzoo
import pytest

from emubot.errors import UsageError
from emubot.gym import Environment, ParallelEnvironment, match_names
from emubot.gym.parallel import PLAYERS
from emubot.gym.shown import OBSERVATIONS
from tests.gym.test_environments import equal, untried

NAMES = [name.removeprefix("emubot/").removesuffix("-v0") for name in match_names()]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "FamicomPuyoMatch": [
        {},
        {"rules": "tsu", "colors": 2, "reward": "points", "cap": 40},
        {"gravity": 2, "taps": "12hz"},
        {"actions": "frames", "start_level": 15},
        {"actions": "frames", "rules": "tsu", "colors": 2, "reward": "points", "frame_skip": 4, "cap": 600},
    ]
}
ALL = [(name, options) for name in NAMES for options in OPTIONS[name]]


def rolled(name: str, options: dict[str, Any], seed: int, steps: int = 300) -> Iterator[Any]:
    """What a match says with random actions."""
    match: Any = ParallelEnvironment(name, **options)
    rng = np.random.default_rng(seed)
    yield match.reset(seed=seed)
    for _ in range(steps):
        if not match.agents:
            yield match.reset()
        yield match.step({player: rng.integers(match.action_space(player).n) for player in PLAYERS})


def test_the_options_tried_here_have_every_choice() -> None:
    for name in NAMES:
        assert untried(name, OPTIONS[name]) == [], name


@pytest.mark.parametrize(("name", "options"), ALL)
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_pettingzoo_finds_no_fault(name: str, options: dict[str, Any], observation: str) -> None:
    pytest.importorskip("pygame")  # PettingZoo's check imports a game of its own that draws
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test.parallel_test import parallel_api_test
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        match = pettingzoo.make("parallel", f"emubot/{name}-v0", observation=observation, **options)
        parallel_api_test(match, 500)


@pytest.mark.parametrize(("name", "options"), ALL)
def test_a_seed_gives_the_same_bytes(name: str, options: dict[str, Any]) -> None:
    assert all(map(equal, rolled(name, options, 7), rolled(name, options, 7)))
    assert not all(map(equal, rolled(name, options, 7), rolled(name, options, 8)))


@pytest.mark.parametrize("name", NAMES)
def test_each_player_sees_the_own_board_and_the_others(name: str) -> None:
    match: Any = ParallelEnvironment(name, render_mode="rgb_array")
    match.reset(seed=2)
    for _ in range(4):
        seen, *_ = match.step({"player_1": 0, "player_2": 4})
    one, two = (seen[player] for player in PLAYERS)
    assert not equal(one["board"], two["board"])
    assert equal(one["board"], two["opponent"])
    assert equal(two["board"], one["opponent"])
    assert match.observation_space("player_1").contains(one)
    half = match.render().shape[1] // 2
    pictures: Any = ParallelEnvironment(name, observation="picture")
    pictures.reset(seed=2)
    for _ in range(4):
        shown, *_ = pictures.step({"player_1": 0, "player_2": 4})
    assert (shown["player_1"] == match.render()).all()
    assert (shown["player_1"][:, :half] == shown["player_2"][:, half:]).all()


def test_matches_are_told_in_text_and_shown_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    match = ParallelEnvironment("FamicomPuyoMatch", render_mode="ansi")
    match.reset(seed=0)
    assert [line for line in match.render().splitlines() if line.startswith("player")] == [*PLAYERS]
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    watched = ParallelEnvironment("FamicomPuyoMatch", render_mode="human")
    watched.reset(seed=0)
    import pygame

    screen = pygame.display.get_surface()
    assert screen is not None
    assert screen.get_width() == 3 * 8 * 2 * (6 + 5)
    watched.close()
    assert pygame.display.get_surface() is None


def test_wrong_words_are_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"FamicomPuyoMatch is for 2 players: make it with pettingzoo\.make"):
        Environment("FamicomPuyoMatch")
    with pytest.raises(UsageError, match=r"FamicomPuyo is for 1 player: make it with gymnasium\.make"):
        ParallelEnvironment("FamicomPuyo")
    with pytest.raises(UsageError, match=r"no environment 'FamicomPuyoMatsh' .did you mean FamicomPuyoMatch"):
        ParallelEnvironment("FamicomPuyoMatsh")
    with pytest.raises(UsageError, match="render_mode is human"):
        ParallelEnvironment("FamicomPuyoMatch", render_mode="rgb")
    match = ParallelEnvironment("FamicomPuyoMatch")
    with pytest.raises(UsageError, match=r"No match is on: call reset\(\)"):
        match.step({})
    before = match.reset(seed=1)[0]
    with pytest.raises(UsageError, match="there is no action of player_2"):
        match.step({"player_1": 0})
    with pytest.raises(IndexError, match="Actions are 0 to 23, not 0 to 24"):
        match.step({"player_1": 0, "player_2": 24})
    assert equal(match._observed(), before)
