"""Picks a row from each frame's memory and collects the rows of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.trace.game import Trace

Plan = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class RowLayout:
    """The bytes of one row: the values of `fields`, the pads newly pressed and held, `page` bytes of playfield."""

    fields: tuple[str, ...]
    address: tuple[int, ...]
    page: int
    order: str

    @property
    def width(self) -> int:
        """The number of bytes in a row."""
        return len(self.fields) + 2 + self.page

    def game(self, rows: bytes | bytearray, plans: NDArray[Any], inputs: NDArray[Any], about: dict[str, Any]) -> Trace:
        """Returns the game of these rows, at least one: the first row is the initial state."""
        table = np.frombuffer(rows, dtype=np.uint8).reshape(-1, self.width)
        pads = len(self.fields)
        state, page = table[:, :pads], table[:, pads + 2 :]
        return Trace(
            fields=self.fields,
            address=np.array(self.address, dtype=np.uint16),
            initial=state[0].copy(),
            initial_page=page[0].copy(),
            pads=table[1:, pads : pads + 2].copy(),
            state=state[1:].copy(),
            page=page[1:].copy(),
            order=self.order,
            plans=plans,
            inputs=inputs,
            about=about,
        )


class Recorder:
    """Collects rows while a game runs: call `add` from the first play frame on, then `finish` for the Trace.

    To store the rows elsewhere, take `collected` from time to time and call `release` after it; do not call `finish`
    then.
    """

    def __init__(
        self,
        fields: Sequence[str],
        addresses: Sequence[int],
        page: tuple[int, int],
        pads: tuple[int, int] | None,
        order: str,
        place: Callable[[int], int] = int,
    ) -> None:
        """`page` is (address, length) of the playfield page, `pads` the addresses of newly pressed and held buttons.

        `pads` is None if the addresses are not known; `add` then gets the pads. `place` returns the index of an address
        in the memory that `add` gets.
        """
        self.layout = RowLayout(tuple(fields), tuple(addresses), page[1], order)
        self._pick = itemgetter(*map(place, (*addresses, *(pads or ()))))
        self._reads_pads = pads is not None
        self._page = slice(place(page[0]), place(page[0]) + page[1])
        self._rows: list[bytes] = []
        self._plans: list[Plan] = []
        self._released = self._planned = 0  # rows and plans that are stored elsewhere

    @property
    def running(self) -> bool:
        """Whether a game is being recorded."""
        return self._released + len(self._rows) > 0

    @property
    def rows(self) -> int:
        """The number of rows so far, which is the index of the next row."""
        return max(self._released + len(self._rows) - 1, 0)

    def add(self, ram: bytes, pads: bytes = bytes(2)) -> None:
        """Add one frame of the map's memory; the first call of a game sets the initial state.

        `pads` are the buttons newly pressed and held in this frame, for a game in whose memory they are not found.
        """
        self._rows.append(bytes(self._pick(ram)) + (b"" if self._reads_pads else pads) + ram[self._page])

    def plan(self, orientation: int, column: int, row: int) -> None:
        """Add what the bot chose for the piece whose first controllable frame is the next row."""
        self._plans.append((self.rows, orientation, column, row))

    @property
    def collected(self) -> tuple[int, Sequence[bytes], int, Sequence[Plan]]:
        """What was not released yet: the number of rows before it, rows, the number of plans before them, plans."""
        return self._released, self._rows, self._planned, self._plans

    def release(self) -> None:
        """Drop what `collected` returned: it is stored elsewhere."""
        self._released, self._rows = self._released + len(self._rows), []
        self._planned, self._plans = self._planned + len(self._plans), []

    def discard(self) -> None:
        """Forget the game that is being recorded."""
        self._rows, self._plans = [], []
        self._released = self._planned = 0

    def finish(self, about: dict[str, Any]) -> Trace:
        """Returns the recorded game; the recorder is then empty and ready for another."""
        plans = np.array(self._plans, dtype=np.int32).reshape(-1, 4)
        trace = self.layout.game(b"".join(self._rows), plans, np.zeros((0, 2), dtype=np.uint8), about)
        self.discard()
        return trace
