"""One piece is dropped in every column; others pile up where their halves rest on those of the pieces below."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from emubot.discovery import pads
from emubot.discovery.arriving import Play
from emubot.discovery.axes import Axis
from emubot.discovery.colours import survey
from emubot.discovery.colours.landings import Landing, landings
from emubot.discovery.drops import Drop, Dropper
from emubot.discovery.lab import Lab
from emubot.errors import NotDiscovered
from emubot.pad import Pad


class Field:
    """A field in which pieces of two columns enter at a place, and come to rest in the lowest row."""

    column, row = Axis(0, 1), Axis(1, 1)

    def __init__(self, columns: int, enters: int) -> None:
        self._last, self._enters = columns - 2, enters

    @property
    def slow(self) -> Field:
        return self

    def tapped(self, button: Pad, times: int) -> list[Pad]:
        return [button] * times

    def drop(self, state: bytes, pads: Sequence[Pad] = ()) -> Drop:
        """The moment after it has the columns of all pieces so far."""
        aside = sum({Pad.LEFT: -1, Pad.RIGHT: 1}.get(pad, 0) for pad in pads)
        x = min(max(self._enters + aside, 0), self._last)
        frames = np.array([[x, 10], [x, 10]], np.uint8)
        return Drop(frames, 0, 1, False, state + bytes([x]))


@pytest.mark.parametrize(
    ("columns", "enters", "piles"),
    [(4, 1, [0] * 3 + [2] * 3), (6, 2, [0] * 3 + [2] * 3 + [4] * 3), (8, 3, [0] * 3 + [3] * 3 + [6] * 3)],
)
def test_piles_lie_beside_each_other_on_a_piece_that_was_dropped_there(
    columns: int, enters: int, piles: list[int]
) -> None:
    seen = landings(cast(Dropper, Field(columns, enters)), b"")
    assert [one.across for one in seen if not one.number] == [*range(columns - 1)]
    assert [one.across for one in seen if one.number] == piles
    assert seen[-1].drop.next_state == bytes([0, *piles]), "the first piece lies where the first pile is"


@pytest.mark.parametrize("vanish", [0, 2, 3])
def test_a_piece_that_vanishes_wherever_it_falls_is_followed_by_others(
    vanish: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[bytes] = []

    def fell(_: object, state: bytes) -> list[Landing]:
        tried.append(state)
        drop = SimpleNamespace(next_state=state + b"next ")
        return [cast(Landing, SimpleNamespace(drop=drop))]

    measured: Any = SimpleNamespace(press=1), Field.column
    monkeypatch.setattr(survey, "followed", lambda *_: [([Field.column], [Field.row])])
    monkeypatch.setattr(pads, "measure", lambda *_: measured)
    monkeypatch.setattr(survey, "landings", fell)
    monkeypatch.setattr(survey, "_grounds", lambda *_: ["field"] if len(tried) > vanish else [])
    fields = survey._fields(cast(Lab, None), Play(b"", (), ()))
    if vanish == 3:
        with pytest.raises(NotDiscovered, match="no bytes were filled"):
            next(fields)
    else:
        assert [str(ground) for _, _, ground in fields] == ["field"]
    assert tried == [b"next " * number for number in range(min(vanish + 1, 3))]
