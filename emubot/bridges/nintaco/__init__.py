"""Nintaco: a client of its program server's API, which can be used alone, and the bridge on top of it."""

from __future__ import annotations

from emubot.bridges.nintaco.api.calls import Button
from emubot.bridges.nintaco.api.client import Client
from emubot.bridges.nintaco.api.events import UNCHANGED, AccessKind, Event, EventKind
from emubot.bridges.nintaco.api.wire import NoMachine, ProtocolError
from emubot.bridges.nintaco.bridge import NintacoBridge, connect
from emubot.bridges.notices import ConnectionLost

__all__ = [
    "UNCHANGED",
    "AccessKind",
    "Button",
    "Client",
    "ConnectionLost",
    "Event",
    "EventKind",
    "NintacoBridge",
    "NoMachine",
    "ProtocolError",
    "connect",
]
