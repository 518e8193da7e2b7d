"""The memories that an address can lie in, and the one image that they make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

# First CPU address and length in bytes of each memory space, in the order of their bytes in an image.
SPACES: Final = {"ram": (0x0000, 0x0800), "wram": (0x6000, 0x2000)}
ALLOWED: Final = "allowed is 0x0000 to 0x07FF (ram) and 0x6000 to 0x7FFF (wram)"

_WRAM_BASE: Final = SPACES["wram"][0]
_WRAM_SHIFT: Final = _WRAM_BASE - SPACES["ram"][1]  # from the address of a wram byte to its index in an image


def index_of(address: int) -> int:
    """Returns the index of a CPU address in an image: the 2,048 bytes of ram, then the 8,192 of wram."""
    return address if address < _WRAM_BASE else address - _WRAM_SHIFT


def indices_of(addresses: NDArray[np.intp]) -> NDArray[np.intp]:
    """Returns the index in an image of every address."""
    return np.where(addresses < _WRAM_BASE, addresses, addresses - _WRAM_SHIFT)


def address_of(index: int) -> int:
    """Returns the CPU address of an index in an image."""
    return index if index < SPACES["ram"][1] else index + _WRAM_SHIFT


def spaces_of(addresses: Iterable[int]) -> tuple[str, ...]:
    """Returns the spaces of an image that has these addresses: ram always, and wram where one lies in it."""
    return ("ram", "wram") if any(address >= _WRAM_BASE for address in addresses) else ("ram",)


def image_size(spaces: Iterable[str]) -> int:
    """Returns the number of bytes in an image of these spaces."""
    return sum(SPACES[space][1] for space in spaces)
