"""A real FCEUX under Xvfb for tests, with its own folders; found, or the test is skipped with the way to get it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from emubot.bridges.fceux import connect
from emubot.bridges.protocol import EmuSpeed
from emubot.bridges.scripted import ScriptedBridge, script_text
from tests.bridges.started import START, attached, check_runs

TESTED_SCRIPT = Path(__file__).with_name("on_command.lua")
LOG = "fceux.log"
GAMES = os.pathsep + "/usr/games"  # where Debian keeps it, outside of root's PATH
REMEDY = "needs FCEUX with LuaSocket, Xvfb and xdotool: apt-get install fceux lua-socket xvfb xdotool"
# The picture by SDL, not by a GL in software, and no sound: many times as fast on a machine without graphics.
CONFIG = "SDL.VideoDriver = 1\nSDL.Sound = 0\n"


def require(program: str) -> str:
    """The program's path; without it the test is skipped, or fails where EMUBOT_REQUIRE_EMULATORS=1."""
    found = shutil.which(program, path=os.environ.get("PATH", "") + GAMES)
    if found is None:
        if os.environ.get("EMUBOT_REQUIRE_EMULATORS") == "1":
            pytest.fail(REMEDY)
        pytest.skip(REMEDY)
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def screen() -> Iterator[str]:
    """An X server of our own; it picks its display's number itself, and tells it when it is ready."""
    told, tell = os.pipe()
    with os.fdopen(told) as reader:
        try:
            server = subprocess.Popen(
                [require("Xvfb"), "-displayfd", str(tell), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
                pass_fds=[tell],
                stderr=subprocess.DEVNULL,
            )
        finally:
            os.close(tell)
        try:
            number = reader.readline().strip()
            assert number, f"Xvfb has ended with code {server.wait()}"
            yield f":{number}"
        finally:
            server.kill()
            server.wait()


@dataclass(frozen=True)
class Fceux:
    """A running FCEUX with emubot's script in it, at a port of its own."""

    process: subprocess.Popen[bytes]
    port: int
    folder: Path
    display: str

    def attach(self, emu_speed: EmuSpeed = None, patience: float = START) -> ScriptedBridge:
        return attached(
            self.process,
            self.log,
            lambda wait: connect(port=self.port, wait=wait, emu_speed=emu_speed, patience=patience),
        )

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.folder / LOG

    def does(self, lua: str, wait: Callable[[], object] = lambda: time.sleep(0.01)) -> None:
        """Have it run some Lua between two frames, as its user might by hand; calls `wait` until it is done."""
        order, partial = self.folder / "order.lua", self.folder / "order.part"
        partial.write_text(lua, encoding="ascii")
        partial.rename(order)
        self._until(lambda: not order.exists(), wait)

    @contextmanager
    def keys_held(self, *keys: str) -> Iterator[None]:
        """Its user holds these keys of the keyboard; they arrive when they arrive."""
        self._focus()
        for key in keys:
            self._xdotool("keydown", key)
        try:
            yield
        finally:
            for key in keys:
                self._xdotool("keyup", key)

    def _focus(self) -> None:
        """Give its window the keyboard. The search fails when another window closes under it, so it is repeated."""
        deadline = time.monotonic() + START
        while True:
            try:
                self._xdotool("search", "--sync", "--onlyvisible", "--name", "FCEUX", "windowfocus", "--sync")
                return
            except subprocess.CalledProcessError:
                if time.monotonic() > deadline:
                    raise

    def _xdotool(self, *words: str) -> None:
        subprocess.run(
            [require("xdotool"), *words], env={**os.environ, "DISPLAY": self.display}, check=True, timeout=START
        )

    def wrote(self, name: str) -> bytes:
        """A file that its script writes into the folder, once it is there."""
        file = self.folder / name
        self._until(file.exists, lambda: time.sleep(0.05))
        return file.read_bytes()

    def _until(self, done: Callable[[], bool], wait: Callable[[], object]) -> None:
        due = time.monotonic() + START
        while not done():
            assert time.monotonic() < due, self.log.read_text(encoding="utf-8", errors="replace")
            check_runs(self.process, self.log)
            wait()


@contextmanager
def fceux(folder: Path, rom: Path, *words: str, script: Path = TESTED_SCRIPT) -> Iterator[Fceux]:
    """FCEUX plays a cartridge; `words` are further options. Everything that it writes goes into `folder`."""
    program = require("fceux")
    folder.mkdir(exist_ok=True)
    (folder / ".fceux").mkdir(exist_ok=True)
    (folder / ".fceux" / "fceux.cfg").write_text(CONFIG, encoding="ascii")
    port = free_port()
    written = folder / "emubot.lua"
    written.write_text(script_text("fceux"), encoding="utf-8")
    with ExitStack() as stack:
        display = stack.enter_context(screen())
        log = stack.enter_context((folder / LOG).open("wb"))
        environment = {
            **os.environ,
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "SDL_AUDIODRIVER": "dummy",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "EMUBOT_FCEUX_PORT": str(port),
            "EMUBOT_SCRIPT": str(written),
            "EMUBOT_FOLDER": str(folder),
        }
        process = subprocess.Popen(
            [program, *words, "--loadlua", str(script), str(rom)],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            yield Fceux(process, port, folder, display)
        finally:
            process.kill()  # asked to end politely it may hang for ever in its own clean-up
            process.wait()
