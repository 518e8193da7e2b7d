"""A million steps of random actions in each environment: the same seed gives the same bytes."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from emubot.gym import VectorEnvironment
from emubot.gym.registered import MATCH, open_batch
from tests.gym.test_environments import ALL
from tests.gym.test_parallel import ALL as MATCHES

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


def digest_of_matches(name: str, options: dict[str, Any]) -> str:
    """The same of matches, by the arrays that they are played in."""
    batch = open_batch(name, GAMES, options, MATCH)
    batch.begin(np.ones(GAMES, dtype=np.bool_), [seat // MATCH for seat in range(GAMES)])
    rng, total = np.random.default_rng(5), hashlib.sha256()
    for _ in range(STEPS):
        batch.step(rng.integers(len(batch.actions), size=GAMES))
        for array in (batch.boards, batch.counters, batch.mask, batch.rewards, batch.ended, batch.cut):
            total.update(array.tobytes())
    return total.hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_a_million_steps_of_matches_repeat_byte_by_byte(name: str, options: dict[str, Any]) -> None:
    assert digest_of_matches(name, options) == digest_of_matches(name, options)
