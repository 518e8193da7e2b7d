"""Pilots at work together, on one bridge or one each, until all have reached their goals; knows no game."""

from __future__ import annotations

from collections.abc import Sequence

from emubot.pilot.pilot import Pilot
from emubot.pilot.tally import Tally

RUNNING = "running"


class Match:
    """Steps every pilot once a frame; those on one bridge see the same frame of it.

    Where two share a bridge a goal of pieces is reached when both have so many: the one that is first plays on, for a
    game for two does not wait. Their own Goals then name no pieces; `pieces` says how many.
    """

    def __init__(self, pilots: Sequence[Pilot], pieces: int | None = None) -> None:
        self.pilots = tuple(pilots)
        self.result = RUNNING
        self.frames = 0
        self._pieces = pieces
        self._tables = [[pilot for pilot in pilots if pilot.bridge is bridge] for bridge in _bridges(pilots)]
        for table in self._tables:
            for pilot in table[1:]:
                pilot.waiting.muted = True  # it sees the same screen as the first, which says what is waited for

    @property
    def finished(self) -> bool:
        """Whether every goal is reached."""
        return self.result != RUNNING

    def run(self) -> None:
        """Play to the end and let go of the pads."""
        while not self.finished:
            self.step()
        self.release()

    def step(self) -> None:
        """One frame of every bridge whose pilots are not done yet. Raises BridgeError when an emulator fails."""
        self.frames += 1
        for table in self._tables:
            if all(pilot.finished for pilot in table):
                continue
            frame = table[0].bridge.advance()
            for pilot in table:
                pilot.see(frame)
        if self._pieces is not None and all(self._has_enough(pilot, self._pieces) for pilot in self.pilots):
            self.stop()
            self.result = "pieces"
        elif all(pilot.finished for pilot in self.pilots):
            self.result = self.pilots[-1].result

    def stop(self) -> None:
        """End in good order wherever the games are: let go of the pads and count what was reached."""
        for pilot in self.pilots:
            pilot.stop()

    def release(self) -> None:
        """Let go of every button on the pilots' ports."""
        for pilot in self.pilots:
            pilot.release()

    def total(self) -> Tally:
        """The players' figures summed."""
        return sum((pilot.tally for pilot in self.pilots[1:]), self.pilots[0].tally)

    def _has_enough(self, pilot: Pilot, pieces: int) -> bool:
        return pilot.tally.pieces >= pieces and not pilot.between_pieces


def _bridges(pilots: Sequence[Pilot]) -> list[object]:
    return list({id(pilot.bridge): pilot.bridge for pilot in pilots}.values())
