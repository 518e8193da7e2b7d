"""Several threads find what one finds, board for board, whatever the others are doing meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emubot.games.tetris.board.board import BOARD_ROWS, FULL_ROW, Rows
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC, SPAWN_ORIENTATION
from emubot.games.tetris.search import helpers
from emubot.games.tetris.search.chance import _borrowed, _lend
from emubot.games.tetris.search.engine import Engine, engine_for
from emubot.games.tetris.search.expectimax import search_deeply
from emubot.games.tetris.search.helpers import Helpers
from emubot.games.tetris.search.plies import SHARED
from emubot.games.tetris.search.search import Position, Search
from emubot.tempo import parse_taps
from emubot.weights import load_weights

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("helpers")]
WEIGHTS, TEMPO = load_weights("nes_tetris"), parse_taps("12hz")


def engine(nodes: int) -> Engine:
    return engine_for(WEIGHTS, TEMPO, NES_NTSC, nodes, 230)


def boards(count: int) -> list[tuple[Rows, int, int, int, int]]:
    """Boards of play: a ragged stack beside a well, two pieces, lines and level; some after the tables' game."""
    rng, found = np.random.default_rng(5), []
    for number in range(count):
        rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
        for column in range(9):
            rows[BOARD_ROWS - int(rng.integers(2, 7)) :] |= 1 << column
        rows[BOARD_ROWS - 1] = FULL_ROW ^ 0x200 ^ (1 << int(rng.integers(9)))
        lines = int(rng.choice([0, 125, 229, 300]))
        level = 18 if lines < 130 else 8 + lines // 10
        found.append((rows, int(rng.integers(7)), -1 if number == 0 else int(rng.integers(7)), lines, level))
    return found


def rankings(search: Search, count: int) -> list[tuple[Any, ...]]:
    found = []
    for rows, piece, following, lines, level in boards(count):
        start = Start(int(SPAWN_ORIENTATION[piece]))
        shown = None if following < 0 else int(SPAWN_ORIENTATION[following])
        ranking = search.ranking(Position(rows, start, shown, level, lines))
        found.append((ranking.places.tolist(), ranking.values.tolist(), ranking.nodes))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("nodes", "count"), [(2_000, 6), (60_000, 6), (150_000, 3)])
@pytest.mark.parametrize("threads", [2, 4])
def test_the_same_is_found(nodes: int, count: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "LEAST_BUDGET", 0)
    alone = Search(engine(nodes), TEMPO, NES_NTSC)
    together = Search(engine(nodes), TEMPO, NES_NTSC, Helpers([engine(nodes) for _ in range(threads - 1)]))
    assert rankings(together, count) == rankings(alone, count)


def test_what_the_others_found_is_used_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search waits until the others are through: then it values nothing deeper itself, and says the same."""
    monkeypatch.setattr(helpers, "LEAST_BUDGET", 0)
    deeply: Callable[..., tuple[int, int]] = search_deeply
    lent = []

    def late(*words: Any) -> tuple[int, int]:
        look = words[-2]
        for _ in range(2_000):
            before = int(np.count_nonzero(look.shared.checks))
            time.sleep(0.02)
            if 0 < before == np.count_nonzero(look.shared.checks):
                break
        lent.append(before)
        return deeply(*words)

    alone = rankings(Search(engine(20_000), TEMPO, NES_NTSC), 3)
    monkeypatch.setattr(helpers, "search_deeply", late)
    together = Search(engine(20_000), TEMPO, NES_NTSC, Helpers([engine(20_000)]))
    assert rankings(together, 3) == alone
    assert len(lent) >= 2
    assert min(lent) > 100


def test_a_small_budget_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*words: Any) -> None:
        raise AssertionError(words)

    monkeypatch.setattr(helpers, "search_widely", never)
    assert rankings(Search(engine(2_000), TEMPO, NES_NTSC, Helpers([engine(2_000)])), 2)


def test_a_place_that_is_half_written_counts_as_empty() -> None:
    shared = np.zeros(1, dtype=SHARED)[0]
    key, place = 0x5DEECE66D123 << 16 | 1, (0x5DEECE66D123 << 16 | 1) >> 20 & 0x7FFF
    assert _borrowed(key, shared) == (-1, 0.0), "nobody shares"
    shared.used, shared.turn = 1, 3
    assert _borrowed(key, shared) == (-1, 0.0)
    _lend(key, 17, 1234.5, shared)
    assert _borrowed(key, shared) == (17, 1234.5)
    for part, other in (("counts", 18), ("values", 1234.25), ("turn", 4)):
        kept = shared[part].copy()
        if part == "turn":
            shared.turn = other
        else:
            shared[part][place] = other
        assert _borrowed(key, shared) == (-1, 0.0), part
        shared[part] = kept
    assert _borrowed(key, shared) == (17, 1234.5)
