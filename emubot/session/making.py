"""Compiles in another process at low priority, while a game goes on or a command ends; draws nothing."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from emubot.errors import EmubotError
from emubot.program import program
from emubot.session.compiling import AHEAD, Progress, is_compiled, left_to_compile, play_purpose, scope_of
from emubot.systems.processes import apart, lower

if TYPE_CHECKING:
    from pathlib import Path

    from emubot.games.protocol import Game
    from emubot.rammap import RamMap


class Making:
    """The kernels of play by a map in the making, by a process that goes on when this one ends."""

    def __init__(self, ram_map: RamMap, process: subprocess.Popen[bytes] | None) -> None:
        from emubot.games import game

        self._map, self._process = ram_map, process
        self._scope = scope_of(game(ram_map.family))
        self._is_ready = False

    @classmethod
    def start(cls, ram_map: RamMap) -> Making:
        """Begin to compile play by this map and then the rest of its family; nothing is printed."""
        words = ["--map", str(_file_of(ram_map)), ram_map.family]
        return cls(ram_map, None if os.environ.get(AHEAD) == "0" else _started(words))

    @property
    def ready(self) -> bool:
        """Whether all is compiled that play by the map needs."""
        self._is_ready = self._is_ready or is_compiled(self._map)
        return self._is_ready

    @property
    def progress(self) -> Progress | None:
        """How far it is; None before it begins and after its end."""
        return None if self.ready else Progress.read(self._scope)

    @property
    def is_off(self) -> bool:
        """Whether nothing is to be compiled in the background."""
        return os.environ.get(AHEAD) == "0" and not self.ready

    @property
    def failed(self) -> bool:
        """Whether the process ended, and there is still something to compile: the next start tries again."""
        return (self._process is None or self._process.poll() is not None) and not self.ready

    def close(self) -> None:
        """Leave it to itself: it compiles on, for the next start."""
        _leave(self._process)


def compile_ahead(games: Sequence[Game]) -> bool:
    """Begin to compile all of these families in another process; returns whether there was anything to begin."""
    missing = left_to_compile(games)
    process = _started(missing) if missing else None
    _leave(process)
    return process is not None


def _leave(process: subprocess.Popen[bytes] | None) -> None:
    """Let it run on; Python would else warn of a child that nobody waits for."""
    if process is not None and process.poll() is None:
        process.returncode = 0


def _started(words: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """Returns the process that compiles, at the lowest priority; signals to this terminal do not reach it."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    nowhere: Any = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            [*program(), "compile", *words, "-q"],
            env=environment,
            stdin=nowhere,
            stdout=nowhere,
            stderr=nowhere,
            **apart(lowest=True),
        )
    except OSError:  # too many processes; the game goes on
        return None
    lower(process.pid)
    threading.Thread(target=process.wait, name="compiles", daemon=True).start()  # else its end would stay in a table
    return process


def _file_of(ram_map: RamMap) -> Path:
    """Returns a file of the map: its own, or one in the cache of what has been learnt since."""
    from emubot.datafiles import user_cache
    from emubot.rammap import load_map
    from emubot.rammap.writing import write_map

    wanted = play_purpose(ram_map)
    with suppress(EmubotError):
        stored = load_map(ram_map.path.absolute())
        each = (stored, *(stored.for_identity(known.sha1) for known in stored.identities if known.sha1))
        if any(play_purpose(one) == wanted for one in each):
            return ram_map.path.absolute()
    file = user_cache() / "maps" / f"{wanted}.yaml"
    with suppress(EmubotError, OSError):  # the process will say that there is no such file
        file.parent.mkdir(parents=True, exist_ok=True)
        write_map(ram_map, file, {})
    return file
