"""The Mesen bridge: a running Mesen 2 with emubot's Lua script in it."""

from __future__ import annotations

from typing import Final

from emubot.bridges.protocol import AS_SET, EmuSpeed
from emubot.bridges.scripted import PATIENCE, ScriptedBridge, ScriptHost

HOST: Final = ScriptHost(
    name="mesen",
    emulator="Mesen",
    port=9996,
    load="run the script that emubot bridge-script mesen names (Debug, Script Window), with a cartridge",
    speeds={AS_SET: None},  # its scripts cannot set one
    speed_menu="Options, Speed",
    movie="Tools, Movies, Stop",
)


def connect(
    *,
    host: str = "127.0.0.1",
    port: int = HOST.port,
    wait: float = 0.0,
    emu_speed: EmuSpeed = AS_SET,
    patience: float = PATIENCE,
) -> ScriptedBridge:
    """Attach to a running Mesen 2 in which emubot's script runs.

    Arguments and errors are those of `ScriptedBridge`.
    """
    return ScriptedBridge(HOST, (host, port), emu_speed, wait, patience)
