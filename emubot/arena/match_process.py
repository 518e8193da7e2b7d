"""The process that plays matches: one thread for each, 60 frames a second; knows no socket and no page.

Messages to it are orders (orders.py), or an input: `I`, the match's number (4 bytes) and the input (wire.py).
Messages from it are JSON objects with `event`, or a frame: `F`, the match's number and the frame. It ends when the pipe
to its parent does.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from emubot.arena.match_runner import MatchRunner, ReplayRunner
from emubot.arena.orders import Close, Open, OpenRecorded, OpenWall, ToMatch, Warm, read_for_process
from emubot.arena.runner import NUMBER, text_of
from emubot.arena.wall_runner import WallRunner
from emubot.arena.wire import unpack_input
from emubot.errors import EmubotError
from emubot.systems.signals import leave_to_parent

INPUT: Final = b"I"
_SWITCH: Final = 0.0005  # seconds: a frame that is due does not wait for long Python code of another match


def serve(pipe: Connection, compiled: bool, pace: float) -> None:
    """Play matches until the pipe is closed. `pace` is how many times as fast as a console they run.

    Without `compiled` kernels consoles run as they stand in the sources, which is fast enough, and bots decide in other
    processes.
    """
    leave_to_parent()
    sys.setswitchinterval(_SWITCH)
    if not compiled:
        from emubot.jit import leave_uncompiled

        leave_uncompiled()
    _Host(pipe, compiled, pace).run()


class _Host:
    def __init__(self, pipe: Connection, compiled: bool, pace: float) -> None:
        self._pipe, self._compiled, self._pace = pipe, compiled, pace
        self._sending = threading.Lock()
        self._loading = threading.Lock()
        self._of_game: dict[str, threading.Lock] = {}
        self._ready: set[str] = set()
        self._tables: dict[int, MatchRunner | ReplayRunner | WallRunner] = {}

    def run(self) -> None:
        _load(self._compiled)
        self._send(text_of(event="loaded"))
        with suppress(EOFError, OSError):
            while True:
                self._hear(self._pipe.recv_bytes())

    def _hear(self, message: bytes) -> None:
        if message[:1] == INPUT:
            (number,) = NUMBER.unpack_from(message, 1)
            if number in self._tables:
                self._tables[number].mail.put(unpack_input(message[1 + NUMBER.size :]))
            return
        match read_for_process(message):
            case Warm(games=games):
                threading.Thread(target=self._warm, args=(games,), daemon=True).start()
            case Open() as order:
                self._begin(order.match, MatchRunner(order, self._pace, self._send, self._prepare, not self._compiled))
            case OpenRecorded() as order:
                self._begin(order.match, ReplayRunner(order, self._pace, self._send, self._prepare))
            case OpenWall() as order:
                self._begin(order.match, WallRunner(order, self._pace, self._send, self._prepare))
            case ToMatch(match=number, order=order) if number in self._tables:
                self._tables[number].mail.put(order)
                if isinstance(order, Close):
                    del self._tables[number]

    def _begin(self, number: int, runner: MatchRunner | ReplayRunner | WallRunner) -> None:
        self._tables[number] = runner
        threading.Thread(target=runner.run, name=f"match {number}", daemon=True).start()

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
        """Load the kernels of one of the catalogue's games, or compile those of a family that plays with no others."""
        from emubot import games
        from emubot.arena.catalogue import game_offer
        from emubot.session.compiling import Progress, compile_kernels, scope_of

        if not self._compiled:
            return
        edition = games.open_edition(game_offer(name).load())

        def begins(job: str) -> None:
            progress = Progress.read(scope_of(edition.game))
            if match is not None and progress is not None:
                self._send(text_of(event="readiness", match=match, words=progress.words))

        with self._of_game.setdefault(
            name, threading.Lock()
        ):  # a match waits for its own game, not for another one that is loaded after it
            if name not in self._ready:
                with self._loading:
                    compile_kernels(edition, begins)
                self._ready.add(name)


def _load(compiled: bool) -> None:
    """Import what matches need, before any thread does: two threads that import NumPy at once can break it."""
    from emubot import games
    from emubot.arena import catalogue, challenge, match, odds, player, race, replay, request  # noqa: F401
    from emubot.games import ahead  # noqa: F401
    from emubot.session import compiling  # noqa: F401

    if compiled:  # no wall is played without
        from emubot.arena import wall  # noqa: F401
        from emubot.training import plan  # noqa: F401

    for offer in catalogue.offered().values():
        with suppress(EmubotError):  # a match of it says what is wrong
            edition = games.open_edition(offer.load())
            if edition.simulator is not None:
                edition.simulator.machine(None, even=True)
            if edition.statistics is not None:
                edition.statistics()
            if compiled and edition.explainer is not None:
                edition.explainer.threat()
