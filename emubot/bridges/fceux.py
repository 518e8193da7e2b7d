"""The FCEUX bridge: a running FCEUX with emubot's Lua script in it."""

from __future__ import annotations

from typing import Final

from emubot.bridges.protocol import AS_SET, EmuSpeed
from emubot.bridges.scripted import PATIENCE, ScriptedBridge, ScriptHost

HOST: Final = ScriptHost(
    name="fceux",
    emulator="FCEUX",
    port=9998,
    load="load the script that emubot bridge-script fceux names (File, Load Lua Script), and a cartridge",
    speeds={AS_SET: None, 1.0: b"normal", None: b"maximum"},  # all that a script can set, except "turbo"
    speed_menu="Emulation, Speed",
    movie="Movie, Movie Stop",
    tells_pauses=True,
)


def connect(
    *,
    host: str = "127.0.0.1",
    port: int = HOST.port,
    wait: float = 0.0,
    emu_speed: EmuSpeed = AS_SET,
    patience: float = PATIENCE,
) -> ScriptedBridge:
    """Attach to a running FCEUX in which emubot's script is loaded.

    Arguments and errors are those of `ScriptedBridge`.
    """
    return ScriptedBridge(HOST, (host, port), emu_speed, wait, patience)
