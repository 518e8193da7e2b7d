"""Notices a map by which no piece is ever counted, or none where it was meant, and says so once; reads no memory."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from typing import Final

from emubot.pad import describe
from emubot.pilot.scorekeeper import same_place
from emubot.pilot.tally import Tally
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Placement, Snapshot

_LOG = logging.getLogger(__name__)
_ENOUGH: Final = 10  # pieces in a row before it is said
_DIVERTED: Final = 100  # times that one piece goes elsewhere than planned before it is said
_WATCH: Final = '"emubot maps watch" shows what it reads there'


class Doubts:
    """What one player's pieces say against the map. `said` holds each sentence that was logged, once each.

    Tell it of every piece that went by without being counted, of every one that locked, and of those that go astray.
    """

    def __init__(self, ram_map: RamMap, tally: Tally, errs: bool = False) -> None:
        """`tally` is the player's: nothing is lost any more once a piece was counted.

        Where the hands err, a piece that goes elsewhere says nothing against the map.
        """
        self.said: list[str] = []
        self.on_placed: list[Callable[[Placement, Piece | None], None]] = []  # with what `placed` is told
        self._map, self._tally = ram_map, tally
        self._lost: Counter[str] = Counter()  # by what was seen after the piece
        # Pieces that locked elsewhere; None once one did not, or it was said.
        self._missed: int | None = None if errs else 0

    def left(self, snapshot: Snapshot) -> None:
        """A game was over in this frame, by its phase, before the board showed where its last piece locked."""
        self._add(f"showed {snapshot.state} (phase {snapshot.phase.value}) before the board showed them at rest")

    def unplaced(self) -> None:
        """A piece has locked for which no placement had been found."""
        self._add("showed the pieces where no placement can be found for them")

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

    def placed(self, chosen: Placement, locked: Piece | None) -> None:
        """A piece for which a placement was chosen has locked here; None if the board did not show where."""
        for hear in self.on_placed:
            hear(chosen, locked)
        if self._missed is None:
            return
        if locked is not None and same_place(chosen, locked):
            self._missed = None
            return
        self._missed += 1
        if self._missed == _ENOUGH:
            where = "where the board does not show a piece of its cells" if locked is None else f"at {_words(locked)}"
            self._say(
                f"{_ENOUGH} pieces locked, and none where it was meant: the last one {where}, not at "
                f"{_words(chosen)}; by the map {self._map.name} the piece's place or turn, its cells or a button is "
                f"another one than in the game: {_WATCH}."
            )

    def _add(self, seen: str) -> None:
        if self._tally.pieces:
            return
        self._lost[seen] += 1
        if self._lost.total() == _ENOUGH:
            (most, _), *_ = self._lost.most_common(1)
            self._say(f"{_ENOUGH} pieces came, and none was counted: the map {self._map.name} {most}; {_WATCH}.")

    def _say(self, sentence: str) -> None:
        self.said.append(sentence)
        _LOG.warning(sentence)


def _words(place: Piece | Placement) -> str:
    return f"column {place.column}, row {place.row}, orientation {place.orientation}"
