"""Frame buffers of the three libretro formats become RGB; the naive twin goes pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.libretro import abi
from emubot.bridges.libretro.picture import buffer_size, to_rgb


def naive(pixel: int, pixel_format: int) -> tuple[int, int, int]:
    if pixel_format == abi.PIXEL_XRGB8888:
        return pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255
    if pixel_format == abi.PIXEL_RGB565:
        red, green, blue = pixel >> 11 & 31, pixel >> 5 & 63, pixel & 31
        return red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2
    red, green, blue = pixel >> 10 & 31, pixel >> 5 & 31, pixel & 31
    return red << 3 | red >> 2, green << 3 | green >> 2, blue << 3 | blue >> 2


@given(st.sampled_from([0, 1, 2]), st.integers(1, 5), st.integers(1, 4), st.integers(0, 6), st.data())
def test_every_pixel_as_the_naive_twin_has_it(
    pixel_format: int, width: int, height: int, padding: int, data: st.DataObject
) -> None:
    size = 4 if pixel_format == abi.PIXEL_XRGB8888 else 2
    pitch = width * size + padding
    length = buffer_size(width, height, pitch, pixel_format)
    raw = data.draw(st.binary(min_size=length, max_size=length))
    rgb = to_rgb(raw, width, height, pitch, pixel_format)
    assert rgb.shape == (height, width, 3)
    assert rgb.dtype == np.uint8
    for row in range(height):
        for column in range(width):
            at = row * pitch + column * size
            pixel = int.from_bytes(raw[at : at + size], "little")
            assert tuple(rgb[row, column]) == naive(pixel, pixel_format)


@pytest.mark.parametrize("pixel_format", [0, 1, 2])
def test_white_is_white_in_every_format(pixel_format: int) -> None:
    assert to_rgb(b"\xff" * 4, 1, 1, 4, pixel_format).tolist() == [[[255, 255, 255]]]
