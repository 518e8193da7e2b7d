"""The cells that one step of a chain pops, of all colours and groups at once; knows no points, no chains, no search.

Groups are of four or more. Compiled, each plane of a board is one vector of columns, so that one instruction does for
all columns. Without compiled kernels the same formulas run on Python's integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from emubot.games.colours.layout import FLOOR, HALF, LANE, WORD
from emubot.jit import Scalar

# The puyos that pop, and these with the nuisance beside them, each as two words.
Step: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar]

_HALF_BITS: Final = HALF * LANE
_LANES: Final = 8  # columns of a vector; the last two are empty
_LINE = ir.IntType(LANE)
_COLUMNS = ir.VectorType(_LINE, _LANES)
_INDEX = ir.IntType(32)
_PLACES = ir.VectorType(_INDEX, _LANES)
_WORD = ir.IntType(64)
_WORDS = ir.VectorType(_WORD, 2)


def popping(a1: Scalar, a2: Scalar, a4: Scalar, b1: Scalar, b2: Scalar, b4: Scalar, cells: Scalar) -> Step:
    """Returns what pops on a board with these words for planes 1, 2 and 4; all are 0 if nothing does.

    `cells` is the mask of one column's cells that can link, from the floor up.
    """
    linking = int(cells) * (FLOOR | FLOOR << _HALF_BITS)
    p1, p2, p4 = (int(a) | int(b) << _HALF_BITS for a, b in ((a1, b1), (a2, b2), (a4, b4)))
    puyos, gone = _popping(p1, p2, p4, linking)
    return puyos & WORD, puyos >> _HALF_BITS, gone & WORD, gone >> _HALF_BITS


def _popping(p1: Any, p2: Any, p4: Any, linking: Any) -> tuple[Any, Any]:
    """Returns the puyos that pop, and these with the nuisance beside them.

    The arguments are planes with all columns side by side, either integers or `_Columns`. A shift by one is to the next
    row, a shift by LANE to the next column. What a shift moves off the field, a mask takes away.
    """
    gray = p1 & p2 & p4 & linking
    colored = (p1 | p2 | p4) & ~gray & linking
    # A cell of the same kind as a coloured one is coloured.
    up = colored & linking >> 1 & ~((p1 ^ p1 >> 1) | (p2 ^ p2 >> 1) | (p4 ^ p4 >> 1))
    right = colored & ~((p1 ^ p1 >> LANE) | (p2 ^ p2 >> LANE) | (p4 ^ p4 >> LANE))
    down, left = up << 1, right << LANE
    both, sides, either, side = up & down, left & right, up | down, left | right
    two = both | sides | (either & side)
    # A group has at least four cells if one cell has three neighbours, or if two linked cells have two each.
    puyos = (both & side) | (sides & either) | (two & up & two >> 1) | (two & right & two >> LANE)
    # Of two linked cells with two neighbours each, one is now among them. So each cell with two neighbours is one of
    # them or beside one, and each cell with one neighbour is at most two links away.
    for _ in range(2):
        puyos |= (puyos & up) << 1 | (puyos >> 1 & up) | (puyos & right) << LANE | (puyos >> LANE & right)
    return puyos, puyos | (gray & (puyos << 1 | puyos >> 1 | puyos << LANE | puyos >> LANE))


class _Columns:
    """A plane while a kernel is compiled: a vector with a lane for each column, and an integer's operators."""

    def __init__(self, builder: Any, value: Any) -> None:
        self._builder, self.value = builder, value

    def __and__(self, other: _Columns) -> _Columns:
        return _Columns(self._builder, self._builder.and_(self.value, other.value))

    def __or__(self, other: _Columns) -> _Columns:
        return _Columns(self._builder, self._builder.or_(self.value, other.value))

    def __xor__(self, other: _Columns) -> _Columns:
        return _Columns(self._builder, self._builder.xor(self.value, other.value))

    def __invert__(self) -> _Columns:
        return _Columns(self._builder, self._builder.not_(self.value))

    def __lshift__(self, bits: int) -> _Columns:
        if bits == LANE:
            return self._moved(-1)
        return _Columns(self._builder, self._builder.shl(self.value, ir.Constant(_COLUMNS, [bits] * _LANES)))

    def __rshift__(self, bits: int) -> _Columns:
        if bits == LANE:
            return self._moved(1)
        return _Columns(self._builder, self._builder.lshr(self.value, ir.Constant(_COLUMNS, [bits] * _LANES)))

    def _moved(self, steps: int) -> _Columns:
        """Returns the plane with each column at the place of its neighbour; an empty one takes the place left free."""
        lanes = range(steps, steps + _LANES)
        places = ir.Constant(_PLACES, [lane if 0 <= lane < _LANES else _LANES for lane in lanes])
        return _Columns(self._builder, self._builder.shuffle_vector(self.value, _COLUMNS(None), places))


def _built(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    def plane(left: Any, right: Any) -> _Columns:
        low = builder.or_(left, builder.shl(right, _WORD(_HALF_BITS)))
        words = builder.insert_element(_WORDS(ir.Undefined), low, _INDEX(0))
        words = builder.insert_element(words, builder.lshr(right, _WORD(64 - _HALF_BITS)), _INDEX(1))
        return _Columns(builder, builder.bitcast(words, _COLUMNS))

    def words_of(plane: _Columns) -> tuple[Any, Any]:
        words = builder.bitcast(plane.value, _WORDS)
        low, high = builder.extract_element(words, _INDEX(0)), builder.extract_element(words, _INDEX(1))
        right = builder.or_(builder.lshr(low, _WORD(_HALF_BITS)), builder.shl(high, _WORD(64 - _HALF_BITS)))
        return builder.and_(low, _WORD(WORD)), right

    a1, a2, a4, b1, b2, b4, cells = arguments
    column = builder.insert_element(_COLUMNS(ir.Undefined), builder.trunc(cells, _LINE), _INDEX(0))
    linking = builder.shuffle_vector(column, _COLUMNS(ir.Undefined), _PLACES(None))
    puyos, gone = _popping(plane(a1, b1), plane(a2, b2), plane(a4, b4), _Columns(builder, linking))
    return context.make_tuple(builder, signature.return_type, [*words_of(puyos), *words_of(gone)])


def _in_vectors(_typing: Any, a1: Any, a2: Any, a4: Any, b1: Any, b2: Any, b4: Any, cells: Any) -> Any:
    del a1, a2, a4, b1, b2, b4, cells
    number: Any = types
    return number.UniTuple(number.int64, 4)(*(number.int64,) * 7), _built


_vectors: Any = intrinsic(_in_vectors)


def _compiled(
    a1: Scalar, a2: Scalar, a4: Scalar, b1: Scalar, b2: Scalar, b4: Scalar, cells: Scalar
) -> Callable[..., Step]:  # numba requires the same signature as popping
    del a1, a2, a4, b1, b2, b4, cells

    def compiled(
        a1: Scalar, a2: Scalar, a4: Scalar, b1: Scalar, b2: Scalar, b4: Scalar, cells: Scalar
    ) -> Step:  # the instructions work on words, whatever integers come
        step: Step = _vectors(a1, a2, a4, b1, b2, b4, cells)
        return step

    return compiled


overload(popping)(_compiled)
