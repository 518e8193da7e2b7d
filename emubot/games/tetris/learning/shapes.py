"""Collects what orientation ids look like and turn into; knows no map, no memory and no pads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Shape = frozenset[tuple[int, int]]  # cells (dx, dy) from the map's x and y, rows downwards

CLOCKWISE, COUNTERCLOCKWISE = range(2)
_AGREED: Final = 2  # locks that must agree
_NO_EFFECT: Final = 3  # presses without an effect, before an id counts as one that does not turn


@dataclass(slots=True)
class _Seen:
    shape: Shape
    locks: int = 1


class ShapesSeen:
    """The ids of one cartridge. `main` is the way in which its pieces are turned, None if it turns none."""

    def __init__(self, main: int | None) -> None:
        self._main = main
        self._seen: dict[int, _Seen] = {}
        self._turns: dict[tuple[int, int], int] = {}  # way, id -> id after the turn
        self._still: dict[tuple[int, int], int] = {}  # way, id -> presses without an effect

    def locked(self, number: int, shape: Shape) -> None:
        """Note the cells that a piece of this id left. Another shape than before replaces it: one of them is wrong."""
        seen = self._seen.get(number)
        if seen is None or seen.shape != shape:
            self._seen[number] = _Seen(shape)
        else:
            seen.locks += 1

    def turned(self, way: int, number: int, after: int) -> None:
        """Note that a press turned one id into another."""
        self._turns[way, number] = after

    def stayed(self, way: int, number: int) -> None:
        """Note that a press had no effect. Often it is blocked; an id that never turns turns into itself."""
        if (way, number) not in self._turns:
            self._still[way, number] = self._still.get((way, number), 0) + 1

    def cycle(self, number: int) -> list[int]:
        """Returns the ids that turns reach from this one, as far as it is known; itself first."""
        order = [number]
        while (after := self._after(order[-1])) is not None and after not in order:
            order.append(after)
        return order

    def known(self, number: int) -> bool:
        """Returns whether the cells of this id and of all that it turns into are believed, and the turns are known."""
        order = self.cycle(number)
        return self._after(order[-1]) is not None and all(self._believed(one, order) for one in order)

    def to_try(self, number: int) -> int:
        """Returns how many turns lead to an id that never locked, or to a turn that is not known."""
        order = self.cycle(number)
        missing = next((turns for turns, one in enumerate(order) if one not in self._seen), None)
        if missing is not None:
            return missing
        if self._after(order[-1]) is None:
            return len(order)
        return next((turns for turns, one in enumerate(order) if not self._believed(one, order)), 0)

    def shape(self, number: int) -> Shape | None:
        """Returns the cells of an id, None if they are not believed yet."""
        return self._seen[number].shape if self._believed(number, self.cycle(number)) else None

    def turns(self, number: int) -> tuple[int, int]:
        """Returns the ids after a turn clockwise and counterclockwise. A way never seen undoes the other one."""
        main = self._main or 0
        order = self.cycle(number)
        before = [one for one in order if self._after(one) == number]
        found = [number, number]
        after = self._after(number)
        found[main] = number if after is None else after
        found[1 - main] = self._turns.get((1 - main, number), before[0] if before else number)
        clockwise, counterclockwise = (one if one in order else number for one in found)
        return clockwise, counterclockwise

    def locks(self, numbers: Sequence[int]) -> Mapping[int, int]:
        """Returns in how many locks each of these ids was seen."""
        return {number: self._seen[number].locks for number in numbers if number in self._seen}

    def _after(self, number: int) -> int | None:
        """Returns the id after a turn; None if it is not known."""
        if self._main is None:
            return number
        known = self._turns.get((self._main, number))
        never = known is None and self._still.get((self._main, number), 0) >= _NO_EFFECT
        return number if never else known

    def _believed(self, number: int, order: Sequence[int]) -> bool:
        """Returns whether two locks agree: of this id, or of it and of another one of its piece, turned."""
        seen = self._seen.get(number)
        if seen is None:
            return False
        if seen.locks >= _AGREED:
            return True
        outlines = quarter_turns(seen.shape)
        others = [self._seen[one].shape for one in order if one != number and one in self._seen]
        return any(at_origin(shape) in outlines for shape in others)


def at_origin(shape: Shape) -> Shape:
    """Returns the cells from the left edge and the top edge: equal for the same form anywhere."""
    left, top = min(x for x, _ in shape), min(y for _, y in shape)
    return frozenset((x - left, y - top) for x, y in shape)


def quarter_turns(shape: Shape) -> list[Shape]:
    """Returns the four orientations of a form, at the origin."""
    found = []
    for _ in range(4):
        found.append(at_origin(shape))
        shape = frozenset((-y, x) for x, y in shape)
    return found
