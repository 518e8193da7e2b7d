"""Counts and moves bits in compiled code, on any processor; knows no game.

Words are int64 and never negative. Without compiled kernels (NUMBA_DISABLE_JIT=1) the plain functions run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from emubot.jit import Scalar

_WORD = 64
# Processors that have the two instructions for `compress` and `spread`, but take up to 250 steps for one (AMD, before
# its third Zen: Software Optimization Guide for Family 17h, instruction latencies).
_SLOW = ("bdver4", "znver1", "znver2")
# Whether `compress` and `spread` are one instruction each here. If not, loops over single bits are faster.
MOVES_AT_ONCE: Final[bool] = (
    llvm.get_process_triple().startswith("x86_64")
    and bool(llvm.get_host_cpu_features().get("bmi2"))
    and llvm.get_host_cpu_name() not in _SLOW
)


def popcount(word: Scalar) -> Scalar:
    """Returns the number of bits that are set."""
    return int(word).bit_count()


def length(word: Scalar) -> Scalar:
    """Returns the index of the highest bit that is set, plus one; 0 for 0."""
    return int(word).bit_length()


def lowest(word: Scalar) -> Scalar:
    """Returns the index of the lowest bit that is set; the word must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


def compress(word: Scalar, mask: Scalar) -> Scalar:
    """Returns the bits of `word` at the places of `mask`, side by side from bit 0 on."""
    found, place = 0, 0
    while mask:
        least = mask & -mask
        if word & least:
            found |= 1 << place
        place += 1
        mask ^= least
    return found


def spread(word: Scalar, mask: Scalar) -> Scalar:
    """Returns the lowest bits of `word` at the places of `mask`, the reverse of `compress`."""
    found = 0
    while mask:
        least = mask & -mask
        if word & 1:
            found |= least
        word >>= 1
        mask ^= least
    return found


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


def _moved_by(instruction: str) -> Callable[[Any, Any, Any], Any]:
    def typed(_typing: Any, _word: Any, _mask: Any) -> Any:
        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            word = ir.IntType(_WORD)
            function = builder.module.declare_intrinsic(instruction, (), ir.FunctionType(word, [word, word]))
            return builder.call(function, arguments)

        return types.int64(types.int64, types.int64), build

    return typed


_ones: Any = intrinsic(_count_ones)
_leading: Any = intrinsic(_count_leading)
_trailing: Any = intrinsic(_count_trailing)
_extract: Any = intrinsic(_moved_by("llvm.x86.bmi.pext.64"))
_deposit: Any = intrinsic(_moved_by("llvm.x86.bmi.pdep.64"))


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


def _compress_compiled(word: Scalar, mask: Scalar) -> Callable[[Scalar, Scalar], Scalar]:
    del word, mask

    def compiled(word: Scalar, mask: Scalar) -> Scalar:
        return _extract(word, mask)

    return compiled if MOVES_AT_ONCE else compress


def _spread_compiled(word: Scalar, mask: Scalar) -> Callable[[Scalar, Scalar], Scalar]:
    del word, mask

    def compiled(word: Scalar, mask: Scalar) -> Scalar:
        return _deposit(word, mask)

    return compiled if MOVES_AT_ONCE else spread


overload(popcount)(_popcount_compiled)
overload(length)(_length_compiled)
overload(lowest)(_lowest_compiled)
overload(compress)(_compress_compiled)
overload(spread)(_spread_compiled)
