"""A fake emulator in a Lua interpreter with emubot's script in it, at a port of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from emubot.bridges import bizhawk, mesen
from emubot.bridges.protocol import AS_SET, EmuSpeed
from emubot.bridges.scripted import ScriptedBridge, script_text
from tests.bridges.fceux.emulator import free_port
from tests.bridges.started import START, attached, check_runs

HERE = Path(__file__).parent
REMEDY = "needs Lua 5.4 with LuaSocket: apt-get install lua5.4 lua-socket"
CONNECTS = {"mesen": mesen.connect, "bizhawk": bizhawk.connect}


def interpreter() -> str:
    """Lua's path; without it the test is skipped, or fails where EMUBOT_REQUIRE_EMULATORS=1."""
    found = shutil.which("lua5.4")
    words = [found or "", "-e", "require 'socket.core'"]
    if found is None or subprocess.run(words, check=False, capture_output=True).returncode:
        if os.environ.get("EMUBOT_REQUIRE_EMULATORS") == "1":
            pytest.fail(REMEDY)
        pytest.skip(REMEDY)
    return found


@dataclass(frozen=True)
class Fake:
    """A running fake emulator."""

    name: str
    process: subprocess.Popen[bytes]
    port: int
    folder: Path

    def attach(self, emu_speed: EmuSpeed = AS_SET, patience: float = START) -> ScriptedBridge:
        connect = CONNECTS[self.name]
        return attached(
            self.process,
            self.folder / "lua.log",
            lambda wait: connect(port=self.port, wait=wait, emu_speed=emu_speed, patience=patience),
        )

    def does(self, lua: str) -> None:
        """Have it run some Lua between two frames, as its user might by hand."""
        order, partial = self.folder / "order.lua", self.folder / "order.part"
        partial.write_text(lua, encoding="ascii")
        partial.rename(order)
        due = time.monotonic() + START
        while order.exists():
            assert time.monotonic() < due, self.said
            check_runs(self.process, self.folder / "lua.log")
            time.sleep(0.005)

    @property
    def said(self) -> str:
        """What the script said in the emulator."""
        said = self.folder / "said"
        return said.read_text(encoding="utf-8") if said.exists() else ""


@contextmanager
def fake(name: str, folder: Path, awaited_at: int | None = None, **environment: str) -> Iterator[Fake]:
    """A fake `name` runs emubot's script; one that calls emubot is awaited, here or by another process at a port."""
    lua, port = interpreter(), awaited_at or free_port()
    script = folder / "emubot.lua"
    script.write_text(script_text(name), encoding="utf-8")
    if CONNECTS[name] is bizhawk.connect and awaited_at is None:
        _open(port)
    with (folder / "lua.log").open("wb") as log:
        process = subprocess.Popen(
            [lua, str(HERE / f"fake_{name}.lua")],
            env={
                **os.environ,
                "LUA_PATH": f"{HERE}/?.lua;;",
                "EMUBOT_FOLDER": str(folder),
                "EMUBOT_SCRIPT": str(script),
                "EMUBOT_PORT": str(port),
                "EMUBOT_MESEN_PORT": str(port),
                **environment,
            },
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield Fake(name, process, port, folder)
    finally:
        process.kill()
        process.wait()


def _open(port: int) -> None:
    """Wait for its call before it starts, as emubot does."""
    from emubot.errors import EmulatorNotFound

    with pytest.raises(EmulatorNotFound, match="has called at"):
        bizhawk.connect(port=port)
