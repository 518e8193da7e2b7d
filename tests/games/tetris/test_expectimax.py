"""Lookahead in points against a slow twin that follows the definition with plain lists, one board at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.evaluation.layout import ENTRIES
from emubot.games.tetris.evaluation.points import PointsPlayer
from emubot.games.tetris.evaluation.points_player import points_player
from emubot.games.tetris.generator import deal
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC, SPAWN_ORIENTATION
from emubot.games.tetris.search.chance import CHAIN, DEEP_LOCKS, _slot
from emubot.games.tetris.search.expectimax import search_points
from emubot.games.tetris.search.plies import MOST_PLACEMENTS, WIDEST, lookahead_for
from tests.games.tetris.points_twin import TEMPO, Expecting, Lock

pytestmark = pytest.mark.jit
FLAT = (0x1FF,) * 5


def player(stop_lines: int = 0) -> PointsPlayer:
    values = (np.random.default_rng(4).integers(-500, 500, ENTRIES) / 64).astype(np.float32)
    return points_player(values, TEMPO, NES_NTSC, "score", stop_lines)


def board(*bottom: int) -> Rows:
    """Rows from the floor up."""
    rows: Rows = np.zeros(22, dtype=np.uint16)
    rows[22 - len(bottom) :] = bottom[::-1]
    return rows


class Twin(Expecting):
    """The same search, slowly."""

    broad = 1  # times the usual boards and locks

    def expected_twice(self, rows: Rows, before: int, lines: int, level: int) -> float:
        outcomes = []
        for piece in range(7):
            locks = self.locks(rows, piece, level)
            leaves = [self.leaf(rows, at, lines, level) for at in locks]
            deep = []
            for index in sorted(range(len(locks)), key=lambda index: -leaves[index])[: self.broad * DEEP_LOCKS]:
                after, gained, lines3, level3 = self.after(rows, locks[index], lines, level)
                deep.append(gained + (0 if self.over(lines3, level3) else self.expected(after, piece, lines3, level3)))
            outcomes.append(max(deep, default=0.0))
        return self.mean(before, outcomes)

    def deepen(self, rows: Rows, piece: int, lines: int, level: int, budget: int, values: list[float]) -> Lock:
        """The chosen lock if the next piece is not known; the values of those that are searched deeper change."""
        firsts = self.locks(rows, piece, level)
        best, chosen = -np.inf, self.best(firsts, values)
        order = sorted(range(len(firsts)), key=lambda i: (-values[i], -firsts[i][2], firsts[i][0], firsts[i][1]))
        for index in order:
            if self.nodes >= budget:
                break
            after, gained, lines1, level1 = self.after(rows, firsts[index], lines, level)
            goes_on = not self.over(lines1, level1)
            values[index] = gained + (self.expected_twice(after, piece, lines1, level1) if goes_on else 0.0)
            if values[index] > best:
                best, chosen = values[index], firsts[index]
        return chosen

    def choose(
        self, rows: Rows, piece: int, following: int, lines: int, level: int, budget: int
    ) -> tuple[Lock, list[float]]:
        """The chosen lock, and the values of all in the order of `locks`."""
        self.broad = min(1 + budget // 100_000, 8)
        firsts = self.locks(rows, piece, level)
        values: list[float] = []
        pairs: list[tuple[float, Lock, Lock | None]] = []
        for first in firsts:
            middle, gained, lines1, level1 = self.after(rows, first, lines, level)
            if self.over(lines1, level1):
                values.append(gained)
                pairs.append((gained, first, None))
                continue
            if following < 0:
                values.append(gained + self.expected(middle, piece, lines1, level1))
                continue
            seconds = self.locks(middle, following, level1)
            leaves = [self.leaf(middle, second, lines1, level1) for second in seconds]
            values.append(gained + max(leaves, default=0.0))
            pairs += [] if seconds else [(gained, first, None)]
            pairs += [(gained + leaf, first, second) for leaf, second in zip(leaves, seconds, strict=True)]
        if following < 0:
            return self.deepen(rows, piece, lines, level, budget, values), values
        if not pairs or self.nodes >= budget:
            return self.best(firsts, values), values
        ended: set[Lock] = set()
        boards: dict[bytes, tuple[float, Lock, Rows, int, int, float]] = {}
        left = (budget - self.nodes) // 2 + self.nodes
        for _, first, second in sorted(pairs, key=lambda pair: -pair[0]):
            if len(boards) == self.broad * WIDEST or (boards and self.nodes >= left):
                break
            middle, gained, lines1, level1 = self.after(rows, first, lines, level)
            if second is None:
                boards[repr(first).encode()] = (gained, first, middle, lines1, level1, gained)
                ended.add(first)
                continue
            last, more, lines2, level2 = self.after(middle, second, lines1, level1)
            if self.over(lines2, level2):
                boards[repr((first, second)).encode()] = (gained + more, first, last, lines2, level2, gained + more)
            elif last.tobytes() not in boards:
                worth = gained + more + self.expected(last, following, lines2, level2)
                boards[last.tobytes()] = (worth, first, last, lines2, level2, gained + more)
        found = sorted(boards.values(), key=lambda one: -one[0])
        deepest = 0
        for number, (_, first, last, lines2, level2, gained) in enumerate(found):
            if self.nodes >= budget:
                break
            goes_on = first not in ended and not self.over(lines2, level2)
            worth = gained + (self.expected_twice(last, following, lines2, level2) if goes_on else 0)
            found[number] = (worth, first, last, lines2, level2, gained)
            deepest += 1
        for worth, first, *_ in reversed(found):
            values[firsts.index(first)] = worth
        best = max(found[: deepest or len(found)], key=lambda one: one[0])
        values[firsts.index(best[1])] = best[0]
        return best[1], values

    @staticmethod
    def best(firsts: list[Lock], values: list[float]) -> Lock:
        order = sorted(range(len(firsts)), key=lambda i: (-values[i], -firsts[i][2], firsts[i][0], firsts[i][1]))
        return firsts[order[0]]


def searched(
    rows: Rows,
    piece: int,
    following: int,
    lines: int,
    level: int,
    budget: int,
    own: PointsPlayer,
    loss_weight: float = 1.0,
) -> tuple[Lock | None, NDArray[np.float64], list[Lock], int]:
    look = lookahead_for(own, TEMPO, NES_NTSC, loss_weight)
    found, values = np.zeros((MOST_PLACEMENTS, 3), dtype=np.int64), np.zeros(MOST_PLACEMENTS)
    begin = Start(int(SPAWN_ORIENTATION[piece]), limiter=TEMPO.reaction).begin(TEMPO)
    count, nodes, best = search_points(rows, piece, begin, following, lines, level, budget, look, found, values)
    locks = [(int(o), int(x), int(y)) for o, x, y in found[:count]]
    return (locks[best] if best >= 0 else None), values[:count], locks, nodes


CASES = [
    ("only the pairs", board(*FLAT, 0x0F3), 6, 0, 40, 18, 1, 0),
    ("the third piece", board(*FLAT, 0x0C1), 2, 3, 225, 28, 2500, 0),
    ("the fourth for some", board(*FLAT, 0x01F, 0x003), 0, 5, 126, 18, 9000, 0),
    ("a game that ends", board(*FLAT), 6, 6, 227, 28, 9000, 230),
    ("a game that ends at once", board(*(0x3EF,) * 2, *FLAT), 6, 0, 229, 28, 9000, 230),
    ("the next piece not known", board(*FLAT, 0x3F), 3, -1, 10, 18, 1, 0),
    ("the piece after one that is not known", board(*FLAT, 0x3F), 3, -1, 10, 18, 9000, 0),
    ("death is near", board(*(0x1FE,) * 15), 1, 4, 150, 19, 9000, 0),
    ("twice as broad", board(*(0x1FE,) * 16), 6, 0, 150, 19, 100_000, 0),
    ("as broad as can be", board(*(0x1FE,) * 16), 6, 0, 150, 29, 2_000_000, 0),
    ("the piece after one that is not known, broadly", board(*(0x1FE,) * 16), 6, -1, 150, 29, 300_000, 0),
]


RISKY = [case for case in CASES if case[0] in {"the third piece", "death is near"}]


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("case", "loss_weight"),
    [(case, 1.0) for case in CASES] + [(case, weight) for case in RISKY for weight in (4.0, 0.25)],
    ids=lambda given: given[0] if isinstance(given, tuple) else str(given),
)
def test_the_search_is_that_of_the_slow_twin(
    case: tuple[str, Rows, int, int, int, int, int, int], loss_weight: float
) -> None:
    _, rows, piece, following, lines, level, budget, stop_lines = case
    own = player(stop_lines)
    twin = Twin(own, loss_weight=loss_weight)
    expected, expected_values = twin.choose(rows, piece, following, lines, level, budget)
    chosen, values, locks, nodes = searched(rows, piece, following, lines, level, budget, own, loss_weight)
    # A board whose place in the cache was taken by another one is valued again.
    assert twin.nodes <= nodes <= twin.nodes * (1.01 if twin.broad > 1 else 1)
    assert locks == twin.locks(rows, piece, level)
    np.testing.assert_allclose(values, expected_values, rtol=0, atol=1e-9)
    assert chosen == expected


def test_a_large_budget_is_spent() -> None:
    """As many boards are valued as were asked for; as broad as usual, a search has no more than about 90,000."""
    spent = [
        searched(board(*FLAT, 0x1F, 3), 2, 5, 60, 18, budget, player())[3] for budget in (99_999, 250_000, 800_000)
    ]
    assert spent[0] < 95_000
    assert spent[1] >= 250_000
    assert spent[2] >= 800_000


def test_a_full_board_has_no_lock() -> None:
    chosen, _, locks, nodes = searched(board(*(0x1FE,) * 20), 3, 4, 0, 18, 9000, player())
    assert (chosen, locks, nodes) == (None, [], 0)


def test_the_same_search_twice_is_the_same() -> None:
    """What a search leaves in its memory changes nothing."""
    look = lookahead_for(player(), TEMPO, NES_NTSC)
    results = []
    for rows in (board(*FLAT), board(*FLAT, 0x3), board(*FLAT)):
        found, values = np.zeros((MOST_PLACEMENTS, 3), dtype=np.int64), np.zeros(MOST_PLACEMENTS)
        told = search_points(rows, 3, look.begin, 4, 20, 18, 5000, look, found, values)
        results.append((told, values.tolist()))
    assert results[0] == results[2] != results[1]


def test_a_kernel_of_the_search_takes_few_arrays() -> None:
    """Each array makes every kernel and every call that it goes through longer to compile; a record counts as one."""

    def arrays(part: object) -> int:
        return sum(map(arrays, part)) if isinstance(part, tuple) else isinstance(part, np.ndarray)

    assert arrays(lookahead_for(player(), TEMPO, NES_NTSC)) < 15


def test_the_chain_is_that_of_the_cartridges_draws() -> None:
    """Facts: NES Tetris 5.2: a repeat about once in 28, any piece once in 5.3 to 6.4."""
    assert np.allclose(CHAIN.sum(axis=1), 1)
    counts = np.zeros((7, 7))
    rng = np.random.default_rng(0)
    for before in range(7):
        for _ in range(10_000):
            counts[before, deal(before, rng.integers(0, 8), rng.integers(0, 8))] += 1
    assert np.abs(counts / 10_000 - CHAIN).max() < 0.02


def test_no_piece_on_a_board_is_taken_for_another_one_on_another() -> None:
    """The places of the cache tell them apart by a key: low boards that differ in one column, with every piece."""
    keys = set()
    for column in range(10):
        for stack in range(64):
            stacks = np.zeros(10, dtype=np.int64)
            stacks[column] = stack
            keys |= {(_slot(stacks, piece)[1]) for piece in range(7)}
    assert len(keys) == 7 * (10 * 63 + 1)
