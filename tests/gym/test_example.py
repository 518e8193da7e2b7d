"""The worked example compares the boards that its actions leave, and its network learns."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from emubot.gym import VectorEnvironment
from tests.paths import ROOT

pytestmark = pytest.mark.jit
FILE = ROOT / "docs" / "examples" / "learn_to_stack.py"


@pytest.fixture(name="example", scope="module")
def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn_to_stack", FILE)
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = importlib.util.module_from_spec(spec)
    sys.modules["learn_to_stack"] = module
    spec.loader.exec_module(module)
    return module


def test_the_boards_that_it_compares_are_those_that_its_actions_leave(example: Any) -> None:
    agent = example.Agent(0)
    games: Any = VectorEnvironment("TextbookTetris", 50)
    seen, info = games.reset(seed=4)
    rng, cleared = np.random.default_rng(0), 0
    for _ in range(60):
        boards, pieces = seen["board"].copy(), seen["counters"][:, example.PIECE].copy()
        lines = seen["counters"][:, 0].copy()
        after, gained, fits = agent.afterstates(boards, pieces)
        masks = info["action_mask"].astype(bool)
        action = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        over = games._batch.ended.copy()
        seen, *_, info = games.step(action)
        for game in np.flatnonzero(~over & ~games._batch.ended).tolist():
            assert fits[game, action[game]]
            assert (after[game, action[game]] == (seen["board"][game] != 0)).all()
            assert gained[game, action[game]] == seen["counters"][game, 0] - lines[game]
            cleared += int(gained[game, action[game]])
    assert cleared


def test_its_network_comes_to_the_targets(example: Any) -> None:
    agent, rng = example.Agent(1), np.random.default_rng(2)
    boards = rng.random((300, example.ROWS, example.COLUMNS)) < 0.3
    sights = agent.sight(boards)
    targets = sights @ rng.normal(size=sights.shape[1])
    errors = []
    for _ in range(600):
        errors.append(float(np.abs(agent.values(sights) - targets).mean()))
        agent.learn(sights, targets)
    assert errors[-1] < 0.2 * errors[0]
