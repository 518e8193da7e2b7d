"""The choices of strangers of colours: those of all strangers, and some more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from tests.toys.strangers.drawing import Draw

T = TypeVar("T")


class Chances(Draw):
    """Draws values; a calm stranger has the first value of most choices."""

    def among(self, choices: Sequence[T]) -> T:
        """Returns one of equal choices."""
        return choices[int(self.rng.integers(len(choices)))]

    def several(self, choices: Sequence[int], count: int) -> tuple[int, ...]:
        """Returns different ones of these numbers, in any order."""
        return tuple(int(choice) for choice in self.rng.permutation(np.array(choices))[:count])
