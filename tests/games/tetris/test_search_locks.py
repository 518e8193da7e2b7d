"""The value of given locks, for cartridges whose motion is not the family's, against a slow twin on the simulator."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.evaluation.names import FEATURE_NAMES
from emubot.games.tetris.rules import DX, DY, PIECE_OF
from emubot.games.tetris.search.search import ranked_locks
from emubot.games.tetris.search.two_plies import DEAD
from tests.games.tetris.feature_twins import BOARD_TWINS, grid_of
from tests.games.tetris.reach_twin import random_rows
from tests.games.tetris.test_search import EMPTY, everything, place

Lock = tuple[int, int, int]


def fits(rows: Rows, orientation: int, column: int, row: int) -> bool:
    return all(
        0 <= column + dx < 10 and -2 <= row + dy < 20 and not int(rows[row + dy + 2]) >> (column + dx) & 1
        for dx, dy in zip(DX[orientation].tolist(), DY[orientation].tolist(), strict=True)
    )


def straight_falls(rows: Rows, piece: int) -> list[Lock]:
    found = []
    for orientation in np.flatnonzero(piece == PIECE_OF).tolist():
        for column in range(10):
            row = 0
            if fits(rows, orientation, column, row):
                while fits(rows, orientation, column, row + 1):
                    row += 1
                found.append((orientation, column, row))
    return found


def twin_values(rows: Rows, locks: list[Lock], following: int | None) -> dict[Lock, float]:
    weigh = dict(zip(FEATURE_NAMES, everything().tolist(), strict=True))

    def board_value(board: Rows) -> float:
        return float(sum(weigh[name] * twin(grid_of(board)) for name, twin in BOARD_TWINS.items()))

    def lock_value(features: dict[str, float]) -> float:
        return float(sum(weigh[name] * value for name, value in features.items()))

    values = {}
    for at in locks:
        after, _, features = place(rows, at)
        value = board_value(after)
        if following is not None:
            futures = [
                lock_value(then) + board_value(final)
                for final, _, then in (place(after, lock) for lock in straight_falls(after, int(PIECE_OF[following])))
            ]
            value = max(futures) if futures else DEAD + value
        values[at] = lock_value(features) + value
    return values


@pytest.mark.jit
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_given_locks_have_the_value_of_the_slow_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = random_rows(rng)
    locks = straight_falls(rows, int(rng.integers(7)))[:12]
    for following in (None, int(rng.integers(19))):
        expected = twin_values(rows, locks, following)
        ranking = ranked_locks(rows, as_array(locks), following, everything())
        values = ranking.values.tolist()
        found = {tuple(place): value for place, value in zip(ranking.places.tolist(), values, strict=True)}
        assert found == {place: pytest.approx(value, abs=1e-6) for place, value in expected.items()}
        assert values == sorted(values, reverse=True)
        assert ranking.nodes >= len(locks)


def as_array(locks: list[Lock]) -> NDArray[np.int64]:
    return np.array(locks, dtype=np.int64).reshape(-1, 3)


def test_ties_go_to_the_lower_lock_then_orientation_then_column() -> None:
    locks = [(17, 3, 18), (18, 4, 19), (18, 2, 19)]
    ranking = ranked_locks(EMPTY, as_array(locks), None, np.zeros(len(FEATURE_NAMES)))
    assert ranking.places.tolist() == [[18, 2, 19], [18, 4, 19], [17, 3, 18]]


def test_no_locks_have_no_values_and_a_full_board_is_a_loss() -> None:
    nothing = ranked_locks(EMPTY, as_array([]), 2, everything())
    assert (len(nothing.values), nothing.nodes) == (0, 0)
    rows = EMPTY.copy()
    rows[2:] = 0b0111111110  # nothing but the long bar fits beside it
    (lost,), (goes_on,) = (
        ranked_locks(rows, as_array([(17, 0, 18)]), following, everything()).values for following in (10, 17)
    )
    assert lost < DEAD / 2 < goes_on
