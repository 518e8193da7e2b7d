"""Writes the file for RetroArch's --appendconfig with the settings for the bridge."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from emubot.atomic import write_whole
from emubot.bridges.retroarch.commands import COMMAND_PORT
from emubot.bridges.retroarch.pads import PAD_PORT
from emubot.errors import UsageError

FILE_NAME: Final = "emubot-retroarch.cfg"


def settings(port: int = COMMAND_PORT, pad_port: int = PAD_PORT) -> dict[str, str]:
    """Returns RetroArch's own names of the settings and their values. Raises UsageError for an impossible port.

    Only newer builds know `network_cmd_bind_address`. Older ones ignore it, and the port is open on every interface.
    """
    for number in (port, pad_port, pad_port + 1):
        if not 0 < number < 0x10000:
            raise UsageError(f"A port is 1 to 65535, not {number}.")
    return {
        "network_cmd_enable": "true",
        "network_cmd_port": str(port),
        "network_cmd_bind_address": "127.0.0.1",
        "network_remote_enable": "true",
        "network_remote_base_port": str(pad_port),
        "network_remote_enable_user_p1": "true",
        "network_remote_enable_user_p2": "true",
        "pause_nonactive": "false",  # else the game stops while emubot's terminal has the focus
        "menu_pause_libretro": "true",  # else the bot plays on behind the menu and its pad moves the menu (measured)
    }


def config_text(port: int = COMMAND_PORT, pad_port: int = PAD_PORT) -> str:
    """Returns the file's text."""
    return "".join(f'{name} = "{value}"\n' for name, value in settings(port, pad_port).items())


def write_config(path: Path, port: int = COMMAND_PORT, pad_port: int = PAD_PORT) -> Path:
    """Write the file, over an old one, and return its path; in a folder it gets the name `FILE_NAME`.

    Raises StorageError, UsageError.
    """
    file = path / FILE_NAME if path.is_dir() else path
    write_whole(file, config_text(port, pad_port).encode("ascii"))
    return file
