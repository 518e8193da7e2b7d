"""Numbers of several bytes as games keep them: binary, BCD, or a digit in each byte; knows no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History
from emubot.rammap.spaces import address_of
from emubot.rammap.strict_yaml import Hex

BASES: Final = {"binary": 256, "bcd": 100, "digits": 10}  # what a byte counts to


@dataclass(frozen=True, slots=True)
class Number:
    """A number of `bytes` bytes from `index` on; `zero` is the code of the digit 0 where each byte is a digit."""

    index: int
    bytes: int = 1
    format: str = "binary"
    big: bool = False
    zero: int = 0

    @property
    def places(self) -> range:
        """The indices of its bytes, the lowest first."""
        run = range(self.index, self.index + self.bytes)
        return run[::-1] if self.big else run

    def of(self, images: History) -> NDArray[np.int64]:
        """Returns the number in each image."""
        units = units_of(images[:, list(self.places)], self.format, self.zero)
        weights = BASES[self.format] ** np.arange(self.bytes, dtype=np.int64)
        return np.asarray(units @ weights, np.int64)

    def holds(self, images: History) -> NDArray[np.bool_]:
        """Returns for each image whether its bytes are such a number."""
        return np.asarray(are_units(images[:, list(self.places)], self.format, self.zero).all(1), np.bool_)

    def value(self) -> dict[str, Any]:
        """Returns it as a map's `values` has it."""
        data: dict[str, Any] = {"at": Hex(address_of(self.index))}
        data |= {"bytes": self.bytes} if self.bytes > 1 else {}
        data |= {"format": self.format} if self.format != "binary" else {}
        data |= {"order": "big"} if self.big and self.bytes > 1 else {}
        if self.zero:
            data["offset"] = -self.zero * ((10**self.bytes - 1) // 9)
        return data


def units_of(images: NDArray[np.uint8], form: str, zero: int = 0) -> NDArray[np.int64]:
    """Returns what each byte counts by itself."""
    numbers = images.astype(np.int64)
    if form == "bcd":
        return np.asarray(10 * (numbers >> 4) + (numbers & 0xF), np.int64)
    return numbers - zero if form == "digits" else numbers


def are_units(images: NDArray[np.uint8], form: str, zero: int = 0) -> NDArray[np.bool_]:
    """Returns which bytes can be one of such a number."""
    if form == "bcd":
        return np.asarray((images < 0xA0) & (images & 0xF < 10), np.bool_)
    if form == "digits":
        return np.asarray((images >= zero) & (images < zero + 10), np.bool_)
    return np.ones(images.shape, np.bool_)
