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
FIRST: Final = 3_600  # frames to the first piece that counts, a minute of the game: no way to a game takes that long
_MOST: Final = 8  # values in a sentence


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
        self._map, self._state, self._ram = ram_map, "", b""
        self._idle = 0  # frames since the last piece came, without those of a paused game
        self._frames = 0  # all of them

    def frame(self, ram: bytes, snapshot: Snapshot) -> None:
        """Take one frame of the pilot."""
        from emubot.snapshot import Phase

        playing = snapshot.phase in (Phase.PLAYING, Phase.PAUSED)
        comes = playing and (not self._in_play or self._tally.pieces > self.locked)
        if playing:
            self.locked = self._tally.pieces
        self._in_play, self._state, self._ram = playing, snapshot.state, ram
        if snapshot.phase is not Phase.PAUSED:
            self._idle = 0 if comes else self._idle + 1
            self._frames += 1
        self._took(ram)

    def check_patience(self) -> None:
        """Raise NotDiscovered if no piece has come for too long."""
        from emubot.errors import NotDiscovered

        first = not self._tally.pieces
        if self._frames <= FIRST if first else self._idle <= PATIENCE:
            return
        raise NotDiscovered(
            f"No piece has {'counted in a minute' if first else 'come for ten minutes'} of the game; the map "
            f"{self._map.name} reads {self._reading()}. Is it the map of another cartridge? emubot maps watch, with "
            "the same options, shows what it reads."
        )

    def _reading(self) -> str:
        """Returns the state with its values, and what is missing for a piece."""
        from emubot.rammap.sight import refused, tested_values
        from emubot.snapshot import Phase

        document, reader, ram = self._map.document, self._map.reader(), self._ram
        names = tested_values(document, reader)[:_MOST]
        values = ", ".join(f"{name} {reader.value(ram, name)}" for name in names)
        waits = "; or ".join(str(refusal) for refusal in refused(document, reader, ram, Phase.PLAYING))
        return f"{self._state} ({values})" + (f", and waits for {waits}" if waits else "")

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
