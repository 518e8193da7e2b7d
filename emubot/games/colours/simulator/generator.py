"""The demo cartridges' random generator: a 16-bit shift register; knows no game. The originals' are unknown."""

from __future__ import annotations

from typing import Final

FEEDBACK: Final = 0xB400  # taps 16, 14, 13, 11: all 65,535 states in one cycle
SHIFTS: Final = 8  # per step; with fewer than three, successive numbers would share bits


class Generator:
    """The generator's state is never 0, because a shift register cannot leave 0."""

    def __init__(self, seed: int) -> None:
        self.state = seed & 0xFFFF or 1

    def below(self, limit: int, least_bits: int = 0) -> int:
        """Returns a number from 0 to `limit` - 1 (`limit` 1 to 256): steps until the low bits are in range.

        They are as many as the number needs, and at least `least_bits`.
        """
        mask = (1 << max((limit - 1).bit_length(), least_bits)) - 1
        while True:
            self._step()
            number = self.state & mask
            if number < limit:
                return number

    def _step(self) -> None:
        for _ in range(SHIFTS):
            self.state = self.state >> 1 ^ (FEEDBACK if self.state & 1 else 0)
