"""What a viewer's keys do beside a board in the terminal: pause, slower, faster, quit; reads no key itself."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from emubot import interrupts
from emubot.systems.keys import Keys, keys
from emubot.systems.stops import around_stops

if TYPE_CHECKING:
    from emubot.bridges.protocol import Paced

_LOOK: Final = 1 / 30  # seconds between two looks at the keys
_REDRAW: Final = 0.5  # seconds, of a board that stands still in a terminal that may change its size
_SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, None)  # None: as fast as possible
_PAUSE, _SLOWER, _FASTER, _QUIT = map(frozenset, (" pP", "-_[", "+=]", "qQ"))


class ViewedBoard(Protocol):
    """A board in the terminal."""

    keys: Sequence[str]

    def leave(self) -> None:
        """Give the terminal to another program for a while."""

    def come_back(self) -> None:
        """Take the terminal again, and draw the latest frame."""

    def redraw(self) -> None:
        """Draw the latest frame now."""

    def measure_anew(self) -> None:
        """Count the frames per second from now on."""


@contextlib.contextmanager
def keys_of(board: ViewedBoard) -> Iterator[Keys]:
    """Yields the keys of the person at this terminal; none come if stdin or stdout is no terminal.

    Ctrl-Z gives the shell its terminal back, as each end of the block does.
    """
    pressed = keys(sys.stdin if sys.stdout.isatty() else None)

    def leave() -> None:
        pressed.close()
        board.leave()

    def come_back() -> None:
        pressed.__enter__()
        board.come_back()

    with pressed, around_stops(leave, come_back) if pressed.are_there else contextlib.nullcontext():
        yield pressed


class Viewer:
    """Obeys the keys of somebody who watches; call `look` before each frame.

    `paced` are consoles whose speed emubot sets; of others (none) the keys only quit. `closed` is whether the viewer
    has quit.
    """

    def __init__(
        self, pressed: Keys, board: ViewedBoard, paced: Sequence[Paced], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.closed = False
        self._pressed, self._board, self._paced, self._clock = pressed, board, paced, clock
        self._paused = False
        self._due = 0.0
        self._tell()

    def look(self) -> None:
        """Obey the keys that were pressed since the last look; does not return while the viewer pauses."""
        now = self._clock()
        if now < self._due:
            return
        self._obey()
        if self._paused:
            self._wait()
        self._due = self._clock() + _LOOK

    def _wait(self) -> None:
        drawn = self._clock()
        self._board.redraw()
        while self._paused and not self.closed:
            time.sleep(_LOOK)
            interrupts.check()
            self._obey()
            if self._clock() - drawn > _REDRAW:
                self._board.redraw()
                drawn = self._clock()
        self._board.measure_anew()

    def _obey(self) -> None:
        while not self.closed and (key := self._pressed.poll()) is not None:
            if key in _QUIT:
                self.closed = True
            elif not self._paced:
                continue
            elif key in _PAUSE:
                self._paused = not self._paused
            elif key in _SLOWER:
                self._change(-1)
            elif key in _FASTER:
                self._change(1)
            self._tell()
            self._board.redraw()

    def _change(self, by: int) -> None:
        """Change the speed of all consoles by a step."""
        now = self._paced[0].emu_speed
        place = _SPEEDS.index(now if now in _SPEEDS else 1.0)
        for one in self._paced:
            one.emu_speed = _SPEEDS[min(max(place + by, 0), len(_SPEEDS) - 1)]
        self._board.measure_anew()

    def _tell(self) -> None:
        """Say below the board what the keys do."""
        if not self._paced:
            self._board.keys = ("q quit",)
            return
        speed = self._paced[0].emu_speed
        shown = "max" if speed is None else f"{speed:g}x"
        pause = "PAUSED, space goes on" if self._paused else "space pause"
        self._board.keys = (pause, "q quit", f"- + speed {shown}")
