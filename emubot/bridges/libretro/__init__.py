"""A libretro core in this process: exact frames, no lag, save states.

`connect` and `LibretroBridge` are imported lazily, so that finding cores needs no cffi.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emubot.bridges.libretro.bridge import LibretroBridge, connect

__all__ = ["LibretroBridge", "connect"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from emubot.bridges.libretro import bridge

    return getattr(bridge, name)
