"""The public face of emubot; names are looked up lazily, so that importing it costs nothing."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which is not loaded for it: the command's first signals wait for this module
if TYPE_CHECKING:
    from typing import Any

    from emubot import games as games
    from emubot.bridges import open_bridge as open_bridge
    from emubot.demos import image as demo
    from emubot.pilot import Goal as Goal
    from emubot.pilot import Pilot as Pilot
    from emubot.rammap import load_map as load_map
    from emubot.weights import load_weights as load_weights

__version__ = "0.1.0"
__all__ = ["Goal", "Pilot", "__version__", "demo", "games", "load_map", "load_weights", "open_bridge"]

_HOMES = {
    "Goal": ("emubot.pilot", "Goal"),
    "Pilot": ("emubot.pilot", "Pilot"),
    "demo": ("emubot.demos", "image"),
    "load_map": ("emubot.rammap", "load_map"),
    "load_weights": ("emubot.weights", "load_weights"),
    "open_bridge": ("emubot.bridges", "open_bridge"),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "games":
        return import_module("emubot.games")
    if name not in _HOMES:
        raise AttributeError(f"module 'emubot' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
