"""A game of colours on a cartridge in an emulator, frame by frame, shown as games in arrays are; knows no emulator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot import games
from emubot.errors import BridgeError
from emubot.games.batch import STEP_PADS, WAITS, Batch, Console
from emubot.games.colours.batches.field_frames import FieldFrames
from emubot.games.colours.batches.states import FRAMES, OVER, PHASE
from emubot.games.lots import draw
from emubot.snapshot import Phase

_NO_GAME: Final = (Phase.MENU, Phase.PAUSED)  # no pad of a step leads there


class ConsoleBatch(Batch):
    """One game, a pad a step, shown by a batch of one game; see FieldFrames. `choices` are those of the menus.

    A seed draws the wait before the first button of the menus. Raises UsageError for a cartridge whose map does not
    tell what the games show.
    """

    def __init__(self, model: FieldFrames, console: Console, choices: Mapping[str, int], skip: int, cap: int) -> None:
        self.rate, self.looks, self.numbers = model.rate, model.looks, model.numbers
        self._model, self._console, self._choices, self._skip, self._cap = model, console, choices, skip, cap
        self._cells, self._hidden, self._lots = model._cells, model._hidden, model._lots
        self.counters, self.mask, self.rewards = model.counters, model.mask, model.rewards
        self.ended, self.cut, self.actions = model.ended, model.cut, model.actions
        self._decode = games.open_edition(console.ram_map).decoder()
        told = self._decode(bytes(console.ram_map.image_size)).counters
        model.refuse_unknown(told, console.ram_map.title)

    def close(self) -> None:
        """End the emulator."""
        self._console.close()

    def _air(self) -> NDArray[np.int64]:
        return self._model._air()

    def _coming(self, column: int) -> NDArray[np.int64]:
        return self._model._coming(column)

    def _begin(self, game: int) -> None:
        wait = int(draw(self._lots[game], WAITS))
        memory = self._console.begin(self._choices, wait)
        self.counters[0, FRAMES] = 0
        self.rewards[0], self.ended[0], self.cut[0] = 0.0, False, False
        self._see(memory)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        if not 0 <= actions[0] < len(STEP_PADS):
            return False
        if self.ended[0] or self.cut[0]:
            self._begin(0)
            return True
        self.rewards[0] = 0.0
        for _ in range(self._skip):
            numbers, cells = self.counters[0].copy(), self._cells[0].copy()
            self._see(self._console.step(STEP_PADS[int(actions[0])]))
            self.counters[0, FRAMES] += 1
            self.rewards[0] += self._model.gained(numbers, cells)
            self.ended[0] = self.counters[0, PHASE] == OVER or self._model.is_won()
            if self.ended[0]:
                break
        self.cut[0] = 0 < self._cap <= self.counters[0, FRAMES] and not self.ended[0]
        return True

    def _see(self, memory: bytes) -> None:
        snapshot = self._decode(memory)
        if snapshot.phase in _NO_GAME:
            raise BridgeError(f"The cartridge left the game: it is in {snapshot.state!r}.")
        self._model.see(snapshot)
