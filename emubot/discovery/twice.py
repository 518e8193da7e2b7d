"""Finds a second memory of the board, which takes turns with the first: no map says which of the two counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from emubot.discovery.geometry import Geometry
from emubot.discovery.pieces import PieceSpan

_OFTEN: Final = 0.1  # of the pieces that each of two memories must show first


def other_board(spans: Sequence[PieceSpan], geometry: Geometry) -> int | None:
    """Returns where the byte of the highest row's first cell lies in the other memory; None if there is none.

    Both are the same when a piece enters, but for the first one. Each of them takes some of the pieces sooner than the
    other does, so that it is neither a copy nor what is copied.
    """
    own, spans = np.array(sorted(geometry.bytes), np.int64), [span for span in spans if span.before.any()]
    if not spans:
        return None
    started = np.stack([span.frames[0] for span in spans])
    fullest = started[int(np.argmax([span.before.sum() for span in spans]))]
    offsets = np.arange(-own[0], len(fullest) - own[-1])
    same = np.array([(fullest[own + offset] == fullest[own]).all() for offset in offsets], np.bool_)
    for offset in offsets[same & (offsets != 0)]:
        if (started[:, own] != started[:, own + offset]).any():
            continue
        waits = np.array([[_unchanged(span, own), _unchanged(span, own + offset)] for span in spans])
        sooner = [int((waits[:, one] < waits[:, other]).sum()) for one, other in ((0, 1), (1, 0))]
        if min(sooner) > _OFTEN * len(spans):
            return int(geometry.lattice.bytes_of(geometry.rows)[0] + offset)
    return None


def _unchanged(span: PieceSpan, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    """Returns the frames of a piece until one of these bytes changes."""
    changed = (span.frames[:, places] != span.frames[0, places]).any(1)
    return int(changed.argmax()) if changed.any() else len(changed)
