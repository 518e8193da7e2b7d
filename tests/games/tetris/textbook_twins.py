"""The textbook game once more, slowly, on a grid of cells: every drop row by row, every order of drops spelled out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.names import FEATURE_NAMES
from emubot.games.tetris.generator import deal
from emubot.games.tetris.rules import DX, DY, PIECE_OF
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.tetris.textbook.rules import TextbookRules
from tests.games.tetris.feature_twins import BOARD_TWINS, Grid

HIDDEN = 4
Queue = tuple[int, ...]


@dataclass(frozen=True)
class Drop:
    """A drop and what it leaves; `grid` has the visible rows only, `pivot` counts from the floor."""

    orientation: int
    left: int
    pivot: int
    grid: Grid
    of_lock: dict[str, float]
    dead: bool

    def feature(self, name: str) -> float:
        return self.of_lock[name] if name in self.of_lock else BOARD_TWINS[name](self.grid)

    @property
    def features(self) -> dict[str, float]:
        return {name: self.feature(name) for name in (*self.of_lock, *BOARD_TWINS)}


def stacks_from(grid: Grid) -> NDArray[np.int64]:
    rows = len(grid)
    return np.array([sum(1 << (rows - 1 - row) for row in np.flatnonzero(line)) for line in grid.T], dtype=np.int64)


def grid_from(stacks: NDArray[np.int64], rows: int) -> Grid:
    return np.array([[bool(int(stack) >> row & 1) for stack in stacks] for row in reversed(range(rows))])


def drops(grid: Grid, piece: int) -> list[Drop]:
    """By orientation, then column."""
    columns = grid.shape[1]
    tall = np.vstack([np.zeros((HIDDEN, columns), dtype=np.bool_), grid])
    found = []
    for orientation in np.flatnonzero(piece == PIECE_OF).tolist():
        offsets = list(zip(DX[orientation].tolist(), DY[orientation].tolist(), strict=True))
        for column in range(columns):
            if all(0 <= column + dx < columns for dx, _ in offsets):
                found.append(_fallen(tall, orientation, column, offsets))
    return found


def _fallen(tall: Grid, orientation: int, column: int, offsets: list[tuple[int, int]]) -> Drop:
    def fits(pivot: int) -> bool:
        cells = [(pivot + dy, column + dx) for dx, dy in offsets]
        return all(y < len(tall) and (y < 0 or not tall[y, x]) for y, x in cells)

    pivot = -HIDDEN
    while fits(pivot + 1):
        pivot += 1
    rows = len(tall) - HIDDEN
    cells = [(pivot + dy, column + dx) for dx, dy in offsets]
    after = tall.copy()
    for y, x in cells:
        after[y, x] = True
    full = [y for y in range(len(after)) if after[y].all()]
    own = sum(y in full for y, _ in cells)
    kept = after[[y for y in range(len(after)) if y not in full]]
    after = np.vstack([np.zeros((len(full), after.shape[1]), dtype=np.bool_), kept])
    highest, lowest = min(y for y, _ in cells) - HIDDEN, max(y for y, _ in cells) - HIDDEN
    visible = after[HIDDEN:]
    of_lock = {
        "landing_height": rows - 1 - (highest + lowest) / 2,
        "rows_removed": len(full),
        "eroded_cells": len(full) * own,
        "scoring_lines": max(len(full) - 1, 0),
        "tetrises": int(len(full) == 4),
        "burned_lines": len(full) % 4,
        "landing_top_row": max(highest, 0),
        "mf_lock_height": rows - 1 - lowest,
    }
    left = column + min(dx for dx, _ in offsets)
    return Drop(orientation, left, len(tall) - 1 - pivot, visible, of_lock, bool(after[:HIDDEN].any()))


def options(hold: int, queue: Queue, may_hold: bool) -> list[tuple[int, int, int, Queue]]:
    """What may be dropped: (option, piece, piece put aside then, pieces shown then)."""
    found = [(0, queue[0], hold, queue[1:])] if queue else []
    if may_hold and hold >= 0:
        found.append((1, hold, queue[0] if queue else -1, queue[1:]))
    elif may_hold and len(queue) > 1:
        found.append((1, queue[1], queue[0], queue[2:]))
    return found


Ranked = list[tuple[float, int, Drop]]


def ranked(
    grid: Grid,
    hold: int,
    queue: Queue,
    rules: TextbookRules,
    weights: NDArray[np.float64],
    plies: int,
    before: float = 0.0,
) -> Ranked:
    """Every first drop with its option and the value of the best that can follow, best first.

    By `expect` only the drops that are compared by it. `before` is the value of the locks before.
    """
    weigh = dict(zip(FEATURE_NAMES, weights.tolist(), strict=True))
    found: Ranked = []
    for option, piece, kept, left in options(hold, queue, rules.hold):
        of_option: Ranked = []
        for drop in drops(grid, piece):
            lock = before + sum(weigh[name] * drop.of_lock[name] for name in FEATURE_NAMES[:8])
            own = before + sum(weight * drop.feature(name) for name, weight in weigh.items() if weight)
            if drop.dead:
                own = DEAD * (plies + (rules.expect > 0))
            elif plies > 1:
                own = ranked(drop.grid, kept, left, rules, weights, plies - 1, lock)[0][0]
            of_option.append((own, option, drop))
        if plies == 1 and rules.expect:
            of_option = [
                (value if drop.dead else expected(drop, before, rules, weights), option, drop)
                for value, option, drop in sorted(of_option, key=_order)[: rules.expect]
            ]
            found += sorted(of_option, key=lambda f: -f[0])  # of equal ones, the one that was better before
        else:
            found += sorted(of_option, key=_order)
    return sorted(found, key=lambda f: -f[0])


def _order(found: tuple[float, int, Drop]) -> tuple[float, int, int, int]:
    value, _, drop = found
    return -value, drop.pivot, drop.orientation, drop.left


def expected(drop: Drop, before: float, rules: TextbookRules, weights: NDArray[np.float64]) -> float:
    """The mean value of what can follow a drop, over all pieces."""
    lock = before + sum(float(weights[index]) * drop.of_lock[name] for index, name in enumerate(FEATURE_NAMES[:8]))
    plain = replace(rules, hold=False, expect=0)
    return sum(ranked(drop.grid, -1, (piece,), plain, weights, 1, lock)[0][0] for piece in range(7)) / 7


def valued(grid: Grid, hold: int, queue: Queue, rules: TextbookRules, plies: int, weights: NDArray[np.float64]) -> int:
    """How many boards that search comes to: those after its last drop, and those on which it tops out before."""
    count = 0
    for _, piece, kept, left in options(hold, queue, rules.hold):
        for drop in drops(grid, piece):
            count += 1 if drop.dead or plies == 1 else valued(drop.grid, kept, left, rules, plies - 1, weights)
    if plies == 1 and rules.expect:
        compared = [drop for _, _, drop in ranked(grid, hold, queue, rules, weights, 1) if not drop.dead]
        count += sum(len(drops(drop.grid, piece)) for drop in compared for piece in range(7))
    return count


class Dealer:
    """Pieces by each generator's words."""

    def __init__(self, generator: str, rng: np.random.Generator) -> None:
        self.generator, self.rng, self.before = generator, rng, -1
        self.bag: list[int] = []

    def next(self) -> int:
        if self.generator == "bag":
            self.bag = self.bag or list(range(7))
            taken = int(self.rng.integers(0, len(self.bag)))
            self.bag[taken], self.bag[-1] = self.bag[-1], self.bag[taken]
            self.before = self.bag.pop()
        elif self.generator == "nes":
            self.before = int(deal(self.before, int(self.rng.integers(0, 8)), int(self.rng.integers(0, 8))))
        else:
            self.before = int(self.rng.integers(0, 7))
        return self.before


def game(seed: int, rules: TextbookRules, weights: NDArray[np.float64]) -> tuple[int, int, int, int]:
    dealer = Dealer(rules.generator, np.random.default_rng(seed))
    grid: Grid = np.zeros((rules.rows, rules.columns), dtype=np.bool_)
    queue = [dealer.next() for _ in range(rules.previews + 1)]
    hold, lines, pieces, nodes = -1, 0, 0, 0
    while True:
        _, option, drop = ranked(grid, hold, tuple(queue), rules, weights, rules.plies)[0]
        nodes += valued(grid, hold, tuple(queue), rules, rules.plies, weights)
        taken = 2 if option == 1 and hold < 0 else 1
        if option == 1:
            hold = queue[0]
        queue = [*queue[taken:], *(dealer.next() for _ in range(taken))]
        grid, lines, pieces = drop.grid, lines + int(drop.of_lock["rows_removed"]), pieces + 1
        if drop.dead:
            return lines, pieces, 0, nodes
        if 0 < rules.cap_lines <= lines or 0 < rules.cap_pieces <= pieces:
            return lines, pieces, 1, nodes
