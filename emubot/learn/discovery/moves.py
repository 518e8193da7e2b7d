"""Finds the bytes that follow the pad, the piece's column and row, and plays until there are some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.learn.discovery.lab import History, Lab, taps
from emubot.pad import Pad

_WINDOW: Final = 48  # frames of an experiment
_SLOWEST: Final = 240  # frames in which a piece must fall a row by itself; NES Tetris waits 97 before its first fall
_AFTER: Final = 8  # frames after the press of a direction in which its effect must have come
_STEADY: Final = 6  # frames for which it must stay
_FALLS: Final = 3  # rows that DOWN must move a piece
_FASTEST: Final = 4  # rows a frame; a piece that moves more is another one
_PIXELS: Final = 16  # most that a column or row is apart in bytes that hold pixels
_ROUNDS: Final = 5  # looks at a screen before START is tapped
_BETWEEN: Final = 30  # frames from look to look
_SCREENS: Final = 12  # times that START is tapped at most


@dataclass(frozen=True, slots=True)
class Axis:
    """A byte that follows the piece: `step` is what a column to the right, or a row downwards, adds to it."""

    index: int
    step: int

    def since(self, first: History, images: History) -> NDArray[np.int64]:
        """Returns how many columns or rows each image is away from the first one, from -128 / step on."""
        moved = (images[:, self.index].astype(np.int64) - int(first[0, self.index]) + 128) % 256 - 128
        return moved // self.step if self.step > 0 else -(moved // -self.step)

    def of(self, images: History) -> NDArray[np.int64]:
        """Returns the byte of each image: a signed number, or one divided by the step where it holds pixels."""
        numbers = images[:, self.index]
        return (numbers.view(np.int8) if abs(self.step) == 1 else numbers // abs(self.step)).astype(np.int64)

    def went_back(self, images: History) -> NDArray[np.bool_]:
        """Returns for each image but the first whether it is neither where the one before was nor a little further."""
        numbers = images[:, self.index].astype(np.int64) * (1 if self.step > 0 else -1)
        moved: NDArray[np.int64] = (numbers[1:] - numbers[:-1]) % 256
        return moved > _FASTEST * abs(self.step)


@dataclass(frozen=True, slots=True)
class PlayStart:
    """A moment with a piece under control, what moves it, and how it was reached from power-on."""

    state: bytes
    columns: tuple[Axis, ...]
    rows: tuple[Axis, ...]
    menus: History  # the frames from power-on to the last tap of START
    starts: int  # times that START was tapped


def reach_play(lab: Lab) -> PlayStart | None:
    """Play from power-on, by tapping START alone, until a piece follows the pad; None if none ever does."""
    menus = lab.play([Pad.NONE])
    for starts in range(_SCREENS + 1):
        passed = []
        for _ in range(_ROUNDS):
            passed.append(lab.play([Pad.NONE] * _BETWEEN))
            state = lab.save()
            columns, rows = moving(lab, state)
            lab.load(state)
            if columns and rows:
                return PlayStart(state, columns, rows, menus, starts)
        menus = np.concatenate([menus, *passed])
        lab.play(taps(Pad.START, 1))
    return None


def moving(lab: Lab, state: bytes) -> tuple[tuple[Axis, ...], tuple[Axis, ...]]:
    """Returns the bytes that follow LEFT and RIGHT as a column does, and those that DOWN moves as a row."""
    still = lab.replay(state, [Pad.NONE] * _SLOWEST)
    held = lab.replay(state, [Pad.DOWN] * _WINDOW)
    left, right = (
        lab.replay(state, [*taps(way, 1), *[Pad.NONE] * (_AFTER + _STEADY)]) for way in (Pad.LEFT, Pad.RIGHT)
    )
    columns = tuple(_columns(still[: len(left)], left, right))
    return columns, tuple(_rows(still, held)) if columns else ()


def most_agreed(axes: Sequence[Axis], images: History, near: int = 0) -> Axis:
    """Returns the axis with which most others agree in each frame; of equal ones the one nearest to the byte `near`.

    Bytes that hold pixels come after the others. Copies and sprites agree with the byte that the game itself goes by;
    scratch bytes do so now and then only.
    """
    moves = {axis: np.sign(axis.step) * np.diff(axis.of(images)) for axis in axes}
    agree = {axis: sum(int((moves[axis] == other).sum()) for other in moves.values()) for axis in axes}
    return min(axes, key=lambda axis: (abs(axis.step), -agree[axis], abs(axis.index - near)))


def _columns(still: History, left: History, right: History) -> Iterator[Axis]:
    """Yields the bytes that a tap to the right adds a number to, and a tap to the left takes the same from."""
    base, lower, higher = (images[_AFTER : _AFTER + _STEADY] for images in (still, left, right))
    gained, lost = (higher - base).view(np.int8), (base - lower).view(np.int8)
    steady = (gained == gained[0]).all(0) & (lost == gained).all(0)
    for index in np.flatnonzero(steady & (gained[0] != 0) & (abs(gained[0].astype(np.int16)) <= _PIXELS)):
        yield Axis(int(index), int(gained[0, index]))


def _rows(still: History, held: History) -> Iterator[Axis]:
    """Yields the bytes that move by one step again and again while DOWN is held, and by the same, later, without it."""
    falls, drifts = (np.diff(images, axis=0).view(np.int8) for images in (held, still))
    for index in np.flatnonzero((falls != 0).any(0) & (drifts != 0).any(0)):
        moved = np.flatnonzero(falls[:, index])
        step = int(falls[moved[0], index])
        other = moved[falls[moved, index] != step]
        until = int(other[0]) if other.size else len(falls)
        times = int((moved < until).sum())
        alone = drifts[:, index]
        if (
            times >= _FALLS
            and abs(step) <= _PIXELS
            and (alone[:until] != 0).sum() < times
            and alone[np.flatnonzero(alone)[0]] == step
        ):
            yield Axis(int(index), step)
