"""Counts bits in compiled code, on any processor; knows no game.

Words are int64 and never negative. Without compiled kernels (NUMBA_DISABLE_JIT=1) the plain functions run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, overload

from emubot.jit import Scalar

_WORD = 64


def popcount(word: Scalar) -> Scalar:
    """Returns the number of bits that are set."""
    return int(word).bit_count()


def length(word: Scalar) -> Scalar:
    """Returns the index of the highest bit that is set, plus one; 0 for 0."""
    return int(word).bit_length()


def lowest(word: Scalar) -> Scalar:
    """Returns the index of the lowest bit that is set; the word must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


def _count_ones(_typing: Any, _word: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


def _count_leading(_typing: Any, _word: Any) -> Any:
    def build(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), build


def _count_trailing(_typing: Any, _word: Any) -> Any:
    def build(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), build


_ones: Any = intrinsic(_count_ones)
_leading: Any = intrinsic(_count_leading)
_trailing: Any = intrinsic(_count_trailing)


def _popcount_compiled(word: Scalar) -> Callable[[Scalar], Scalar]:  # numba requires the same signature as popcount
    del word

    def compiled(word: Scalar) -> Scalar:
        return _ones(word)

    return compiled


def _length_compiled(word: Scalar) -> Callable[[Scalar], Scalar]:
    del word

    def compiled(word: Scalar) -> Scalar:
        return _WORD - _leading(word)

    return compiled


def _lowest_compiled(word: Scalar) -> Callable[[Scalar], Scalar]:
    del word

    def compiled(word: Scalar) -> Scalar:
        return _trailing(word)

    return compiled


overload(popcount)(_popcount_compiled)
overload(length)(_length_compiled)
overload(lowest)(_lowest_compiled)
