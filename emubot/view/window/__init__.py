"""A window with the emulator's picture, its sound, and a person's controller; decides nothing.

Names are imported lazily, so that importing this package needs no pygame. If pygame is missing, the import of a name
raises UsageError with the remedy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emubot.view.window.bindings import Bindings, load_bindings
    from emubot.view.window.window import Controls, Window

__all__ = ["Bindings", "Controls", "Window", "load_bindings"]

_ROOMS = {"Bindings": "bindings", "load_bindings": "bindings", "Controls": "window", "Window": "window"}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
