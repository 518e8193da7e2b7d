"""The server's end of a child that plays a session: `emubot play ... --feed`; knows no page and no emulator."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from emubot.arena.orders import Close, Order, packed, packed_input
from emubot.program import program

LENGTH: Final = struct.Struct("<I")  # of each message, on both pipes
_LONGEST: Final = 1 << 22
_LAST_WORDS: Final = 600
_FAREWELL: Final = 3.0  # seconds


class PlayLink:
    """One child. `on_binary` and `on_event` are called in the event loop.

    `on_event` gets `{"event": "failed"}` with the child's last words if it ends before it said that the game is over.
    """

    def __init__(
        self, words: Sequence[str], on_binary: Callable[[bytes], None], on_event: Callable[[dict[str, Any]], None]
    ) -> None:
        """`words` are the subcommand, `play` or `train watch`, and its options."""
        self._words, self._on_binary, self._on_event = words, on_binary, on_event
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: list[bytes] = []
        self._closed = False
        self._task = asyncio.get_running_loop().create_task(self._run())

    def tell(self, order: Order) -> None:
        """Send an order."""
        self._write(packed(order))

    def put(self, message: bytes) -> None:
        """Send an input."""
        self._write(packed_input(message))

    def close(self) -> None:
        """End the child: in order if it answers, otherwise after three seconds."""
        if not self._closed:
            self._closed = True
            self.tell(Close())
            asyncio.get_running_loop().call_later(_FAREWELL, self._kill)

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    def _write(self, message: bytes) -> None:
        data = LENGTH.pack(len(message)) + message
        if self._process is None:
            self._waiting.append(data)
        elif self._process.stdin is not None:
            with suppress(OSError, RuntimeError):  # it has ended, and `_run` says so
                self._process.stdin.write(data)

    async def _run(self) -> None:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *program(), *self._words, "--feed", "--no-config", stdin=pipe, stdout=pipe, stderr=pipe, limit=_LONGEST
        )
        self._process = process
        for data in self._waiting:
            if process.stdin is not None:
                process.stdin.write(data)
        assert process.stdout is not None
        assert process.stderr is not None
        said = asyncio.create_task(self._hear_stderr(process.stderr))
        is_over = False
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                message = await process.stdout.readexactly(length)
                if message[:1] == b"{":
                    words = json.loads(message)
                    is_over = is_over or words["event"] == "over"
                    self._on_event(words)
                else:
                    self._on_binary(message[1:])
        code = await process.wait()
        last = await said
        if not is_over and not self._closed:
            self._on_event(
                {"event": "failed", "message": last or f"emubot {self._words[0]} has ended with code {code}."}
            )

    async def _hear_stderr(self, stream: asyncio.StreamReader) -> str:
        """Pass lines for the person on; returns the last one."""
        last = ""
        with suppress(ValueError, OSError):  # a line without an end
            while line := await stream.readline():
                last = line.decode("utf-8", "replace").strip().removeprefix("emubot: ")[:_LAST_WORDS] or last
                self._on_event({"event": "said", "message": last})
        return last
