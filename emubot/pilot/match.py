"""Runs several pilots together, on one bridge or one each, until all have reached their goals; knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from emubot.errors import UsageError
from emubot.pilot.pilot import Pilot
from emubot.pilot.tally import Tally
from emubot.snapshot import Phase

_ALONE: Final = 3  # pieces of one player during which nothing of the other moves: no game for two has that
RUNNING = "running"
FAILED = "error"


class _Together:
    """Notices that one of the pilots of a console plays alone, as in a game for one. Call `check` after each frame."""

    def __init__(self, pilots: Sequence[Pilot]) -> None:
        self._pilots = pilots
        # For each player the other one's pieces when this one was last seen in play.
        self._since = dict.fromkeys(permutations(range(len(pilots)), 2), 0)

    def check(self) -> None:
        """Raise UsageError if a player has placed some pieces since another one was last in play."""
        for one, other in self._since:
            player, missing = self._pilots[one], self._pilots[other]
            pieces = player.tally.pieces
            if missing.finished or (missing.in_game and missing.phase is not Phase.PAUSED):
                self._since[one, other] = pieces
            elif pieces - self._since[one, other] >= _ALONE:
                raise UsageError(
                    f"AIvsAI needs the game for two, and in {player.bridge.facts.emulator} player {one + 1} plays "
                    "alone: end that game, or choose the game for two there, and start emubot again; or leave out "
                    "AIvsAI."
                )


class Match:
    """Steps every pilot once per frame. Pilots on the same bridge see the same frame.

    If two pilots share a bridge, a goal of pieces is reached when both have placed that number. The first one to reach
    it plays on, because a game for two does not wait. `pieces` gives the number, and the pilots' own Goals name none.
    """

    def __init__(self, pilots: Sequence[Pilot], pieces: int | None = None) -> None:
        self.pilots = tuple(pilots)
        self.result = RUNNING
        self.frames = 0
        self._pieces = pieces
        self._tables = [[pilot for pilot in pilots if pilot.bridge is bridge] for bridge in _bridges(pilots)]
        self._together = [_Together(table) for table in self._tables]
        for table in self._tables:
            for pilot in table[1:]:
                pilot.waiting.muted = True  # it sees the same screen as the first pilot, which reports the wait

    @property
    def finished(self) -> bool:
        """Whether all goals are reached."""
        return self.result != RUNNING

    def run(self) -> None:
        """Play to the end, then release the pads."""
        while not self.finished:
            self.step()
        self.release()

    def step(self) -> None:
        """Play one frame on every bridge that has an unfinished pilot.

        Raises BridgeError if an emulator fails, UsageError if two pilots share a bridge and its game is for one.
        """
        self.frames += 1
        for table, together in zip(self._tables, self._together, strict=True):
            if all(pilot.finished for pilot in table):
                continue
            frame = table[0].bridge.advance()
            for pilot in table:
                pilot.see(frame)
            together.check()
        if self._pieces is not None and all(self._has_enough(pilot, self._pieces) for pilot in self.pilots):
            self.stop()
            self.result = "pieces"
        elif all(pilot.finished for pilot in self.pilots):
            self.result = self.pilots[-1].result

    def stop(self) -> None:
        """End now, at any point of the games: release the pads and count what was reached."""
        for pilot in self.pilots:
            pilot.stop()

    def abandon(self) -> None:
        """Count what was reached, after an error: the emulator may be gone, so no pad is written."""
        self.result = FAILED
        for pilot in self.pilots:
            pilot.count()

    def release(self) -> None:
        """Release every button on the pilots' ports."""
        for pilot in self.pilots:
            pilot.release()

    def total(self) -> Tally:
        """Returns the sum of all players' figures."""
        return sum((pilot.tally for pilot in self.pilots[1:]), self.pilots[0].tally)

    def _has_enough(self, pilot: Pilot, pieces: int) -> bool:
        return pilot.tally.pieces >= pieces and not pilot.phase.between_pieces


def _bridges(pilots: Sequence[Pilot]) -> list[object]:
    return list({id(pilot.bridge): pilot.bridge for pilot in pilots}.values())
