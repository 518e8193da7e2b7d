"""Turns a core's frame buffer into RGB, from each of libretro's three pixel formats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.libretro import abi

PIXEL_BYTES = {abi.PIXEL_0RGB1555: 2, abi.PIXEL_RGB565: 2, abi.PIXEL_XRGB8888: 4}

# (shift, bits) of red, green and blue
_CHANNELS = {
    abi.PIXEL_0RGB1555: ((10, 5), (5, 5), (0, 5)),
    abi.PIXEL_RGB565: ((11, 5), (5, 6), (0, 5)),
    abi.PIXEL_XRGB8888: ((16, 8), (8, 8), (0, 8)),
}


def buffer_size(width: int, height: int, pitch: int, pixel_format: int) -> int:
    """Returns the bytes of a frame buffer with rows `pitch` bytes apart; the last row ends with its last pixel."""
    return pitch * (height - 1) + width * PIXEL_BYTES[pixel_format]


def to_rgb(raw: bytes, width: int, height: int, pitch: int, pixel_format: int) -> NDArray[np.uint8]:
    """Returns a new uint8 array (height, width, 3) of RGB from a buffer of `buffer_size` bytes."""
    size = PIXEL_BYTES[pixel_format]
    pixels: NDArray[np.uint32] = np.ndarray((height, width), f"=u{size}", raw, strides=(pitch, size))
    rgb = np.empty((height, width, 3), dtype=np.uint8)
    for channel, (shift, bits) in enumerate(_CHANNELS[pixel_format]):
        value = (pixels >> shift) & ((1 << bits) - 1)
        # The upper bits are repeated in the low bits, so that full brightness is 255 in every format.
        rgb[:, :, channel] = value if bits == 8 else (value << (8 - bits)) | (value >> (2 * bits - 8))
    return rgb
