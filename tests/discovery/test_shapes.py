"""Pieces of which too little was seen are turned as they were when it was tried out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from emubot.discovery import shapes
from emubot.discovery.axes import Axis
from emubot.discovery.drops import Dropper
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import History
from emubot.discovery.naming import Name
from emubot.discovery.pieces import PieceSpan, Wanted
from emubot.discovery.shapes import Collector, collect_also
from emubot.pad import Pad


def test_a_press_is_tried_in_the_frame_in_which_it_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some games look at the pad in every second frame only: there a press of one frame may be lost."""
    tried: list[list[Pad]] = []

    def replay(state: bytes, pads: Iterable[Pad]) -> History:
        tried.append(list(pads))
        return np.zeros((1, 1), np.uint8)

    def pieces_of(*_: Any, wanted: Wanted, **__: Any) -> Iterator[Any]:
        wanted(b"")
        return iter(())

    dropper = SimpleNamespace(lab=SimpleNamespace(replay=replay), tapped=lambda turn, times: [turn, Pad.NONE] * times)
    collector = SimpleNamespace(number=lambda images: 0, missing=set(), knows=lambda number: True, shapes=lambda: None)
    monkeypatch.setattr(shapes, "pieces_of", pieces_of)
    collect_also(cast(Dropper, dropper), b"", cast(Collector, collector), cast(Geometry, None), [Pad.A])
    assert [pads[:3] for pads in tried[1:]] == [[Pad.NONE, Pad.A, Pad.NONE]] * (len(tried) - 1)


def turned(presses: int, stays: bool) -> PieceSpan:
    """A piece of the name 1, which a tap of A makes 2, or leaves as it is."""
    frames = np.ones((40, 1), np.uint8)
    pads = [Pad.NONE] * 40
    if presses:
        pads[4] = Pad.A
        frames[5:] = 1 if stays else 2
    return PieceSpan(frames, tuple(pads), 39, 39, None, np.zeros((1, 1), np.bool_))


@pytest.mark.parametrize(("turns", "blocked", "after"), [(3, 0, 2), (3, 9, 2), (1, 9, 1), (0, 3, 1)])
def test_a_piece_that_had_no_room_to_turn_now_and_then_can_be_turned(turns: int, blocked: int, after: int) -> None:
    collector = Collector(Axis(0, 1), Axis(0, 1), Name((0,), (1,)), [Pad.A], cast(Geometry, None))
    for stays in [False] * turns + [True] * blocked:
        collector.add(turned(1, stays))
    assert collector._after(1) == {Pad.A: after}
