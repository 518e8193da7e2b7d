"""Every environment passes Gymnasium's check with every option, repeats by its seed, and refuses what it has not."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from emubot.errors import UsageError
from emubot.games.declared import environments
from emubot.games.kinds import Choice
from emubot.games.options import options_of
from emubot.gym import Environment, VectorEnvironment, environment_names
from emubot.gym.shown import OBSERVATIONS, RENDER_MODES

STEPS = 400
NAMES = [name.removeprefix("emubot/").removesuffix("-v0") for name in environment_names()]
# Options of each environment that between them have every choice, beside the defaults.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "NESTetris": [
        {},
        {"start_level": 0, "frame_skip": 4, "reward": "lines", "cap": 1000},
        {"release": "nes-pal", "start_level": 29},
        {"actions": "placements", "start_level": 0},
        {"actions": "placements", "taps": "..X....", "reward": "lines", "cap": 20},
        {"actions": "placements", "taps": "das", "start_level": 29, "release": "nes-pal"},
    ],
    "TextbookTetris": [
        {},
        {"board": "4x4", "generator": "bag", "previews": 3, "reward": "points"},
        {"board": "16x40", "generator": "nes", "cap": 30},
    ],
    "FamicomPuyo": [
        {},
        {"rules": "tsu", "colors": 3, "reward": "chain", "cap": 40},
        {"gravity": 2, "taps": "12hz"},
        {"actions": "frames", "start_level": 15},
        {"actions": "frames", "rules": "tsu", "colors": 3, "reward": "chain", "frame_skip": 4, "cap": 300},
    ],
    "Capsules": [
        {},
        {"stage": 20, "colors": 4, "reward": "cells", "cap": 50},
        {"rules": "columns", "gravity": 3, "taps": "12hz", "reward": "cells"},
        {"actions": "frames", "pace": "fast"},
        {"actions": "frames", "stage": 20, "colors": 2, "reward": "cells", "pace": "slow", "cap": 300},
        {"actions": "frames", "rules": "columns", "frame_skip": 4, "reward": "cells"},
    ],
}
ALL = [(name, options) for name in NAMES for options in OPTIONS[name]]


def rolled(env: Any, seed: int, steps: int = STEPS) -> Iterator[tuple[Any, ...]]:
    """What an environment says with random actions."""
    env.action_space.seed(seed)
    yield env.reset(seed=seed)
    for _ in range(steps):
        observed, reward, ended, cut, info = env.step(env.action_space.sample())
        yield observed, reward, ended, cut, info
        if ended or cut:
            yield env.reset()


def equal(one: Any, other: Any) -> bool:
    """Whether two things that environments say are the same, byte by byte."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and one.tobytes() == other.tobytes())
    return type(one) is type(other) and bool(one == other)


def untried(name: str, options: list[dict[str, Any]]) -> list[str]:
    """The options of an environment of which these have not every choice."""
    return [
        option.name
        for option in options_of(environments()[name].values)
        if isinstance(option.kind, Choice)
        and {one.get(option.name, option.default) for one in options} != set(option.kind.words)
    ]


def test_the_options_tried_here_have_every_choice() -> None:
    for name in NAMES:
        assert untried(name, OPTIONS[name]) == [], name


@pytest.mark.parametrize(("name", "options"), ALL)
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_gymnasium_finds_no_fault(name: str, options: dict[str, Any], observation: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"emubot/{name}-v0", disable_env_checker=True, observation=observation, **options)
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["rgb_array", "ansi"])
def test_what_is_rendered_is_what_the_mode_says(name: str, mode: str) -> None:
    env: Any = gymnasium.make(f"emubot/{name}-v0", render_mode=mode, disable_env_checker=True).unwrapped
    observed, _ = env.reset(seed=1)
    shown: Any = env.render()
    rows, columns = observed["board"].shape
    if mode == "ansi":
        lines = shown.splitlines()
        assert [len(line) for line in lines[:rows]] == [columns + 5] * rows, "board, wall, room for a piece"
        assert shown.isascii()
        assert " ".join(lines[rows:]).startswith(env.get_wrapper_attr("counters")[0])
    else:
        assert (shown.dtype, shown.shape) == (np.uint8, (8 * rows, 8 * (columns + 5), 3))
        assert len(np.unique(shown.reshape(-1, 3), axis=0)) >= 4, "ground, wall and a piece, with edges"


@pytest.mark.parametrize(("name", "options"), ALL)
def test_a_seed_gives_the_same_bytes(name: str, options: dict[str, Any]) -> None:
    first, second = Environment(name, **options), Environment(name, **options)
    for number, (one, other) in enumerate(zip(rolled(first, 7), rolled(second, 7), strict=True)):
        assert equal(one, other), f"step {number}"
    assert not all(map(equal, rolled(first, 7), rolled(second, 8)))


@pytest.mark.parametrize(("name", "options"), ALL)
def test_games_beside_each_other_are_those_alone(name: str, options: dict[str, Any]) -> None:
    games, rng = 5, np.random.default_rng(3)
    many: Any = VectorEnvironment(name, games, **options)
    alone: list[Any] = [Environment(name, **options) for _ in range(games)]
    seen, _ = many.reset(seed=20)
    own = [env.reset(seed=20 + game)[0] for game, env in enumerate(alone)]
    over = [False] * games
    for step in range(150):
        for game in range(games):
            assert all(equal(seen[key][game], own[game][key]) for key in seen), f"game {game} before step {step}"
        actions = rng.integers(0, many.single_action_space.n, games)
        seen, rewards, ended, cut, info = many.step(actions)
        for game, env in enumerate(alone):
            if over[game]:  # it begins anew, whatever the action
                own[game], more = env.reset()
                said: tuple[Any, ...] = (0.0, False, False)
            else:
                own[game], *said, more = env.step(actions[game])
            assert (float(rewards[game]), bool(ended[game]), bool(cut[game])) == tuple(said)
            assert all(equal(info[key][game], more[key]) for key in info)
            over[game] = bool(said[1] or said[2])


