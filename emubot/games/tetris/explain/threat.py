"""How many lines a field of falling blocks is ready to clear at once; knows no search."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.snapshot import Snapshot

_MOST_LINES: Final = 4


def lines_ready(snapshot: Snapshot) -> int:
    """Returns the most lines that a bar upright in one open column completes."""
    field = np.asarray(snapshot.playfield) != 0
    lacking = (~field).sum(axis=1) == 1
    most = 0
    for column in range(field.shape[1]):
        filled = np.flatnonzero(field[:, column])
        ground = int(filled[0]) if len(filled) else len(field)
        most = max(most, int(lacking[max(0, ground - _MOST_LINES) : ground].sum()))
    return most
