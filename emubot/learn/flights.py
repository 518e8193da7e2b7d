"""Gives each piece an end: a frame of phase locked, even where a map has no state for it; knows no game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from emubot.snapshot import Phase, Piece, Snapshot

_LIFTED: Final = 2  # rows that a piece may rise by itself
_TURNED: Final = 5  # the same with a turn, whose pivot may be another cell
_NEAR: Final = 5  # rows and columns from a piece's pivot to its cells


class Flights:
    """Decodes frames. Frames of play without a piece under control have the phase locked, and show none.

    A piece is over when another one came, when it is nowhere, or when cells near it are filled. It may then still be
    shown where it was.
    """

    def __init__(self, decode: Callable[[bytes], Snapshot]) -> None:
        self._decode = decode
        self._last: Snapshot | None = None  # the last frame of the piece under control
        self._stale: Piece | None = None  # where a piece was over

    def __call__(self, ram: bytes) -> Snapshot:
        """Returns the snapshot of a frame."""
        now, last = self._decode(ram), self._last
        if now.phase is not Phase.PLAYING:
            self._last = None
            return now
        if last is not None and last.current is not None and _is_over(last, last.current, now):
            self._last, self._stale = None, last.current
            return replace(now, phase=Phase.LOCKED, current=None)
        if now.current is None or (last is None and now.current == self._stale):
            return replace(now, phase=Phase.LOCKED, current=None)
        self._last, self._stale = now, None
        return now


def _is_over(last: Snapshot, before: Piece, now: Snapshot) -> bool:
    piece = now.current
    if piece is None:
        return True
    if before.row - piece.row > (_LIFTED if piece.orientation == before.orientation else _TURNED):
        return True
    if now.playfield is last.playfield or now.playfield.shape != last.playfield.shape:
        return False
    filled = np.argwhere((now.playfield != 0) & (last.playfield == 0))
    return bool((abs(filled - (before.row, before.column)) <= _NEAR).all(axis=1).any())
