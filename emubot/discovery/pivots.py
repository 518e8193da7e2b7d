"""Chooses, of the bytes that follow a piece, those that hold its pivot: not a cell's place, a copy or a sprite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from emubot.discovery.axes import HALVES, Axis
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import History
from emubot.discovery.pieces import PieceSpan
from emubot.discovery.screens import STACK
from emubot.pad import Pad
from emubot.rammap.spaces import address_of

_MOST: Final = 3  # of each
_SHOWS: Final = 12  # frames after a press in which its effect comes
_MOSTLY: Final = 0.9  # of the pieces that must agree on it
_LATER: Final = 1.05  # times as far from its last place: a copy that comes later
_FAR: Final = 4  # rows that a piece must have fallen to tell what a row is in another byte, as in half rows
_ASIDE: Final = 2  # columns that it must have moved for the same


def pivots(
    spans: Sequence[PieceSpan], columns: Sequence[Axis], rows: Sequence[Axis], column: Axis, row: Axis
) -> Iterator[tuple[Axis, Axis]]:
    """Yields columns and rows of the pivot, the likeliest first; candidates go the same way as `column` and `row`.

    A pivot moves aside only after LEFT or RIGHT, and never back up; the place of a cell changes with every turn. A copy
    that is made later comes to its last place later.
    """
    known = min((column, *columns), key=lambda axis: (_strays_aside(axis, spans), lateness(axis, spans)))
    across = [scaled for axis in columns if (scaled := _scaled(axis, known, spans, _ASIDE)) is not None]
    down = [scaled for axis in rows if (scaled := _scaled(axis, row, spans, _FAR)) is not None]
    strays = {axis: _strays_aside(axis, spans) for axis in across}
    back = {axis: _strays_up(axis, spans) for axis in down}
    late = {axis: lateness(axis, spans) for axis in (*across, *down)}
    firsts = _ranked(across, strays, late, column, column)[:_MOST]
    for number, best in enumerate(firsts):
        lower = _ranked(down, back, late, row, best)
        yield from ((best, axis) for axis in lower[: _MOST if not number else 1])


def halfway(spans: Sequence[PieceSpan], row: Axis, geometry: Geometry) -> int:
    """Returns what the byte of half rows lacks: the board and the row then change together most often."""
    if abs(row.step) != HALVES or not geometry.drawn:
        return 0
    agreed = dict.fromkeys((0, 1), 0)
    for span in spans:
        frames = span.frames[: span.last + 1]
        drawn = (np.diff(geometry.units(frames).astype(np.int64), axis=0) != 0).any((1, 2))
        numbers = frames[:, row.index].view(np.int8).astype(np.int64)
        for lacks in agreed:
            agreed[lacks] += int((drawn & (np.diff((numbers + lacks) * np.sign(row.step) // HALVES) != 0)).sum())
    return max(agreed, key=lambda lacks: agreed[lacks])


def _ranked(
    axes: Sequence[Axis],
    strays: Mapping[Axis, int],
    late: Mapping[Axis, tuple[float, float]],
    usual: Axis,
    near: Axis,
) -> list[Axis]:
    """Returns the axes, the likeliest first: of equal ones the `usual` one, and those that lie near `near`."""
    least = min((late[axis][1] for axis in axes), default=0.0)

    def rank(axis: Axis) -> tuple[object, ...]:
        in_stack, is_finer = address_of(axis.index) in STACK, abs(axis.step) > abs(usual.step)
        wait, far = late[axis]
        is_other, is_far = axis.index != usual.index, far > _LATER * least
        return strays[axis], in_stack, wait, is_far, is_other, is_finer, far, abs(axis.index - near.index)

    return sorted(axes, key=rank)


def lateness(axis: Axis, spans: Sequence[PieceSpan]) -> tuple[float, float]:
    """Returns the frames from a lock until a byte has the next piece's place, where that is another one, and how far it
    is from a piece's last place in all frames of it together, in cells: what is usual, and the mean.

    Frames may end before a copy has the next piece's place, so that it seems to have it at once.
    """
    after = [span.frames[span.last :, axis.index] for span in spans]
    waits = [np.count_nonzero(places[1:] != places[-1]) for places in after if places[0] != places[-1]]
    far = [
        np.abs(np.cumsum(np.diff(frames[::-1, axis.index]).view(np.int8).astype(np.int64))).sum()
        for frames in _under_control(spans)
    ]
    if not waits or not far:
        return 0.0, 0.0
    return float(np.median(waits)), round(float(np.mean(far)) / abs(axis.step), 1)


def _scaled(axis: Axis, usual: Axis, spans: Sequence[PieceSpan], least: int) -> Axis | None:
    """Returns a candidate with the step by which it follows `usual` from first to last; None if it does not.

    Pieces that `usual` moved by `least` at least tell.
    """
    ratios = Counter[int]()
    for frames in _under_control(spans):
        moved = int(usual.path(frames)[-1])
        if abs(moved) >= least:
            gone = int(np.diff(frames[:, axis.index]).view(np.int8).astype(np.int64).sum())
            ratios[round(gone / moved)] += 1
    if axis.index == usual.index:
        return usual
    step, times = ratios.most_common(1)[0] if ratios else (0, 0)
    return replace(axis, step=step) if step and times >= _MOSTLY * ratios.total() else None


def _under_control(spans: Sequence[PieceSpan]) -> Iterator[History]:
    yield from (span.frames[: span.last + 1] for span in spans if span.last > 1)


def _strays_aside(axis: Axis, spans: Sequence[PieceSpan]) -> int:
    """Returns in how many frames a byte changes long after a press of LEFT or RIGHT, or by more than a column."""
    strays = 0
    for span in spans:
        frames = span.frames[: span.last + 1, axis.index]
        if len(frames) < 2:
            continue
        aside = np.array([bool(pad & (Pad.LEFT | Pad.RIGHT)) for pad in span.pads[1 : span.last + 1]], np.bool_)
        near = np.convolve(aside, np.ones(_SHOWS))[: len(aside)] > 0
        moved = np.abs(np.diff(frames).view(np.int8).astype(np.int64))
        strays += int(((moved > 0) & (~near | (moved > abs(axis.step)))).sum())
    return strays


def _strays_up(axis: Axis, spans: Sequence[PieceSpan]) -> int:
    """Returns in how many frames a byte goes up again."""
    way = 1 if axis.step > 0 else -1
    return sum(int((way * np.diff(frames[:, axis.index]).view(np.int8) < 0).sum()) for frames in _under_control(spans))
