"""The process that plays matches: one thread for each, 60 frames a second; knows no socket and no page.

Messages to it are JSON objects with `do`, or an input: `I`, the match's number (4 bytes) and the input (wire.py).
Messages from it are JSON objects with `event`, or a frame: `F`, the match's number and the frame. It ends when the pipe
to its parent does.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from emubot.arena.match_thread import INPUT, NUMBER, MatchThread, ReplayThread, text_of
from emubot.errors import EmubotError

_SWITCH: Final = 0.0005  # seconds: a frame that is due does not wait for long Python code of another match


def serve(pipe: Connection, pace: float) -> None:
    """Play matches until the pipe is closed. `pace` is how many times as fast as a console they run."""
    for number in (signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
        signal.signal(number, signal.SIG_IGN)  # the parent ends it
    sys.setswitchinterval(_SWITCH)
    _Host(pipe, pace).run()


class _Host:
    def __init__(self, pipe: Connection, pace: float) -> None:
        self._pipe, self._pace = pipe, pace
        self._sending = threading.Lock()
        self._compiling = threading.Lock()
        self._of_game: dict[str, threading.Lock] = {}
        self._ready: set[str] = set()
        self._tables: dict[int, MatchThread] = {}

    def run(self) -> None:
        _load()
        with suppress(EOFError, OSError):
            while True:
                self._hear(self._pipe.recv_bytes())

    def _hear(self, message: bytes) -> None:
        if message[:1] == INPUT:
            (number,) = NUMBER.unpack_from(message, 1)
            if number in self._tables:
                self._tables[number].put(message[1 + NUMBER.size :])
            return
        words = json.loads(message)
        match words["do"]:
            case "warm":
                threading.Thread(target=self._warm, args=(words["games"],), daemon=True).start()
            case "open" | "replay":
                kind = MatchThread if words["do"] == "open" else ReplayThread
                table = kind(words, self._pace, self._send, self._prepare)
                self._tables[words["match"]] = table
                table.start()
            case "close":
                table_ = self._tables.pop(words["match"], None)
                if table_ is not None:
                    table_.tell(words)
            case _:
                if words["match"] in self._tables:
                    self._tables[words["match"]].tell(words)

    def _send(self, message: bytes) -> None:
        with self._sending, suppress(OSError):  # the parent has gone, and `run` ends
            self._pipe.send_bytes(message)

    def _warm(self, games: Sequence[str]) -> None:
        try:
            for game in games:
                self._prepare(game, None)
        except EmubotError as failure:
            self._send(text_of(event="failed", match=None, message=str(failure)))

    def _prepare(self, name: str, match: int | None) -> None:
        """Compile or load the kernels of one of the catalogue's games; events tell how far it is."""
        from emubot import games
        from emubot.arena.catalogue import game_offer
        from emubot.session.compiling import compile_kernels

        offer = game_offer(name)
        family, edition = offer.family, games.open_edition(offer.load())
        of, done = len(edition.kernels()), 0

        def begins(job: str) -> None:
            nonlocal done
            self._send(text_of(event="compiling", match=match, family=family, job=job, done=done, of=of))
            done += 1

        with self._of_game.setdefault(
            name, threading.Lock()
        ):  # a match waits for its own game, not for another one that compiles after it
            if name not in self._ready:
                with self._compiling:
                    compile_kernels(edition, begins)
                self._ready.add(name)
        self._send(text_of(event="ready", match=match, family=family))


def _load() -> None:
    """Import what matches need, before any thread does: two threads that import NumPy at once can break it."""
    from emubot import games
    from emubot.arena import catalogue, challenge, match, player, replay, request  # noqa: F401
    from emubot.session import compiling  # noqa: F401

    for offer in catalogue.offered().values():
        with suppress(EmubotError):  # a match of it says what is wrong
            games.open_edition(offer.load())
