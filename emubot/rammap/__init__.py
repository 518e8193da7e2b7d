"""Address maps: ram_maps/*.yaml into a checked RamMap, RAM bytes to named values and back; knows no game's rules."""

from typing import TYPE_CHECKING

from emubot.lazy import lazy_names
from emubot.rammap.grid import EMPTY, UNKNOWN
from emubot.rammap.loader import (
    all_maps,
    load_map,
    map_errors,
    map_for,
    map_for_identity,
    map_listing,
    map_named,
    map_without_unknown,
    parse_map,
    valid_maps,
)
from emubot.rammap.menus import MenuStep, MenuTaps
from emubot.rammap.ram_map import RamMap
from emubot.rammap.reader import Reader
from emubot.rammap.schema import json_schema

if TYPE_CHECKING:
    from emubot.rammap.writing import write_map as write_map

__all__ = [
    "EMPTY",
    "UNKNOWN",
    "MenuStep",
    "MenuTaps",
    "RamMap",
    "Reader",
    "all_maps",
    "json_schema",
    "load_map",
    "map_errors",
    "map_for",
    "map_for_identity",
    "map_listing",
    "map_named",
    "map_without_unknown",
    "parse_map",
    "valid_maps",
    "write_map",
]

__getattr__, _ = lazy_names(__name__, {"write_map": "emubot.rammap.writing:write_map"})
