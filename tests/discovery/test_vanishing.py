"""Which reading of a table of rows is right is told by rows that vanish; where none does, both are tried."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from emubot.discovery import discover, vanishing
from emubot.discovery.axes import Axis
from emubot.discovery.board import Lattice
from emubot.discovery.drops import Dropper
from emubot.discovery.geometry import Geometry
from emubot.discovery.naming import Name
from emubot.discovery.survey import Survey
from emubot.discovery.tables import row_table
from emubot.discovery.units import BYTES
from emubot.discovery.vanishing import with_right_table

ROWS, COLUMNS, FIRST, TABLE = 8, 10, 100, 10
# Slot 0 is the highest in memory, and the last entry is the highest row's: both numbers and entries count upwards.
LATTICE = Lattice(BYTES, FIRST, -COLUMNS, 1, COLUMNS)


def image(rows: list[int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Memory with a table of these rows' slots, the highest row first."""
    memory = np.zeros((1, 256), np.uint8)
    memory[0, TABLE : TABLE + ROWS] = rows[::-1]
    return memory


NAMES = (Name((5,), (1,)), Name((6,), (1,)))
STILL, CLEARED = image([*range(ROWS)]), image([ROWS - 1, *range(ROWS - 1)])


@pytest.mark.parametrize("vanished", [True, False])
def test_rows_that_vanish_tell_the_readings_apart_and_otherwise_both_are_kept(
    vanished: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = row_table(STILL, LATTICE.cells(ROWS)[:, 0])
    assert first is not None
    geometry = Geometry(LATTICE, ROWS, 0, Axis(0, 1), False, 0, first)
    dropper = cast(Dropper, SimpleNamespace(lab=SimpleNamespace(replay=lambda *_: STILL)))
    monkeypatch.setattr(vanishing, "_vanished", lambda *_: np.concatenate([STILL, CLEARED]) if vanished else None)

    found = with_right_table(dropper, b"", geometry)

    right = next(table for table in (found.table, found.other_table) if table and table.down < 0)
    lowered = right.starts(CLEARED, ROWS)[0].tolist()
    assert lowered[1:] == right.starts(STILL, ROWS)[0].tolist()[:-1]
    assert (found.other_table is None) is vanished
    assert not vanished or found.table == right


def test_the_other_reading_is_tried_before_other_names() -> None:
    first, other = (row_table(STILL, LATTICE.cells(ROWS)[:, 0], against) for against in (False, True))
    geometry = Geometry(LATTICE, ROWS, 0, Axis(0, 1), False, 0, first, other)
    shapes = SimpleNamespace(unknown=lambda: None)
    fields = dict.fromkeys(Survey.__dataclass_fields__) | {"geometry": geometry, "names": NAMES, "shapes": shapes}
    candidates = discover._candidates(Survey(**cast(Any, fields)))
    assert [(one.geometry.table, one.names) for one in candidates] == [
        (first, NAMES),
        (other, NAMES),
        (first, NAMES[1:]),
    ]
