"""Runs in-process emulators in a child process each, so that a crash does not end this process.

`open_hosted` takes the options of `open_bridge` and returns a bridge that behaves the same. Names are imported lazily,
so that the child does not load the parent's modules.
"""

from __future__ import annotations

from emubot.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from emubot.bridges.hosted.available import HOSTED as HOSTED
    from emubot.bridges.hosted.available import probe_apart as probe_apart
    from emubot.bridges.hosted.available import why_not as why_not
    from emubot.bridges.hosted.bridge import HostedBridge as HostedBridge
    from emubot.bridges.hosted.bridge import open_hosted as open_hosted

__all__ = ["HOSTED", "HostedBridge", "open_hosted", "probe_apart", "why_not"]

_AVAILABLE, _BRIDGE = f"{__name__}.available", f"{__name__}.bridge"
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "HOSTED": f"{_AVAILABLE}:HOSTED",
        "HostedBridge": f"{_BRIDGE}:HostedBridge",
        "open_hosted": f"{_BRIDGE}:open_hosted",
        "probe_apart": f"{_AVAILABLE}:probe_apart",
        "why_not": f"{_AVAILABLE}:why_not",
    },
)
