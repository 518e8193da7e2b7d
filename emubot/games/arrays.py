"""Copies arrays in compiled code; knows no game.

numba compiles an assignment to a slice with the text of its error message, which takes some seconds at a first start.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from emubot.jit import inlined


@inlined
def copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Write the elements of an array of one dimension over the first ones of `target`."""
    for index in range(len(source)):
        target[index] = source[index]


@inlined
def are_below(numbers: NDArray[Any], count: int) -> bool:
    """Returns whether all elements of an array of one dimension are 0 or more, and less than `count`."""
    for index in range(len(numbers)):
        if not 0 <= numbers[index] < count:
            return False
    return True
