"""Emulators behind the Bridge protocol, each opened by name; never imports a game."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from emubot.bridges.protocol import (
    AS_SET,
    Bridge,
    BridgeFacts,
    Drawable,
    EmuSpeed,
    KeepsPads,
    Mark,
    Remote,
    Rereadable,
)
from emubot.errors import BridgeError, EmubotError, UsageError
from emubot.text import did_you_mean

__all__ = [
    "AS_SET",
    "Bridge",
    "BridgeFacts",
    "Drawable",
    "EmuSpeed",
    "KeepsPads",
    "Mark",
    "Remote",
    "Rereadable",
    "known_bridges",
    "open_bridge",
    "options_of",
    "stop_awaiting",
]

GROUP = "emubot.bridges"

_BUILT_IN = {
    "libretro": "emubot.bridges.libretro",
    "nintaco": "emubot.bridges.nintaco",
    "fceux": "emubot.bridges.fceux",
    "retroarch": "emubot.bridges.retroarch",
    "mesen": "emubot.bridges.mesen",
    "bizhawk": "emubot.bridges.bizhawk",
    "cynes": "emubot.bridges.cynes",
    "simulated": "emubot.bridges.simulated",
}


def known_bridges() -> list[str]:
    """Returns the names that `open_bridge` takes, the built-in ones first; loads none of them."""
    return [*_BUILT_IN, *sorted(_third_party())]


def open_bridge(name: str, **options: Any) -> Bridge:
    """Connect to an emulator by the bridge's name; `options` go to its `connect`.

    Another package adds a bridge with an entry point in the group `emubot.bridges` that names its `connect`.
    Raises UsageError for an unknown name or option, BridgeError if the bridge cannot be loaded or reached.
    """
    connect = _connect_of(name)
    try:
        inspect.signature(connect).bind(**options)
    except TypeError as error:
        raise UsageError(f"The bridge {name} cannot be opened with these options: {error}.") from None
    bridge: Bridge = connect(**options)
    return bridge


def stop_awaiting() -> None:
    """Close the ports at which an emulator's call was awaited, where none has come: who calls then is refused."""
    reach = sys.modules.get("emubot.bridges.scripted.reach")
    if reach is not None:
        reach.stop_awaiting()


def options_of(name: str) -> frozenset[str]:
    """Returns the names of the options of a bridge's `connect`; raises as `open_bridge` does."""
    return frozenset(inspect.signature(_connect_of(name)).parameters)


def _connect_of(name: str) -> Callable[..., Any]:
    if name in _BUILT_IN:
        built_in: Callable[..., Any] = import_module(_BUILT_IN[name]).connect
        return built_in
    third_party = _third_party()
    if name not in third_party:
        known = known_bridges()
        raise UsageError(f"There is no bridge {name!r}{did_you_mean(name, known)}; known: {', '.join(known)}.")
    return _loaded(third_party[name])


def _loaded(point: EntryPoint) -> Callable[..., Any]:
    """Returns another package's `connect`; raises BridgeError, with the package's name, if it does not load."""
    package = point.dist.name if point.dist else point.value
    try:
        connect = point.load()
    except EmubotError:
        raise
    except Exception as error:
        raise BridgeError(f"The bridge {point.name} of {package} cannot be loaded: {error!r}; update it.") from error
    if not callable(connect):
        raise BridgeError(f"The bridge {point.name} of {package} is not a function: it must name its connect.")
    loaded: Callable[..., Any] = connect
    return loaded


def _third_party() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in _BUILT_IN}
