"""On the demo cartridge, in a real core, an environment is the same as in arrays, frame by frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import emubot
from emubot.errors import EmubotError, RomError, UsageError
from emubot.games.tetris.batches.frames import FramesBatch, show
from emubot.games.tetris.worlds import NesWorld
from emubot.gym import Environment
from tests.bridges.cores import require_core
from tests.gym.test_environments import equal

pytestmark = pytest.mark.jit
DOWN = 9  # the action


def beside(env: Any, world: NesWorld) -> FramesBatch:
    """The game of an environment on a cartridge, in arrays from this frame on."""
    batch = FramesBatch(world, 1)
    batch.begin(np.ones(1, dtype=np.bool_), [0])
    play = env._batch._play
    batch._play.states[:], batch._play.pages[:] = play.states, play.pages
    show(batch._play, batch._shown)
    return batch


def plays_as_the_arrays_do(core: str, options: dict[str, Any], frames: int) -> tuple[int, int]:
    """Compares each frame; returns the locks and the games that were over."""
    env: Any = Environment("NESTetris", rom=emubot.demo("tetris"), core=require_core(core), **options)
    rng = np.random.default_rng(5)
    seen, _ = env.reset(seed=int(rng.integers(100)))
    batch = beside(env, NesWorld(**options))
    ends = locks = 0
    for step in range(frames // options.get("frame_skip", 1)):
        assert (seen["board"] == batch.boards[0]).all(), f"step {step}"
        assert seen["counters"].tolist() == batch.counters[0].tolist(), f"step {step}"
        action = DOWN if rng.random() < 0.6 else int(rng.integers(12))
        seen, reward, ended, cut, _ = env.step(action)
        batch.step(np.array([action]))
        locks += seen["counters"][env.counters.index("play_state")] == 2
        said = (float(batch.rewards[0]), bool(batch.ended[0]), bool(batch.cut[0]))
        assert (reward, ended, cut) == said, f"step {step}"
        if ended or cut:
            ends += 1
            seen, _ = env.reset()
            batch = beside(env, NesWorld(**options))
    env.close()
    return locks, ends


def test_the_demo_plays_as_the_arrays_do() -> None:
    locks, ends = plays_as_the_arrays_do("fceumm", {"start_level": 19}, 1500)
    assert min(locks, ends) > 0


@pytest.mark.slow
@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
@pytest.mark.parametrize(
    "options",
    [
        {"start_level": 0},
        {"start_level": 19, "frame_skip": 3, "reward": "lines", "cap": 900},
        {"start_level": 9, "reward": "points"},
    ],
    ids=str,
)
def test_the_demo_plays_long_as_the_arrays_do(core: str, options: dict[str, Any]) -> None:
    locks, ends = plays_as_the_arrays_do(core, options, 20_000)
    assert min(locks, ends) > 0


def test_gymnasium_finds_no_fault_and_a_seed_gives_the_same_game() -> None:
    core = require_core("fceumm")
    games: list[Any] = [Environment("NESTetris", rom=emubot.demo("tetris"), core=core) for _ in range(2)]
    check_env(games[0], skip_render_check=True)
    first = [env.reset(seed=8)[0] for env in games]
    assert equal(*first)
    second = [env.reset()[0] for env in games]
    assert equal(*second)
    assert not equal(first[0], second[0]), "the seed draws the waits of later games, too"
    for env in games:
        env.close()


def test_what_cannot_be_played_on_a_cartridge_is_refused(tmp_path: Path) -> None:
    core, demo = require_core("fceumm"), emubot.demo("tetris")
    cases: list[tuple[dict[str, Any], type[EmubotError], str]] = [
        ({"name": "TextbookTetris", "rom": demo}, UsageError, "TextbookTetris is on no cartridge"),
        ({"name": "NESTetris", "core": core}, UsageError, "A core needs a cartridge"),
        ({"name": "NESTetris", "rom": demo, "release": "nes-pal"}, UsageError, "of the release nes-ntsc, not nes-pal"),
        ({"name": "NESTetris", "rom": emubot.demo("puyo")}, UsageError, "no game of falling blocks"),
        ({"name": "NESTetris", "rom": demo, "start_level": 40}, UsageError, "start_level of the environment"),
        ({"name": "NESTetris", "rom": tmp_path / "no.nes"}, EmubotError, r"no\.nes"),
    ]
    for words, error, sentence in cases:
        with pytest.raises(error, match=sentence):
            Environment(**({"core": core} | words))
    strange = tmp_path / "strange.nes"
    image = bytearray(Path(demo).read_bytes())
    image[-1] ^= 1
    strange.write_bytes(image)
    with pytest.raises(RomError, match="is not known"):
        Environment("NESTetris", rom=strange, core=core)
