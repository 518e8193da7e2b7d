"""The BizHawk bridge: a running BizHawk (EmuHawk) with emubot's Lua script in it, which calls emubot."""

from __future__ import annotations

from typing import Final

from emubot.bridges.protocol import AS_SET, EmuSpeed
from emubot.bridges.scripted import PATIENCE, ScriptedBridge, ScriptHost

HOST: Final = ScriptHost(
    name="bizhawk",
    emulator="BizHawk",
    port=9997,
    load="start it with --socket_ip=127.0.0.1 --socket_port={port} and --lua= and the script that emubot bridge-script "
    "bizhawk names",
    speeds={AS_SET: None, 1.0: b"normal", None: b"maximum"},
    speed_menu="Config, Speed/Skip",
    movie="File, Movie, Stop Movie",
    calls=True,
)


def connect(
    *,
    port: int = HOST.port,
    wait: float = 0.0,
    emu_speed: EmuSpeed = AS_SET,
    patience: float = PATIENCE,
) -> ScriptedBridge:
    """Wait on loopback for a BizHawk that runs emubot's script; arguments and errors are those of `ScriptedBridge`.

    The port stays open until the process ends, as BizHawk calls only once.
    """
    return ScriptedBridge(HOST, ("127.0.0.1", port), emu_speed, wait, patience)
