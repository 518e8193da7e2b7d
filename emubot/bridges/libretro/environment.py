"""Answers a libretro core's requests to its host (the environment callback)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from emubot.bridges.libretro import abi

# These options clear RAM at power-on, so that all runs of a cartridge start alike. The FCEUmm build in stable-retro
# 1.0.1 does not have its option yet and always starts from one fixed pattern; newer builds default to 0xFF.
OPTIONS: Mapping[str, str] = {
    "nestopia_ram_power_state": "0x00",
    "fceumm_ramstate": "fill $00",
}

# What makes a core be another console than NTSC; by default both tested cores are NTSC, whatever the header says.
REGIONS: Mapping[str, Mapping[str, str]] = {
    "pal": {"nestopia_favored_system": "pal", "fceumm_region": "PAL"},
    "dendy": {"nestopia_favored_system": "dendy", "fceumm_region": "Dendy"},
}

# Commands in which the core describes itself: accepted and otherwise ignored.
_NOTED = (
    abi.SET_PERFORMANCE_LEVEL,
    abi.SET_INPUT_DESCRIPTORS,
    abi.SET_VARIABLES,
    abi.SET_CONTROLLER_INFO,
    abi.SET_MEMORY_MAPS,
    abi.SET_GEOMETRY,
    abi.GET_INPUT_BITMASKS,
    abi.SET_CORE_OPTIONS,
    abi.SET_CORE_OPTIONS_INTL,
    abi.SET_CORE_OPTIONS_V2,
    abi.SET_CORE_OPTIONS_V2_INTL,
)
_OPTIONS_VERSION = 2


class Environment:
    """The host's side of one core. `pixel_format` is the core's choice, `options_read` are the options that it read.

    Every string passed to the core lives as long as this object. There is no log interface, because its callback is
    variadic and Python cannot provide one (libffi#388). Both tested cores accept the refusal.
    """

    def __init__(self, system: Path, saves: Path, options: Mapping[str, str] = OPTIONS) -> None:
        self.pixel_format = abi.PIXEL_0RGB1555
        self.options_read: set[str] = set()
        self._options: dict[str, Any] = {}
        self._set(options)
        self._system = abi.ffi.new("char[]", os.fsencode(system))
        self._saves = abi.ffi.new("char[]", os.fsencode(saves))
        self._answers: dict[int, Callable[[Any], bool]] = {
            **dict.fromkeys(_NOTED, lambda data: True),
            abi.GET_CAN_DUPE: lambda data: _store("bool *", data, True),
            abi.GET_VARIABLE_UPDATE: lambda data: _store("bool *", data, False),
            abi.GET_CORE_OPTIONS_VERSION: lambda data: _store("unsigned *", data, _OPTIONS_VERSION),
            abi.GET_SYSTEM_DIRECTORY: lambda data: _store("char **", data, self._system),
            abi.GET_CORE_ASSETS_DIRECTORY: lambda data: _store("char **", data, self._system),
            abi.GET_SAVE_DIRECTORY: lambda data: _store("char **", data, self._saves),
            abi.SET_PIXEL_FORMAT: self._set_pixel_format,
            abi.GET_VARIABLE: self._get_variable,
        }

    def answer(self, command: int, data: Any) -> bool:
        """The environment callback; returns True if the command is known and was answered."""
        known = self._answers.get(command & abi.COMMAND_MASK)
        return known is not None and known(data)

    def become(self, region: str) -> None:
        """Ask the core to be the console of a region of `Cartridge`; only before it loads a cartridge."""
        self._set(REGIONS.get(region, {}))

    def _set(self, options: Mapping[str, str]) -> None:
        self._options |= {key: abi.ffi.new("char[]", value.encode()) for key, value in options.items()}

    def _set_pixel_format(self, data: Any) -> bool:
        self.pixel_format = int(abi.ffi.cast("int *", data)[0])
        return self.pixel_format in {abi.PIXEL_0RGB1555, abi.PIXEL_XRGB8888, abi.PIXEL_RGB565}

    def _get_variable(self, data: Any) -> bool:
        variable = abi.ffi.cast("struct retro_variable *", data)
        key = abi.ffi.string(variable.key).decode()
        self.options_read.add(key)
        value = self._options.get(key)
        variable.value = abi.ffi.NULL if value is None else value
        return value is not None


def _store(kind: str, data: Any, value: Any) -> bool:
    abi.ffi.cast(kind, data)[0] = value
    return True
