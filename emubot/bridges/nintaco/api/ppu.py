"""The picture unit: registers, scroll, memory, pixels; ids 50-66, 78-83 and 117-119 of the API."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.nintaco.api.calls import Calls
from emubot.errors import BridgeError

WIDTH, HEIGHT = 256, 240


class Ppu(Calls):
    """Colours are palette indices 0x00-0x3F; with emphasis bits up to 0x1FF."""

    def get_ppu_v(self) -> int:
        """The current VRAM address, register v; id 50."""
        return self._number(50)

    def set_ppu_v(self, value: int) -> None:
        """Set register v; id 51."""
        self._void(51, value)

    def get_ppu_t(self) -> int:
        """The temporary VRAM address, register t; id 52."""
        return self._number(52)

    def set_ppu_t(self, value: int) -> None:
        """Set register t; id 53."""
        self._void(53, value)

    def get_ppu_x(self) -> int:
        """The fine horizontal scroll, register x; id 54."""
        return self._number(54)

    def set_ppu_x(self, value: int) -> None:
        """Set register x; id 55."""
        self._void(55, value)

    def is_ppu_w(self) -> bool:
        """The write toggle, register w; id 56."""
        return self._flag(56)

    def set_ppu_w(self, value: bool) -> None:
        """Set register w; id 57."""
        self._void(57, bool(value))

    def get_camera_x(self) -> int:
        """The horizontal scroll position in pixels; id 58."""
        return self._number(58)

    def set_camera_x(self, value: int) -> None:
        """Set the horizontal scroll position; id 59."""
        self._void(59, value)

    def get_camera_y(self) -> int:
        """The vertical scroll position in pixels; id 60."""
        return self._number(60)

    def set_camera_y(self, value: int) -> None:
        """Set the vertical scroll position; id 61."""
        self._void(61, value)

    def get_scanline(self) -> int:
        """The current scanline, -1 for the one before the picture; id 62."""
        return self._number(62)

    def get_dot(self) -> int:
        """The current dot of the scanline, 0-340; id 63."""
        return self._number(63)

    def is_sprite_zero_hit(self) -> bool:
        """The sprite 0 hit flag; id 64."""
        return self._flag(64)

    def set_sprite_zero_hit(self, value: bool) -> None:
        """Set the sprite 0 hit flag; id 65."""
        self._void(65, bool(value))

    def get_scanline_count(self) -> int:
        """The number of scanlines in a frame: 262 NTSC, 312 PAL; id 66."""
        return self._number(66)

    def read_ppu(self, address: int) -> int:
        """One byte of the picture unit's memory; id 78."""
        return self._number(78, address)

    def write_ppu(self, address: int, value: int) -> None:
        """Write one byte of the picture unit's memory; id 79."""
        self._void(79, address, value)

    def read_palette_ram(self, address: int) -> int:
        """One of the 32 palette entries; id 80."""
        return self._number(80, address)

    def write_palette_ram(self, address: int, value: int) -> None:
        """Set one of the 32 palette entries; id 81."""
        self._void(81, address, value)

    def read_oam(self, address: int) -> int:
        """One byte of the sprite memory; id 82."""
        return self._number(82, address)

    def write_oam(self, address: int, value: int) -> None:
        """Write one byte of the sprite memory; id 83."""
        self._void(83, address, value)

    def set_pixel(self, x: int, y: int, color: int) -> None:
        """Set one pixel of the current frame; id 117."""
        self._void(117, x, y, color)

    def get_pixel(self, x: int, y: int) -> int:
        """The colour of one pixel of the current frame; id 118."""
        return self._number(118, x, y)

    def get_pixels(self) -> NDArray[np.int32]:
        """The frame as a new int32 array (240, 256); id 119. Raises BridgeError before the first frame."""
        pixels = self._numbers(119)
        if pixels.size != WIDTH * HEIGHT:
            raise BridgeError("Nintaco has drawn no frame yet: ask from within a frame listener.")
        return pixels.reshape(HEIGHT, WIDTH)
