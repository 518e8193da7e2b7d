"""The server's end of the process that plays matches: starts it, talks with it without waiting, replaces it."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

from emubot.arena.match_process import INPUT, serve
from emubot.arena.orders import ToProcess, packed
from emubot.arena.runner import FRAME, NUMBER

_END: Final = b""


class MatchLink:
    """The process of the matches. `on_frame` and `on_event` are called in the event loop.

    `on_event` also gets `{"event": "crashed"}` if the process ends by itself; the next match starts a new one.
    """

    def __init__(
        self,
        on_frame: Callable[[int, bytes], None],
        on_event: Callable[[dict[str, Any]], None],
        compiled: bool,
        pace: float = 1.0,
    ) -> None:
        """The process has `compiled` kernels, or those of the sources as they stand.

        `pace` is how many times as fast as a console the matches run.
        """
        self._on_frame, self._on_event, self._compiled, self._pace = on_frame, on_event, compiled, pace
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._out: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def start(self) -> None:
        """Start the process, unless it runs; call it in the event loop."""
        if self._process is not None:
            return
        context = multiprocessing.get_context("spawn")
        pipe: Any = context.Pipe()  # of another type on Windows
        ours, theirs = pipe
        words = (theirs, self._compiled, self._pace)
        self._process = context.Process(target=serve, args=words, name="emubot matches", daemon=True)
        self._process.start()
        theirs.close()
        self._pipe, self._out = ours, queue.SimpleQueue()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._write, args=(ours, self._out), daemon=True).start()
        threading.Thread(target=self._read, args=(ours, loop), daemon=True).start()

    @property
    def runs(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def tell(self, message: ToProcess) -> None:
        """Send a message; starts the process if it does not run."""
        self.start()
        self._out.put(packed(message))

    def put(self, match: int, message: bytes) -> None:
        """Send an input of a match."""
        if self._process is not None:
            self._out.put(INPUT + NUMBER.pack(match) + message)

    def close(self) -> None:
        """End the process; harmless when called again."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is None or pipe is None:
            return
        self._out.put(_END)
        process.terminate()
        process.join(2.0)
        if process.is_alive():
            process.kill()
            process.join()

    def _write(self, pipe: Connection, out: queue.SimpleQueue[bytes]) -> None:
        with suppress(OSError):
            while (message := out.get()) != _END:
                pipe.send_bytes(message)

    def _read(self, pipe: Connection, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(EOFError, OSError, RuntimeError):  # a closed loop is a RuntimeError
            while True:
                message = pipe.recv_bytes()
                if message[:1] == FRAME:
                    (number,) = NUMBER.unpack_from(message, 1)
                    loop.call_soon_threadsafe(self._on_frame, number, message[1 + NUMBER.size :])
                else:
                    loop.call_soon_threadsafe(self._on_event, json.loads(message))
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._ended, pipe)

    def _ended(self, pipe: Connection) -> None:
        if pipe is self._pipe:
            self._out.put(_END)
            self._process = self._pipe = None
            self._on_event({"event": "crashed"})
