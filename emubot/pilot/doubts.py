"""Notices a map by which no piece is ever counted, or none where it was meant, and says so once; reads no memory."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Final

from emubot.pad import describe
from emubot.pilot.scorekeeper import same_place
from emubot.pilot.tally import Tally
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Placement, Snapshot

_LOG = logging.getLogger(__name__)
_ENOUGH: Final = 10  # pieces in a row before it is said
_DIVERTED: Final = 100  # times that one piece goes elsewhere than planned before it is said
_WATCH: Final = '"emubot maps watch" shows what it reads there'


class Doubts:
    """What one player's pieces say against the map. `said` holds each sentence that was logged, once each.

    Tell it of every piece that went by without being counted, of every one that locked, and of those that go astray.
    """

    def __init__(self, ram_map: RamMap, tally: Tally) -> None:
        """`tally` is the player's: nothing is lost any more once a piece was counted."""
        self.said: list[str] = []
        self._map, self._tally = ram_map, tally
        self._lost: Counter[str] = Counter()  # by what was seen after the piece
        self._missed: int | None = 0  # pieces that locked elsewhere; None once one did not, or it was said

    def followed(self, snapshot: Snapshot) -> None:
        """A piece was followed by another one, and the map showed the same state all the time."""
        self._add(f"showed {snapshot.state} all the time")

    def left(self, snapshot: Snapshot) -> None:
        """A piece was gone in this frame, and it was not counted."""
        if snapshot.phase is Phase.LOCKED:
            self._add("showed the pieces where no placement can be found for them")
        elif snapshot.phase is Phase.UNKNOWN:
            self._add("knew no state after them")
        else:
            self._add(f"showed {snapshot.state} (phase {snapshot.phase.value}) after them")

    def diverted(self, times: int) -> None:
        """A piece was not where its plan had it, for the `times`-th time."""
        if times == _DIVERTED and self._missed is not None:
            self._missed = None
            buttons = self._map.buttons
            words = ", ".join(
                f"{name} {describe(pad)}"
                for name, pad in (
                    ("left", buttons.left),
                    ("right", buttons.right),
                    ("clockwise", buttons.rotate_clockwise),
                    ("counterclockwise", buttons.rotate_counterclockwise),
                )
                if pad
            )
            self._say(
                f"a piece went elsewhere than its buttons should move it {_DIVERTED} times: the map "
                f"{self._map.name} says {words}; {_WATCH}."
            )

    def placed(self, chosen: Placement, locked: Piece) -> None:
        """A piece for which a placement was chosen has locked here. Locks that nobody saw say nothing."""
        if self._missed is None:
            return
        if same_place(chosen, locked):
            self._missed = None
            return
        self._missed += 1
        if self._missed == _ENOUGH:
            self._say(
                f"{_ENOUGH} pieces locked, and none where it was meant: the last one at {_words(locked)}, not at "
                f"{_words(chosen)}; by the map {self._map.name} the piece's place or turn, its cells or a button is "
                f"another one than in the game: {_WATCH}."
            )

    def _add(self, seen: str) -> None:
        if self._tally.pieces:
            return
        self._lost[seen] += 1
        if self._lost.total() == _ENOUGH:
            (most, _), *_ = self._lost.most_common(1)
            self._say(
                f"{_ENOUGH} pieces came, and none was counted: the map {self._map.name} {most}, {self._expected()}: "
                f"{_WATCH}."
            )

    def _expected(self) -> str:
        """Returns half a sentence: what counts a piece by the map."""
        rules = [rule for rule in self._map.document.phases if rule.phase == Phase.LOCKED.value]
        if not rules:
            return "and it has no phase locked, which counts a piece; add one that holds from a lock to the next piece"
        asked = " or ".join(
            f"{rule.state} ({', '.join(f'{name} {criterion}' for name, criterion in rule.when.items())})"
            for rule in rules
        )
        return f"and not right away its phase locked, which counts a piece, {asked}"

    def _say(self, sentence: str) -> None:
        self.said.append(sentence)
        _LOG.warning(sentence)


def _words(place: Piece | Placement) -> str:
    return f"column {place.column}, row {place.row}, orientation {place.orientation}"
