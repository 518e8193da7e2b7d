"""The value of a placement with what it is made of, and the order of several; knows no definition of a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from emubot.explanation import DepthValue, Part

Lock = tuple[int, int, int]  # orientation, column, row


@dataclass(frozen=True, slots=True)
class ValuedLock:
    """The value of a lock. `following` is the lock of the next piece that the value counts on; None if there is none.

    `parts` add up to `value`; `depths` are ordered, and the last one is `value`.
    """

    place: Lock
    following: Lock | None
    depths: tuple[DepthValue, ...]
    parts: tuple[Part, ...]

    @property
    def value(self) -> float:
        """The value by the deepest search."""
        return self.depths[-1].value


class LockEvaluator(Protocol):
    """What values the locks of one position. `unit` and `meaning` are those of Explanation."""

    unit: str
    meaning: str

    def best(self, places: list[Lock], top: int, chosen: Lock) -> list[ValuedLock]:
        """Returns the best `top` of these locks, best first; `chosen` is added if it is not one of them."""


def best_of(valued: list[ValuedLock], top: int, chosen: Lock) -> list[ValuedLock]:
    """Returns the best `top`, best first, and `chosen` if it is not one of them. Of equal ones `chosen` is first."""
    order = sorted(valued, key=lambda one: (-one.value, one.place != chosen, -one.place[2], one.place[:2]))
    return order[:top] + [one for one in order[top:] if one.place == chosen]
