"""The steps of a search in points once more, slowly: locks, boards and leaves, one at a time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from emubot.games.tetris.board.board import Rows, lock
from emubot.games.tetris.board.columns import columns_of
from emubot.games.tetris.evaluation.layout import TERMS
from emubot.games.tetris.evaluation.network import part_of_board
from emubot.games.tetris.evaluation.points import PointsPlayer, entries_of_board, gain
from emubot.games.tetris.reach import Start, gravity_at, locks_of, reach
from emubot.games.tetris.rules import NES_NTSC, SPAWN_ORIENTATION
from emubot.games.tetris.search.chance import CHAIN
from emubot.tempo import parse_taps

TEMPO = parse_taps("12hz")
Lock = tuple[int, int, int]


def place_of(own: PointsPlayer, lines: int, level: int) -> int:
    """Lines of the course. The course has 400 places a level; of more lines only the last digit says something."""
    return int(own.course[min(level, len(own.course) - 1), lines if lines < 400 else 390 + int(str(lines)[-1])])


@dataclass
class Steps:
    """Steps by the values of a player; `nodes` counts the boards valued."""

    own: PointsPlayer
    nodes: int = 0

    def locks(self, rows: Rows, piece: int, level: int) -> list[Lock]:
        start = Start(int(SPAWN_ORIENTATION[piece]), limiter=TEMPO.reaction)
        return locks_of(reach(rows, start, gravity_at(level, NES_NTSC), TEMPO, NES_NTSC), piece)

    def after(self, rows: Rows, at: Lock, lines: int, level: int) -> tuple[Rows, float, int, int]:
        rows = rows.copy()
        return (rows, *gain(lock(rows, *at), lines, level, self.own))

    def place(self, lines: int, level: int) -> int:
        return place_of(self.own, lines, level)

    def over(self, lines: int, level: int) -> bool:
        return bool(0 < self.own.stop_lines <= self.place(lines, level))

    def entries(self, rows: Rows, lines: int, level: int) -> list[int]:
        stacks, found = np.zeros(10, dtype=np.int64), np.zeros(TERMS, dtype=np.int64)
        columns_of(rows, stacks)
        entries_of_board(stacks, lines, level, self.own, found)
        return [int(entry) for entry in found]

    def value(self, rows: Rows, lines: int, level: int) -> float:
        entries = self.entries(rows, lines, level)
        total = sum(float(self.own.values[entry]) for entry in entries)
        if self.own.network.used:  # what that adds has a twin of its own
            stacks, found = np.zeros(10, dtype=np.int64), np.array(entries, dtype=np.int64)
            columns_of(rows, stacks)
            place = self.place(lines, level)
            total += float(part_of_board(stacks, place, self.own.stop_lines, found, self.own.network))
        return total

    def leaf(self, rows: Rows, at: Lock, lines: int, level: int) -> float:
        self.nodes += 1
        rows, gained, lines, level = self.after(rows, at, lines, level)
        return gained if self.over(lines, level) else gained + self.value(rows, lines, level)


@dataclass
class Expecting(Steps):
    """Steps with expectations over a piece. A board and piece that were searched before cost nothing."""

    known: dict[tuple[bytes, int], float] = field(default_factory=dict)
    loss_weight: float = 1.0

    def expected(self, rows: Rows, before: int, lines: int, level: int) -> float:
        outcomes = []
        for piece in range(7):
            key = (rows.tobytes(), piece)
            if key not in self.known:
                leaves = [self.leaf(rows, at, lines, level) for at in self.locks(rows, piece, level)]
                self.known[key] = max(leaves, default=0.0)
            outcomes.append(self.known[key])
        return self.mean(before, outcomes)

    def mean(self, before: int, outcomes: list[float]) -> float:
        """Weighed twice: by the probabilities, and losses against their mean by `loss_weight` too."""
        mean = float(np.average(outcomes, weights=CHAIN[before]))
        risks = [self.loss_weight if outcome < mean else 1.0 for outcome in outcomes]
        return float(np.average(outcomes, weights=CHAIN[before] * risks))
