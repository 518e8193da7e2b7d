"""Runs in-process emulators in a child process each, so that a crash does not end this process; knows no game.

`open_hosted` takes the options of `open_bridge` and returns a bridge that behaves the same. Names are imported lazily,
so that the child does not load the parent's modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emubot.bridges.hosted.available import HOSTED, why_not
    from emubot.bridges.hosted.bridge import HostedBridge, open_hosted
    from emubot.bridges.hosted.probing import probe_apart

__all__ = ["HOSTED", "HostedBridge", "open_hosted", "probe_apart", "why_not"]

_HOMES = {
    "HOSTED": "available",
    "HostedBridge": "bridge",
    "open_hosted": "bridge",
    "probe_apart": "probing",
    "why_not": "available",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
