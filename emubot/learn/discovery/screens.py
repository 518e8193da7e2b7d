"""Finds conditions on bytes that hold in a game's frames of one phase and in no others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.learn.discovery.lab import History

Condition = Mapping[int, tuple[int, ...]]  # the numbers that each of these bytes may have

_MOST_BYTES: Final = 4  # of a condition
_MOST_NUMBERS: Final = 8  # of a byte


@dataclass(frozen=True, slots=True)
class PhaseConditions:
    """What holds while a piece is under control, between two pieces, when the game is over, and in its menus."""

    playing: Condition
    told_apart: float  # share of all other frames in which `playing` does not hold
    between: Condition
    over: Condition
    menus: Condition


def tell_apart(
    control: History, waits: History, games: History, over: History, menus: History, taken: Collection[int] = ()
) -> PhaseConditions:
    """Returns the conditions of each phase; one that no byte tells apart from the others is empty.

    `control` are frames in which a piece was under control for certain, `waits` frames between two pieces, `games` all
    frames of games: those in which `playing` does not hold lie between two pieces, too. `taken` are bytes that mean
    something else.
    """
    free = np.setdiff1d(np.arange(control.shape[1]), list(taken))
    playing, apart = _all_of(control, np.concatenate([waits, over, menus]), free)
    state = next(iter(playing), 0)
    waits = games[~_holds(playing, games)]
    return PhaseConditions(
        playing,
        apart,
        _one_of(waits, np.concatenate([control, over, menus]), state, free),
        _one_of(over, np.concatenate([control, waits, menus]), state, free),
        _one_of(menus, np.concatenate([control, waits, over]), state, free),
    )


def _one_of(inside: History, outside: History, usual: int, free: NDArray[np.int64]) -> Condition:
    """Returns the byte whose few numbers inside are seen least outside; nothing if there are no frames inside.

    Of equal ones the byte `usual` comes first, then the one with the fewest numbers.
    """
    best: tuple[float, bool, int, int] | None = None
    numbers: tuple[int, ...] = ()
    for index in map(int, free if len(inside) else ()):
        seen = np.unique(inside[:, index])
        if len(seen) > _MOST_NUMBERS:
            continue
        excluded = float((~np.isin(outside[:, index], seen)).mean()) if len(outside) else 1.0
        rank = (-excluded, index != usual, len(seen), index)
        if best is None or rank < best:
            best, numbers = rank, tuple(map(int, seen))
    return {} if best is None else {best[3]: numbers}


def _all_of(inside: History, outside: History, free: NDArray[np.int64]) -> tuple[Condition, float]:
    """Returns bytes that never change inside, and the share of the frames outside that they tell apart.

    The byte that excludes most of what is left outside comes first; of equal ones the one with the fewest numbers,
    which is rather the game's own state than a counter, then the first in memory.
    """
    constant = free[(inside[:, free] == inside[0, free]).all(0)]
    condition: dict[int, tuple[int, ...]] = {}
    left = outside
    numbers = np.array([len(np.unique(outside[:, index])) for index in constant], np.int64)
    while len(left) and len(condition) < _MOST_BYTES:
        excluded: NDArray[np.int64] = (left[:, constant] != inside[0, constant]).sum(0)
        if not excluded.size or not excluded.max():
            break
        best = constant[np.lexsort((constant, numbers, -excluded))[0]]
        condition[int(best)] = (int(inside[0, best]),)
        left = left[left[:, best] == inside[0, best]]
    return condition, 1.0 if not len(outside) else 1 - len(left) / len(outside)


def _holds(condition: Condition, images: History) -> NDArray[np.bool_]:
    """Returns for each image whether a condition holds."""
    true = np.ones(len(images), np.bool_)
    for index, numbers in condition.items():
        true &= np.isin(images[:, index], numbers)
    return true
