"""The FCEUX bridge: a running FCEUX with emubot's Lua script in it."""

from __future__ import annotations

from pathlib import Path

from emubot.bridges.fceux.bridge import PATIENCE, PORT, FceuxBridge, connect

__all__ = ["PATIENCE", "PORT", "FceuxBridge", "connect", "script_path"]


def script_path() -> Path:
    """Returns the path of the Lua script to load in FCEUX."""
    return Path(__file__).with_name("emubot.lua").resolve()
