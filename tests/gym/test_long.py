"""A million steps of random actions in each environment: the same seed gives the same bytes."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from emubot.gym import VectorEnvironment
from tests.gym.test_environments import ALL

GAMES, STEPS = 1000, 1000


def digest(name: str, options: dict[str, Any]) -> str:
    games: Any = VectorEnvironment(name, GAMES, **options)
    games.reset(seed=5)
    rng, total = np.random.default_rng(5), hashlib.sha256()
    for _ in range(STEPS):
        seen, *results, info = games.step(rng.integers(games.single_action_space.n, size=GAMES))
        for array in (*seen.values(), *results, *info.values()):
            total.update(array.tobytes())
    return total.hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), ALL)
def test_a_million_steps_repeat_byte_by_byte(name: str, options: dict[str, Any]) -> None:
    assert digest(name, options) == digest(name, options)
