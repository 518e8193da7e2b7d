"""A game of NES Tetris on a cartridge in an emulator, shown as games in arrays are; knows no emulator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.batch import STEP_PADS, WAITS, Console
from emubot.games.lots import draw
from emubot.games.tetris.batches.frames import FramesBatch, show
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.map_checks import is_replayed, profile_of
from emubot.games.tetris.evaluation.names import GAME as NAME
from emubot.games.tetris.worlds import NesWorld
from emubot.rammap.spaces import index_of


class ConsoleBatch(FramesBatch):
    """One A-type game, a pad a step; see FramesBatch. A seed draws the wait before the first button of the menus.

    Raises UsageError for a cartridge whose map does not have what the games show, or is of another release.
    """

    def __init__(self, world: NesWorld, console: Console) -> None:
        ram_map = console.ram_map
        if ram_map.family != NAME:
            raise UsageError(f"{ram_map.title} is no game of falling blocks, but one of {ram_map.family}.")
        profile = profile_of(ram_map)
        if not is_replayed(ram_map) or profile is None:
            raise UsageError(f"The map {ram_map.name} does not know all bytes that the environment shows.")
        if profile.name != world.release:
            raise UsageError(f"The cartridge is of the release {profile.name}, not {world.release}.")
        super().__init__(world, 1)
        self._world, self._console = world, console
        self._fields = np.array([index_of(ram_map.addresses(name)[0]) for name in reg.FIELDS])
        begin, length = ram_map.regions["page"]
        self._page = slice(index_of(begin), index_of(begin) + length)

    def close(self) -> None:
        """End the emulator."""
        self._console.close()

    def _begin(self, game: int) -> None:
        wait = int(draw(self._lots[game], WAITS))
        memory = self._console.begin({"level": self._world.start_level}, wait)
        self.counters[game, -1] = 0  # frames
        self.rewards[game], self.ended[game], self.cut[game] = 0.0, False, False
        self._see(memory)

    def _step(self, actions: NDArray[np.int64]) -> bool:
        if not 0 <= actions[0] < len(STEP_PADS):
            return False
        if self.ended[0] or self.cut[0]:
            self._begin(0)
            return True
        counters, world = self.counters[0], self._world
        amount = self.number("score" if world.reward == "points" else "lines")
        before = counters[amount]
        for _ in range(world.frame_skip):
            memory = self._console.step(STEP_PADS[int(actions[0])])
            counters[-1] += 1
            if self._see(memory):
                break
        self.rewards[0] = counters[amount] - before
        self.ended[0] = self._play.states[0, reg.PLAY_STATE] == reg.CURTAIN
        self.cut[0] = 0 < world.cap <= counters[-1] and not self.ended[0]
        return True

    def number(self, name: str) -> int:
        """Returns the place of a counter."""
        return [counter.name for counter in self.numbers].index(name)

    def _see(self, memory: bytes) -> bool:
        """Show a frame; returns whether the game is over."""
        bytes_now = np.frombuffer(memory, dtype=np.uint8)
        self._play.states[0] = bytes_now[self._fields]
        self._play.pages[0] = bytes_now[self._page]
        show(self._play, self._shown)
        return bool(self._play.states[0, reg.PLAY_STATE] == reg.CURTAIN)
