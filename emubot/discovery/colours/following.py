"""Chooses, of the bytes that follow a piece, those that always move with each other; knows no field and no parts."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis, sprites
from emubot.discovery.lab import History, Lab, taps
from emubot.pad import Pad

_FALLS: Final = 240  # frames in which a piece falls by itself
_TAPS: Final = 10  # to the left, and half as many more to the right: against both walls
_ON: Final = 4  # frames of a press, and between two
_PIECES: Final = 60  # presses of DOWN, in which some pieces come and lock
_SHAKEN: Final = 5  # times that pieces are turned and pushed aside, and let down
_TURNS, _DOWNS = 3, 12  # taps of each of these times
_LATE: Final = 3  # frames between the next piece's row and its column
_COUNTS: Final = 6  # moves that count: bytes that move more often are no better for it
_TOGETHER: Final = 0.8  # of the moves that two bytes of one group have in common
_GROUPS: Final = 3  # of rows that are tried
_PIXELS: Final = 4  # a step from which a byte is one of a picture rather than of a game's own counting


def followed(
    lab: Lab, state: bytes, columns: Sequence[Axis], rows: Sequence[Axis]
) -> list[tuple[list[Axis], list[Axis]]]:
    """Returns groups of bytes that go aside with each other, and that fall with each other, the likeliest first.

    A piece's own bytes, what it is drawn by and what they are worked on in move in the same frames; other bytes that
    change now and then do not.
    """
    shown = sprites(columns, rows)
    goes_on = lab.replay(state, ([Pad.DOWN] * _ON + [Pad.NONE] * _ON) * _PIECES)
    changes = (goes_on[1:] != goes_on[:-1]).sum(0)
    walls = [*taps(Pad.LEFT, _TAPS, _ON), *taps(Pad.RIGHT, 2 * _TAPS, _ON)]
    aside = _groups(columns, lab.replay(state, walls), shown, changes)[0]
    falls = _groups(rows, lab.replay(state, [Pad.NONE] * _FALLS), shown, changes)[:_GROUPS]
    let_down = [*taps(Pad.DOWN, 1, _ON), *taps(Pad.LEFT, 1, _ON)] * _DOWNS
    shaken = lab.replay(state, [*taps(Pad.A, _TURNS, _ON), *taps(Pad.LEFT, _TAPS, _ON), *let_down] * _SHAKEN)
    return [(aside, sorted(down, key=lambda row: strays(aside[0], row, shaken))) for down in falls]


def strays(column: Axis, row: Axis, images: History) -> int:
    """Returns how often a row goes up in these frames and does not begin anew, or begins no piece where one comes.

    Pieces are pushed to the left only, so that one that comes in is further to the right than the one before. The row
    of another player's piece begins anew at other times; a byte in which falls are tried goes up between, too.
    """
    came = np.flatnonzero(np.sign(column.step) * np.diff(column.of(images)) > 0) + _LATE
    ups = np.flatnonzero(np.sign(row.step) * np.diff(row.of(images)) < 0)
    each = np.bincount(np.searchsorted(came, ups), minlength=len(came))[: len(came)]
    return int(abs(each - 1).sum())


def _groups(axes: Sequence[Axis], images: History, shown: Set[int], changes: NDArray[np.int64]) -> list[list[Axis]]:
    """Returns the axes in groups that move together, those first that move with most others; sprites are last.

    In a group those are first that have fewest `changes`: what the game works on changes between pieces, too.
    """
    moves = np.diff(np.array([np.sign(axis.step) * axis.of(images) for axis in axes]), axis=1)
    both = ((moves[:, None] == moves[None]) & (moves != 0)[:, None]).sum(2)
    either = ((moves[:, None] != 0) | (moves[None] != 0)).sum(2)
    shared = both / np.maximum(either, 1)
    scores = (shared * np.minimum(both, _COUNTS)).sum(1)
    by_score = np.argsort(-scores, kind="stable").tolist()
    own, drawn = ([one for one in by_score if (axes[one].index in shown) is is_shown] for is_shown in (False, True))
    groups = [*_together(own, shared), *_together(drawn, shared)]  # sprites are hidden now and then
    for together in groups:
        together.sort(key=lambda one: (int(changes[axes[one].index]), abs(axes[one].step) >= _PIXELS, -scores[one]))
    return [[axes[one] for one in together] for together in groups]


def _together(left: Sequence[int], shared: NDArray[np.float64]) -> list[list[int]]:
    """Returns numbers in groups of those that share most moves with the first one of the group."""
    groups = []
    while left:
        groups.append([one for one in left if shared[left[0], one] >= _TOGETHER or one == left[0]])
        left = [one for one in left if one not in groups[-1]]
    return groups
