"""Bridges to emulators that run a Lua script, which shows the memory and presses the pads."""

from __future__ import annotations

from emubot.bridges.scripted.bridge import PATIENCE, ScriptedBridge
from emubot.bridges.scripted.host import ScriptHost
from emubot.bridges.scripted.script import script_text

__all__ = ["PATIENCE", "ScriptHost", "ScriptedBridge", "script_text"]
