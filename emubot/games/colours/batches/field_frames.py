"""What games of colours show frame by frame, whatever their family: the piece in the air and what is to come.

Knows no rule.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.batch import PAD_WORDS, Batch, Counter
from emubot.games.colours.batches.air import AIR
from emubot.games.colours.batches.states import PHASE, PHASES, PLAYING, REST, UNKNOWN
from emubot.games.colours.board.turning import Turning
from emubot.games.colours.decode.frame import field_of
from emubot.games.colours.field_rules import FieldRules
from emubot.machine import FRAME_RATE_NTSC
from emubot.snapshot import Snapshot

MOST: Final = 2**62
_TIMERS: Final = ("drop_timer", "repeat")
_NOT_TOLD: Final = -1  # a number that a cartridge's map does not know


class FieldFrames(Batch):
    """Games, a pad a step, held for `skip` frames; see Batch.

    `told` are names of the family's numbers, as a snapshot has them. `kinds` names the cells of the piece in
    the air, which are 0 without one, and then those of the next piece.
    """

    actions = PAD_WORDS

    def __init__(
        self,
        rules: FieldRules,
        turning: Turning,
        told: Sequence[str],
        kinds: Sequence[str],
        games: int,
        skip: int,
    ) -> None:
        self._shapes = np.array(turning.cells[: len({*turning.shown})], dtype=np.int64)
        self._told = told
        self._kinds_at = REST + len(told)
        self.rate = FRAME_RATE_NTSC / skip
        self.numbers = (
            Counter("orientation", 0, len(self._shapes) - 1),
            Counter("column", 0, rules.columns - 1),
            Counter("row", -rules.hidden_rows, rules.visible_rows - 1),
            Counter("drop_timer", _NOT_TOLD, MOST),
            Counter("repeat", _NOT_TOLD, MOST),
            Counter("phase", 0, len(PHASES) - 1),
            Counter("frames", 0, MOST),
            *(Counter(name, _NOT_TOLD, MOST) for name in told),
            *(Counter(name, 0, rules.colors) for name in kinds),
        )
        super().__init__(games, rules.visible_rows, rules.columns, rules.hidden_rows)

    @property
    def parts(self) -> int:
        """The cells of a piece."""
        return int(self._shapes.shape[1])

    def refuse_unknown(self, known: Mapping[str, int], title: str) -> None:
        """Raise UsageError if a cartridge's snapshots do not tell, among what is `known`, what is rewarded."""
        if self.rewarded not in known:
            raise UsageError(f"The map of {title} does not know {self.rewarded}, so choose another reward.")

    @property
    @abstractmethod
    def rewarded(self) -> str:
        """The number of a snapshot without which there is no reward."""

    @abstractmethod
    def current(self, snapshot: Snapshot) -> Sequence[int]:
        """Returns the kinds of the cells of a snapshot's piece."""

    @abstractmethod
    def gained(self, numbers: NDArray[np.int64], cells: NDArray[np.uint8]) -> float:
        """Returns the reward of a frame that a cartridge has shown, after one with these counters and cells."""

    def is_won(self) -> bool:
        """Returns whether what a cartridge has shown last wins the game."""
        return False

    def see(self, snapshot: Snapshot) -> None:
        """Show what a cartridge shows."""
        counters, told = self.counters[0], snapshot.counters
        self._cells[0] = field_of(snapshot)[0]
        phase = PHASES.index(snapshot.phase) if snapshot.phase in PHASES else UNKNOWN
        counters[PHASE] = phase
        counters[REST : self._kinds_at] = [told.get(name, _NOT_TOLD) for name in self._told]
        piece, parts = snapshot.current, self.parts
        counters[:AIR], counters[self._kinds_at : self._kinds_at + parts] = 0, 0
        if phase == PLAYING and piece is not None:
            counters[:AIR] = (
                piece.orientation,
                piece.column,
                piece.row,
                *(told.get(name, _NOT_TOLD) for name in _TIMERS),
            )
            counters[self._kinds_at : self._kinds_at + parts] = self.current(snapshot)
        counters[self._kinds_at + parts :] = snapshot.next or 0

    def _air(self) -> NDArray[np.int64]:
        counters = self.counters
        cells = np.zeros((self.games, self.parts, 3), dtype=np.int64)
        shape = self._shapes[counters[:, 0]]
        cells[..., 0] = np.where(counters[:, PHASE, None] == PLAYING, counters[:, 2, None] + shape[..., 1], -1)
        cells[..., 1] = counters[:, 1, None] + shape[..., 0]
        cells[..., 2] = counters[:, self._kinds_at : self._kinds_at + self.parts]
        return cells

    def _coming(self, column: int) -> NDArray[np.int64]:
        cells = np.zeros((self.games, self.parts, 3), dtype=np.int64)
        shape = self._shapes[0]
        cells[..., 0] = shape[:, 1] - shape[:, 1].min()
        cells[..., 1] = column + shape[:, 0] - shape[:, 0].min()
        cells[..., 2] = self.counters[:, self._kinds_at + self.parts :]
        return cells
