"""Turns the milliseconds of a decision into boards, by the rate of the decisions before; knows no game and no kernel.

No kernel reads a clock, and a search stops only after a number of boards. Results by the clock do not repeat.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar

_REMEMBERED: Final = 16  # decisions: some twenty seconds of play, after which a short load of the machine is forgotten
_SHARE: Final = 0.9  # of the time, because a decision may be slower than each of those
_LEAST: Final = 1  # boards of a first decision, so that it values the placements of the known pieces alone

_Found = TypeVar("_Found")


class Pace:
    """The boards that each decision may value so that it takes `milliseconds` at most.

    They are those that most of the time is enough for at the slowest rate of the last decisions. Since a search ends
    with the board in work, the most boards by which one of these decisions exceeded its budget are subtracted.
    """

    def __init__(self, milliseconds: float, most: int, clock: Callable[[], float] = time.perf_counter) -> None:
        """`most` are the boards of a decision however long it may take; `clock` returns seconds."""
        self._milliseconds, self._most, self._clock = milliseconds, most, clock
        self._costs = deque[float](maxlen=_REMEMBERED)  # milliseconds per board
        self._excesses = deque[int](maxlen=_REMEMBERED)  # boards

    @property
    def boards(self) -> int:
        """The budget of the next decision."""
        if not self._costs:
            return _LEAST
        enough = int(_SHARE * self._milliseconds / max(self._costs))
        return min(max(enough - max(self._excesses), _LEAST), self._most)

    def spend(self, search: Callable[[int], tuple[_Found, int]]) -> tuple[_Found, int]:
        """Returns what `search` returns for the boards that it is given: what it found, and the boards valued."""
        boards, started = self.boards, self._clock()
        found, nodes = search(boards)
        if nodes:
            self._costs.append((self._clock() - started) * 1000 / nodes)
            self._excesses.append(max(nodes - boards, 0))
        return found, nodes