def test_arrays_are_those_of_the_games_or_copies() -> None:
    for copies in (False, True):
        many: Any = VectorEnvironment("TextbookTetris", 3, copy=copies)
        before, _ = many.reset(seed=0)
        after, *_ = many.step(np.zeros(3, dtype=np.int64))
        assert np.shares_memory(before["board"], after["board"]) != copies
        assert before["board"].any() != copies, "without copies the step shows in the array of before"


@pytest.mark.parametrize(("name", "options"), ALL)
def test_a_copy_of_an_environment_goes_its_own_way(name: str, options: dict[str, Any]) -> None:
    """As a search takes them, to look at what may come."""
    env: Any = Environment(name, **options)
    env.reset(seed=2)
    copies = [copy.deepcopy(env), copy.deepcopy(env)]
    rng = np.random.default_rng(0)
    actions = rng.integers(env.action_space.n, size=60).tolist()
    said = [[one.step(action) for action in actions] for one in copies]
    assert all(map(equal, *said))
    assert all(map(equal, said[0], [env.step(action) for action in actions]))


def test_some_games_begin_anew_by_a_mask() -> None:
    many: Any = VectorEnvironment("TextbookTetris", 3)
    many.reset(seed=0)
    for _ in range(4):
        many.step(np.zeros(3, dtype=np.int64))
    seen, _ = many.reset(seed=[None, 9, None], options={"reset_mask": np.array([False, True, False])})
    assert seen["board"].any((1, 2)).tolist() == [True, False, True]
    alone: Any = Environment("TextbookTetris")
    assert equal(seen["counters"][1], alone.reset(seed=9)[0]["counters"])


@pytest.mark.parametrize("name", NAMES)
def test_an_action_that_there_is_not_changes_nothing(name: str) -> None:
    env: Any = Environment(name)
    first = env.reset(seed=4)[0]
    for action in (-1, int(env.action_space.n)):
        with pytest.raises(IndexError, match=f"Actions are 0 to {env.action_space.n - 1}, not {action}"):
            env.step(action)
    assert equal(env._observed(), first)
    many = VectorEnvironment(name, 2)
    many.reset(seed=4)
    before = many._batch.counters.copy()
    with pytest.raises(IndexError, match="Actions are"):
        many.step(np.array([0, -1]))
    assert equal(many._batch.counters, before), "nor does the game whose action there is"


def test_wrong_words_are_refused_in_a_sentence() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"name": "NESTetri"}, "no environment 'NESTetri'.*NESTetris"),
        (
            {"name": "NESTetris", "start_levels": 3},
            "no start_levels for the environment.*did you mean start_level",
        ),
        ({"name": "NESTetris", "start_level": 30}, "start_level of the environment NESTetris"),
        ({"name": "NESTetris", "actions": "placement"}, "actions of the environment NESTetris"),
        ({"name": "NESTetris", "actions": "placements", "taps": "13hz"}, "Taps cannot be '13hz'"),
        ({"name": "FamicomPuyo", "actions": "frames", "gravity": 2}, "By frames a game has its own gravity"),
        ({"name": "Capsules", "actions": "frames", "gravity": 2}, "By frames a game has its own gravity"),
        ({"name": "TextbookTetris", "board": "3x20"}, "--board is COLUMNSxROWS"),
        ({"name": "TextbookTetris", "observation": "pictures"}, "observation is board or picture.*picture"),
        ({"name": "TextbookTetris", "render_mode": "rgb"}, "render_mode is"),
    ]
    for words, sentence in cases:
        with pytest.raises(UsageError, match=sentence):
            Environment(**words)
        with pytest.raises(UsageError, match=sentence):
            VectorEnvironment(**words)
    with pytest.raises(UsageError, match="num_envs is 1 or more"):
        VectorEnvironment("TextbookTetris", 0)
    for made in (Environment("TextbookTetris"), VectorEnvironment("TextbookTetris", 2)):
        with pytest.raises(UsageError, match=r"call reset\(\) before step"):
            made.step(np.zeros(2, dtype=np.int64))
    many = VectorEnvironment("TextbookTetris", 2)
    with pytest.raises(UsageError, match="A seed and a reset_mask for each of 2 games"):
        many.reset(seed=[1, 2, 3])
    many.reset()
    with pytest.raises(UsageError, match="An action for each of 2 games"):
        many.step(np.zeros(3, dtype=np.int64))


def test_a_window_shows_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = Environment("TextbookTetris", render_mode="human")
    env.reset(seed=1)
    env.step(0)
    import pygame

    screen = pygame.display.get_surface()
    assert screen is not None
    assert screen.get_size() == (3 * 8 * 15, 3 * 8 * 20)
    assert screen.get_at((5, 5)) != screen.get_at((10 * 3 * 8 + 5, 5)), "the wall is not the ground"
    env.close()
    assert pygame.display.get_surface() is None


def test_without_the_packages_a_sentence_names_the_command() -> None:
    code = "import sys; sys.modules['gymnasium'] = None\nimport importlib.util as u\nu.find_spec = lambda name: None\n"
    code += "try:\n import emubot.gym\nexcept ImportError as error: print(error)"
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}, timeout=60
    ).stdout
    assert "Environments need gymnasium and pettingzoo (not installed): run:" in said


def test_all_modes_are_named() -> None:
    assert set(Environment.metadata["render_modes"]) == set(RENDER_MODES)
