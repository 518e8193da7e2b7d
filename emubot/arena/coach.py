"""Judges a person's placements while they play, in a thread, exactly as a review does afterwards; presses nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from emubot.errors import EmubotError
from emubot.explanation import Explanation
from emubot.games.edition import Edition
from emubot.judging.judge import Judge, Mark
from emubot.judging.moves import Move
from emubot.snapshot import Snapshot
from emubot.weights import load_weights

_BEHIND: Final = 2  # pieces that may wait to be explained; older ones are left to the review


class Coach:
    """One person's coach. `tell` is called with plain data, from a thread.

    A piece has a number from 0. `coach` says where the bot would put it, as soon as that is known, and `mark` how good
    the person's placement was, with all marks so far. Cells are (column, row, kind). A piece for which there was no
    time has neither.
    """

    def __init__(self, edition: Edition, tell: Callable[[dict[str, Any]], None]) -> None:
        """Raises UsageError if the family cannot explain decisions."""
        self._judge = Judge(edition, load_weights(edition.game.facts.default_weights))
        self._tell = tell
        self._thread = ThreadPoolExecutor(1, "coach")
        self._newest = -1
        self._explained: tuple[int, Explanation] | None = None
        self._marks: Counter[Mark] = Counter()
        self._accuracy = 0.0  # of all marked placements together
        self._failed = False

    def begin(self, piece: int, snapshot: Snapshot) -> None:
        """A piece has come under control."""
        if piece != self._newest and snapshot.fault is None:
            self._newest = piece
            self._thread.submit(self._explain, piece, snapshot)

    def lock(self, piece: int, move: Move) -> None:
        """A piece has locked."""
        self._thread.submit(self._mark, piece, move)

    def close(self) -> None:
        """End the thread; nothing is told any more."""
        self._tell = _nobody
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _explain(self, piece: int, snapshot: Snapshot) -> None:
        if self._failed or piece < self._newest - _BEHIND:
            return
        try:
            explained = self._judge.explain(snapshot)
            best = self._judge.best(snapshot, explained)
        except EmubotError as failure:
            self._failed = True
            self._tell({"event": "said", "message": str(failure)})
            return
        self._explained = (piece, explained)
        if best is not None:
            placement, cells = best
            self._tell({"event": "coach", "piece": piece, "better": placement.name, "cells": [*map(list, cells)]})

    def _mark(self, piece: int, move: Move) -> None:
        if self._explained is None or self._explained[0] != piece:
            return
        judged = self._judge.judged(move, self._explained[1])
        if judged is None:
            return
        self._marks[judged.mark] += 1
        self._accuracy += judged.accuracy
        self._tell(
            {
                "event": "mark",
                "piece": piece,
                "mark": judged.mark.value,
                "why": judged.why,
                "better": judged.best.name,
                "cells": [*map(list, judged.best_cells)],
                "locked": [*map(list, judged.cells)],
                "marks": {mark.value: self._marks[mark] for mark in Mark},
                "accuracy": self._accuracy / self._marks.total(),
            }
        )


def _nobody(words: dict[str, Any]) -> None:
    """Drop what comes too late."""
