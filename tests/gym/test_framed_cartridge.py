"""On the demo cartridges of pairs and capsules, in a real core, frames are the same as in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import emubot
from emubot.errors import BridgeError, UsageError
from emubot.games.batch import Batch
from emubot.games.colours.batches import air
from emubot.games.colours.batches.field_frames import FieldFrames
from emubot.games.colours.batches.matching_frames import MatchingFramesBatch
from emubot.games.colours.batches.pairs_frames import PairsFramesBatch
from emubot.games.colours.worlds import MatchingWorld, PuyoWorld
from emubot.games.offers import FRAMES
from emubot.gym import Environment
from tests.bridges.cores import require_core
from tests.gym.test_environments import equal

pytestmark = pytest.mark.jit
DOWN = 9  # the action
GAMES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "pairs": ("FamicomPuyo", "puyo", {"colors": 4, "start_level": 15}),
    "pairs, long steps": ("FamicomPuyo", "puyo", {"reward": "chain", "colors": 4, "frame_skip": 3, "cap": 2000}),
    "capsules": ("Capsules", "capsules", {"stage": 20, "pace": "fast"}),
    "capsules, cells": ("Capsules", "capsules", {"reward": "cells", "pace": "fast", "frame_skip": 2, "cap": 3000}),
}


def environment(game: str, core: str = "fceumm", **more: Any) -> Any:
    name, demo, options = GAMES[game]
    options = {"actions": FRAMES, **options, **more}
    return Environment(name, rom=emubot.demo(demo), core=require_core(core), **options)


def beside(env: Any, game: str) -> Batch:
    """The game of an environment on a cartridge, which begins in this frame, in arrays."""
    name, _, options = GAMES[game]
    batch: Any
    if name == "Capsules":
        batch = MatchingFramesBatch(MatchingWorld(actions=FRAMES, **options), 1)
    else:
        batch = PairsFramesBatch(PuyoWorld(actions=FRAMES, **options), 1)
    batch.begin(np.ones(1, dtype=np.bool_), [0])
    console: Any = env._batch._console
    (generator,) = console.ram_map.reader(0).select(("generator",))(console._read())
    batch._play.own[0, air.GENERATOR] = generator
    batch.counters[0, -batch.parts :] = env._batch.counters[0, -batch.parts :]
    assert isinstance(batch, FieldFrames)
    return batch


def plays_as_the_arrays_do(game: str, core: str, frames: int) -> tuple[int, float, int]:
    """Compares each frame; returns the frames that clear, the rewards, and the games that were over."""
    env = environment(game, core)
    rng = np.random.default_rng(5)
    seen, _ = env.reset(seed=3)
    batch = beside(env, game)
    phase, ends, clearing, gained = env.counters.index("phase"), 0, 0, 0.0
    for step in range(frames // GAMES[game][2].get("frame_skip", 1)):
        assert seen["counters"].tolist() == batch.counters[0].tolist(), f"step {step}"
        assert (seen["board"] == batch.boards[0]).all(), f"step {step}"
        action = DOWN if rng.random() < 0.5 else int(rng.integers(12))
        seen, reward, ended, cut, _ = env.step(action)
        batch.step(np.array([action]))
        said = (float(batch.rewards[0]), bool(batch.ended[0]), bool(batch.cut[0]))
        assert (reward, ended, cut) == said, f"step {step}"
        clearing, gained = clearing + int(seen["counters"][phase] == 2), gained + reward
        if ended or cut:
            ends += 1
            seen, _ = env.reset()
            batch = beside(env, game)
    env.close()
    return clearing, gained, ends


@pytest.mark.parametrize("game", ["pairs", "capsules"])
def test_the_demo_plays_as_the_arrays_do(game: str) -> None:
    clearing, _, ends = plays_as_the_arrays_do(game, "fceumm", 2500)
    assert min(clearing, ends) > 0


@pytest.mark.slow
@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
@pytest.mark.parametrize("game", GAMES)
def test_the_demo_plays_long_as_the_arrays_do(game: str, core: str) -> None:
    clearing, gained, ends = plays_as_the_arrays_do(game, core, 30_000)
    assert min(clearing, gained, ends) > 0


@pytest.mark.parametrize("game", ["pairs", "capsules"])
def test_gymnasium_finds_no_fault_and_a_seed_gives_the_same_game(game: str) -> None:
    games = [environment(game) for _ in range(2)]
    check_env(games[0], skip_render_check=True)
    first = [env.reset(seed=8)[0] for env in games]
    assert equal(*first)
    shown = [[env.step(action % 12)[0] for action in range(200)] for env in games]
    assert all(map(equal, *shown))
    for env in games:
        env.close()


def test_a_game_that_is_left_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    env = environment("pairs")
    env.reset(seed=1)
    console = env._batch._console
    monkeypatch.setattr(console, "step", lambda pad: bytes(console.ram_map.image_size))
    with pytest.raises(BridgeError, match="left the game: it is in 'title'"):
        env.step(0)
    env.close()


@pytest.mark.parametrize(
    ("game", "more", "sentence"),
    [
        ("pairs", {"rules": "tsu"}, "and not of puyo by tsu"),
        ("pairs", {"gravity": 4}, "has its own gravity"),
        ("capsules", {"rules": "columns"}, "and not of matching by columns"),
        ("capsules", {"colors": 4}, "offer no choice of colors"),
    ],
)
def test_what_the_cartridge_is_not_is_refused(game: str, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        environment(game, **more)
