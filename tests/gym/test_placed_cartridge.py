"""On the demo cartridges, in a real core, environments of placements are the same as in arrays, lock by lock."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import emubot
from emubot.errors import BridgeError, UsageError
from emubot.games.placing import PlacedGame
from emubot.gym import Environment
from tests.bridges.cores import require_core
from tests.gym.test_environments import equal

pytestmark = pytest.mark.jit
GAMES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "blocks": ("NESTetris", "tetris", {"actions": "placements", "start_level": 9, "taps": "12hz"}),
    "pairs": ("FamicomPuyo", "puyo", {"colors": 4}),
    "capsules": ("Capsules", "capsules", {"stage": 1}),
}


def environment(game: str, core: str = "fceumm", **more: Any) -> Any:
    name, demo, options = GAMES[game]
    return Environment(name, rom=emubot.demo(demo), core=require_core(core), **{**options, **more})


def masks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[NDArray[np.int8], NDArray[np.int8]]]:
    """What the arrays allow and what the cartridge does, of each piece that is shown from now on but a game's first."""
    found: list[tuple[NDArray[np.int8], NDArray[np.int8]]] = []
    show = PlacedGame._show

    def noted(self: PlacedGame) -> None:
        before = self.mask[0].copy()
        show(self)
        names = [counter.name for counter in self.numbers]
        locked = self.counters[0, names.index("pairs" if "pairs" in names else "pieces")]
        if locked and not self.ended[0]:
            found.append((before, self.mask[0].copy()))

    monkeypatch.setattr(PlacedGame, "_show", noted)
    return found


def best(env: Any) -> int:
    """The action that the bot would take."""
    player = env._batch._player
    placement = player._thinker.decide(player.snapshot, player._steering.input_state()).placement
    action = env._batch._model.action_of((placement.orientation, placement.column, placement.row))
    return int(action) if action in env._batch._index else int(np.flatnonzero(env._batch.mask[0])[0])


def played(env: Any, pieces: int, seed: int) -> dict[str, int]:
    """Play so many pieces, in new games as needed; each step proves the boards. Returns the counters, summed up."""
    seen, _ = env.reset(seed=seed)
    sums = dict.fromkeys(env.counters, 0)
    for _ in range(pieces):
        seen, _, ended, cut, info = env.step(best(env))
        assert info["action_mask"].sum() > 0 or ended
        if ended or cut:
            for name, number in zip(env.counters, seen["counters"].tolist(), strict=True):
                sums[name] += number
            seen, _ = env.reset()
    return {name: sums[name] + number for name, number in zip(env.counters, seen["counters"].tolist(), strict=True)}


@pytest.mark.parametrize("game", GAMES)
def test_the_demo_plays_placements_as_the_arrays_do(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lasting(game, "fceumm", 30, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
@pytest.mark.parametrize("game", GAMES)
def test_the_demo_plays_many_placements_as_the_arrays_do(game: str, core: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lasting(game, core, 400, monkeypatch)


def lasting(game: str, core: str, pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = masks(monkeypatch)
    env = environment(game, core)
    sums = played(env, pieces, seed=4)
    env.close()
    vanished = {"blocks": "lines", "pairs": "score", "capsules": "cells"}[game]
    assert sums[vanished] > 0, "something vanished"
    assert len(allowed) > pieces / 2
    for arrays, cartridge in allowed:
        if game == "blocks":
            assert arrays.tolist() == cartridge.tolist(), "the same placements are within reach"
        elif arrays[:6].all():  # without gravity the arrays reach every column, where no stack is in the way
            assert (cartridge <= arrays).all()


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_finds_no_fault_and_a_seed_gives_the_same_game(game: str) -> None:
    games = [environment(game) for _ in range(2)]
    check_env(games[0], skip_render_check=True)
    first = [env.reset(seed=8)[0] for env in games]
    assert equal(*first)
    again = [env.step(int(np.flatnonzero(env._batch.mask[0])[3]))[0] for env in games]
    assert equal(*again)
    for env in games:
        env.close()


def test_a_board_that_is_not_by_the_rules_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    env = environment("pairs")
    env.reset(seed=1)
    monkeypatch.setattr(type(env._batch._model), "is_shown", lambda self, snapshot: False)
    with pytest.raises(BridgeError, match="not what the rules of the environment make of its pieces"):
        env.step(best(env))
    env.close()


@pytest.mark.parametrize(
    ("game", "more", "sentence"),
    [
        ("pairs", {"rules": "tsu"}, "and not of puyo by tsu"),
        ("pairs", {"gravity": 4}, "has its own gravity"),
        ("capsules", {"rules": "columns"}, "and not of matching by columns"),
        ("blocks", {"release": "nes-pal"}, "the release nes-ntsc, not nes-pal"),
    ],
)
def test_what_the_cartridge_is_not_is_refused(game: str, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        environment(game, **more)
