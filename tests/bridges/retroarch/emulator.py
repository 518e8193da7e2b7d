"""A real RetroArch without screen and sound for tests, with its own folders; or the test is skipped with the remedy."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from emubot.bridges.retroarch import Commands, RetroArchBridge, connect, write_config
from tests.bridges.cores import require_core
from tests.bridges.retroarch.fake import free_port, neighbours
from tests.bridges.started import START, answered, attached

REMEDY = "needs RetroArch: apt-get install retroarch"
# Null drivers have nothing that waits for a screen: the frame rate is then the core's own.
HEADLESS = {
    "video_driver": "null",
    "audio_driver": "null",
    "input_driver": "null",
    "input_joypad_driver": "null",
    "menu_driver": "null",
    "vrr_runloop_enable": "true",
    "fastforward_frameskip": "false",
    "config_save_on_exit": "false",
}


@dataclass(frozen=True)
class RetroArch:
    """A running RetroArch, by the ports it listens on."""

    process: subprocess.Popen[bytes]
    port: int
    pad_port: int
    log: Path

    def attach(self, patience: float = START) -> RetroArchBridge:
        return attached(
            self.process,
            self.log,
            lambda wait: connect(port=self.port, pad_port=self.pad_port, wait=wait, patience=patience),
        )

    def attached_by(self, waiting: Future[RetroArchBridge]) -> RetroArchBridge:
        """The bridge of a thread that waits for it."""
        return answered(self.process, self.log, waiting)

    def tell(self, command: str) -> None:
        """A network command that is not answered, such as FAST_FORWARD: on, and off again."""
        with Commands("127.0.0.1", self.port) as commands:
            commands.tell(command)


def free_ports() -> tuple[int, int]:
    """A port for commands and the first of two for pads, free a moment ago."""
    pads, pad_port = neighbours()
    for pad in pads:
        pad.close()
    return free_port(), pad_port


@contextmanager
def retroarch(
    folder: Path, rom: Path, core: str, ports: tuple[int, int] | None = None, speed: float = 1.0
) -> Iterator[RetroArch]:
    """RetroArch plays a cartridge; everything that it writes goes into `folder`. `speed` is that of FAST_FORWARD."""
    program = shutil.which("retroarch")
    if program is None:
        if os.environ.get("EMUBOT_REQUIRE_EMULATORS") == "1":
            pytest.fail(REMEDY)
        pytest.skip(REMEDY)
    library = require_core(core)
    folder.mkdir(parents=True, exist_ok=True)
    port, pad_port = ports or free_ports()
    ours = write_config(folder, port, pad_port)
    tests = folder / "headless.cfg"
    settings = {**HEADLESS, "fastforward_ratio": str(speed)}
    tests.write_text("".join(f'{name} = "{value}"\n' for name, value in settings.items()), encoding="ascii")
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["DBUS_FATAL_WARNINGS"] = "0"  # or libgamemode, where it is installed, aborts without a bus
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"), str(folder))
    log = folder / "retroarch.log"
    with log.open("wb") as printed:
        process = subprocess.Popen(
            [program, "--verbose", "-L", str(library), f"--appendconfig={ours}|{tests}", str(rom)],
            env=environment | homes,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        try:
            yield RetroArch(process, port, pad_port, log)
        finally:
            process.kill()
            process.wait()
