"""A cartridge in a libretro core, from power-on to the first frame of a game, frame by frame; knows no family."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from emubot.bridges.image import image_reader
from emubot.bridges.libretro import connect
from emubot.cartridge import load_cartridge
from emubot.errors import UsageError
from emubot.pad import Pad
from emubot.pilot.menus import MenuNavigator
from emubot.rammap import map_for

_MENU_FRAMES: Final = 6000  # in which a game must have begun


class CoreConsole:
    """A cartridge whose games begin at power-on; implements Console. Raises as `connect` and `map_for` do."""

    def __init__(self, rom: str | PathLike[str], core: str | PathLike[str] | None) -> None:
        cartridge = load_cartridge(Path(rom))
        self.ram_map = map_for(cartridge)
        self._reader = self.ram_map.reader()
        self._bridge = connect(rom=cartridge, core=None if core is None else fspath(core), emu_speed=None)
        try:
            self._read = image_reader(self._bridge, self.ram_map.spaces)
            self._power_on = self._bridge.save()
        except BaseException:
            self._bridge.close()
            raise

    def begin(self, choices: Mapping[str, int], wait: int) -> bytes:
        """Returns the memory of a game's first frame. Raises UsageError if the map's menus lead to none."""
        self._bridge.load(self._power_on)
        navigator = MenuNavigator(self.ram_map, choices, wait)
        for _ in range(wait + _MENU_FRAMES):
            memory = self._read()
            if self._reader.phase(memory)[0].in_game:
                return memory
            for port, pad in enumerate(navigator.pads(memory)):
                self._bridge.press(port, pad)
            self._bridge.advance()
        raise UsageError(f"The menus of {self.ram_map.title} led to no game in {_MENU_FRAMES:,} frames.")

    def step(self, pad: Pad) -> bytes:
        """Play a frame; returns memory after it."""
        self._bridge.press(0, pad)
        self._bridge.advance()
        return self._read()

    def close(self) -> None:
        """End the core."""
        self._bridge.close()
