"""Follows a learner as it plays: counts its pieces, prints what it finds, tells when no piece comes; knows no game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from emubot.cli import common

if TYPE_CHECKING:
    from emubot.learn import MapLearner, Prober
    from emubot.pad import Pad
    from emubot.pilot import Tally
    from emubot.rammap import RamMap
    from emubot.snapshot import Snapshot

ALL_KNOWN: Final = "everything in use is known"
PATIENCE: Final = 36_000  # frames without a new piece, ten minutes of the game: no menu and no piece takes that long


class LearnerWatch:
    """Counts the pieces of the pilot, and prints what its learner finds."""

    def __init__(self, learner: MapLearner, tally: Tally, ram_map: RamMap, prober: Prober | None, quiet: bool) -> None:
        """`tally` is the pilot's."""
        self.learner = learner
        self.locked = 0  # pieces that have locked and whose effect is over
        self._better: RamMap | None = None
        self._prober, self._tally = prober, tally
        self._quiet = quiet
        self._open = set(ram_map.learns)
        self._in_play = False
        self._name, self._state = ram_map.name, ""
        self._idle = 0  # frames since the last piece came, without those of a paused game

    def frame(self, ram: bytes, snapshot: Snapshot) -> None:
        """Take one frame of the pilot."""
        from emubot.snapshot import Phase

        playing = snapshot.phase in (Phase.PLAYING, Phase.PAUSED)
        comes = playing and (not self._in_play or self._tally.pieces > self.locked)
        if playing:
            self.locked = self._tally.pieces
        self._in_play, self._state = playing, snapshot.state
        if snapshot.phase is not Phase.PAUSED:
            self._idle = 0 if comes else self._idle + 1
        self._took(ram)

    def check_patience(self) -> None:
        """Raise NotDiscovered if no piece has come for too long."""
        from emubot.errors import NotDiscovered

        if self._idle > PATIENCE:
            raise NotDiscovered(
                f"No piece has come for ten minutes of the game; by the map {self._name} this is {self._state}. Is it "
                "the map of another cartridge? emubot maps watch, with the same options, shows what it reads."
            )

    def show(self, ram: bytes, pad: Pad) -> None:
        """Give one frame without the pilot to the learner and the prober, with the pad used in it."""
        if (better := self.learner.observe(ram, pad)) is not None:
            self.found(better)
        self._took(ram)

    def found(self, better: RamMap) -> None:
        """Take a better map. It is compared once the frame that made it is counted."""
        self._better = better

    def _took(self, ram: bytes) -> None:
        """Give a frame to the prober; print what a better map knows and the one before did not."""
        if self._prober is not None:
            self._prober.frame(ram)
        better, self._better = self._better, None
        if better is None or self._quiet:
            return
        now = set(better.learns)
        if found := sorted(self._open - now):
            common.say(f"emubot: piece {self._tally.pieces + 1}: found {', '.join(found)}; {self._left()}.")
        if lost := sorted(now - self._open):
            common.say(f"emubot: piece {self._tally.pieces + 1}: {', '.join(lost)} is open again.")
        self._open = now

    def _left(self) -> str:
        return f"still open: {', '.join(self.learner.open)}" if self.learner.open else ALL_KNOWN
