"""Proves a draft: a pilot plays by it from power-on, and what it predicts must come true; writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from emubot import games
from emubot.bridges.protocol import Bridge
from emubot.discovery.lab import SavesStates
from emubot.discovery.recording import Recorder
from emubot.games.edition import Edition
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import RamMap
from emubot.rammap.placing import placed_by_cells
from emubot.snapshot import Phase, Snapshot

PIECES: Final = 50
_PATIENCE: Final = 3600  # frames without a piece
_MOST_FRAMES: Final = 200_000
_BLIND: Final = 60_000  # frames in which a learner must have seen enough to plan
_LEARNS: Final = 400  # pieces in which all pieces must have been learnt
_NAME: Final = "piece"  # the value with the number of the piece in the air
_SURELY: Final = 8  # frames in which the number of a piece stays unknown
_MENDS: Final = 3  # misplaced pieces from which a learner may learn, before all is proved anew
MOST_PIECES: Final = 200  # planned ones, until enough rows have vanished
_LONG: Final = 20_000  # frames after which no further rows are waited for


@dataclass(frozen=True, slots=True)
class Proof:
    """How a pilot fared with a draft.

    `learnt` are the pieces that it took to learn the rest, `pieces` those that were planned after that, `misplaced`
    those of them that locked elsewhere, `replans` the changes of their plans and `frames` the time that they took.
    `ram_map` is the map with what was learnt, `evidence` how it is known. `seen`
    is what memory showed meanwhile.
    """

    ram_map: RamMap
    evidence: dict[str, str]
    learnt: int
    pieces: int
    misplaced: int
    replans: int
    frames: int
    state: str  # that the map knew last
    doubts: tuple[str, ...]
    seen: Recorder
    stranger: bytes | None  # a moment with a piece that the map does not know, with which the proof ended

    @property
    def holds(self) -> bool:
        """Whether all came true."""
        return self.pieces >= PIECES and not self.misplaced

    @property
    def pace(self) -> float:
        """The frames that a planned piece took."""
        return self.frames / max(self.pieces, 1)


def prove(bridge: Bridge, ram_map: RamMap, prepare: Callable[[Edition], None], most: int = MOST_PIECES) -> Proof:
    """Play by a map, from what the bridge shows now, until 50 pieces were planned and locked.

    `prepare` is called with an edition before it plays. It ends early where no piece comes. It goes on for a while, up
    to `most` pieces, until enough rows have vanished for `seen` to tell counters.
    """
    edition = games.open_edition(ram_map)
    prepare(edition)
    bridge.press(0, Pad.NONE)  # what an experiment held last would lead through the first menu
    pilot = Pilot(bridge, Goal(pieces=None, games=None), edition)
    pilot.on_map.append(lambda better: prepare(games.open_edition(better)))
    seen = Recorder(pilot)
    unknown = _Unknown(pilot)
    tally, learner = pilot.tally, pilot.learner
    learnt, misplaced, replans, began, last, at, mends = 0, 0, 0, 0, 0, 0, _MENDS
    while pilot.frames < _MOST_FRAMES and pilot.frames - at < _PATIENCE:
        pilot.step()
        if unknown.falls:
            break
        if learner is not None and learner.blind and pilot.frames < _BLIND:
            at = pilot.frames  # pieces that only show a learner something are not counted
        if tally.pieces != last:
            last, at = tally.pieces, pilot.frames
            # A learner that was wrong about a shape sees it in the lock that went wrong.
            mended = learner is not None and tally.misplaced > misplaced and mends > 0
            mends -= mended
            if learner is not None and (learner.blind or mended):
                learnt, misplaced, replans, began = tally.pieces, tally.misplaced, tally.replans, pilot.frames
                if learnt > _LEARNS:
                    break
            elif tally.misplaced > misplaced or _is_over(tally.pieces - learnt, most, pilot.frames, seen):
                break
    pilot.release()
    blind = learner is not None and learner.blind
    finished = getattr(learner, "finished", None)
    evidence = getattr(learner, "evidence", None)
    return Proof(
        ram_map=finished() if finished else ram_map,
        evidence=dict(evidence()) if evidence else {},
        learnt=learnt,
        pieces=0 if blind else tally.pieces - learnt,
        misplaced=0 if blind else tally.misplaced - misplaced,
        replans=tally.replans - replans,
        frames=pilot.frames - began,
        state=str(pilot.phase.value),
        doubts=tuple(pilot.doubts.said),
        seen=seen,
        stranger=bridge.save() if unknown.falls and isinstance(bridge, SavesStates) else None,
    )


class _Unknown:
    """Watches for a piece with a number, or with cells, that no orientation of the map has."""

    def __init__(self, pilot: Pilot) -> None:
        ram_map, self._frames = pilot.edition.ram_map, 0
        reader, known = ram_map.reader(), {orientation.id for orientation in ram_map.pieces}
        self._placed = placed_by_cells(ram_map, 0, ordered=False, id_name=_NAME)
        self._is_known: Callable[[bytes], bool] = lambda ram: reader.value(ram, _NAME) in known
        if self._placed is not None:
            self._is_known = self._is_placed
        if known and (self._placed or _NAME in reader.names):
            pilot.on_frame.append(self._see)

    @property
    def falls(self) -> bool:
        """Whether such a piece is in the air, and not only a number in passing."""
        return self._frames >= _SURELY

    def _see(self, ram: bytes, snapshot: Snapshot) -> None:
        known = snapshot.phase is not Phase.PLAYING or self._is_known(ram)
        self._frames = 0 if known else self._frames + 1

    def _is_placed(self, ram: bytes) -> bool:
        return self._placed is not None and self._placed(ram) is not None


def _is_over(planned: int, most: int, frames: int, seen: Recorder) -> bool:
    return planned >= PIECES and (seen.is_enough or planned >= most or frames > _LONG)
