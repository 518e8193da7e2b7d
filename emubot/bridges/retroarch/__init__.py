"""Attaches to a running RetroArch by its network commands and Remote RetroPad."""

from emubot.bridges.retroarch.bridge import RetroArchBridge, connect
from emubot.bridges.retroarch.commands import COMMAND_PORT, Commands, Status
from emubot.bridges.retroarch.config import write_config
from emubot.bridges.retroarch.pads import PAD_PORT

__all__ = ["COMMAND_PORT", "PAD_PORT", "Commands", "RetroArchBridge", "Status", "connect", "write_config"]
