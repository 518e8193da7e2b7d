"""The process that plays matches: one thread for each, 60 frames a second; knows no socket and no page.

Messages to it are JSON objects with `do`, or an input: `I`, the match's number (4 bytes) and the input (wire.py).
Messages from it are JSON objects with `event`, or a frame: `F`, the match's number and the frame. It ends when the pipe
to its parent does.
"""

from __future__ import annotations

import json
import signal
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final

from emubot.errors import EmubotError

if TYPE_CHECKING:
    from emubot.arena.match import Match

NUMBER: Final = struct.Struct("<I")
INPUT, FRAME, TEXT = b"I", b"F", b"{"
ON_TIME: Final = 0.008  # seconds after its time at which a frame still counts as on time
_FAR_BEHIND: Final = 0.25  # seconds behind after which frames are not made up for
_FIGURES_EVERY: Final = 0.25  # seconds
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
        self._tables: dict[int, _Table] = {}

    def run(self) -> None:
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
                for family in words["families"]:
                    threading.Thread(target=self._warm, args=(family,), daemon=True).start()
            case "open":
                table = _Table(words, self._pace, self._send, self._prepare)
                self._tables[words["match"]] = table
                table.start()
            case "close":
                table_ = self._tables.pop(words["match"], None)
                if table_ is not None:
                    table_.tell("close")
            case do:
                if words["match"] in self._tables:
                    self._tables[words["match"]].tell(do)

    def _send(self, message: bytes) -> None:
        with self._sending, suppress(OSError):  # the parent has gone, and `run` ends
            self._pipe.send_bytes(message)

    def _warm(self, family: str) -> None:
        try:
            self._prepare(family, None)
        except EmubotError as failure:
            self._send(_text(event="failed", match=None, message=str(failure)))

    def _prepare(self, family: str, match: int | None) -> None:
        """Compile or load a family's kernels; events tell how far it is."""
        from emubot import games
        from emubot.session.compiling import compile_kernels, kernels_of

        with self._compiling:
            game = games.game(family)
            of, done = len(kernels_of(game)), 0

            def begins(name: str) -> None:
                nonlocal done
                self._send(_text(event="compiling", match=match, family=family, job=name, done=done, of=of))
                done += 1

            compile_kernels(game, begins)
            self._send(_text(event="ready", match=match, family=family))


class _Table(threading.Thread):
    """A match in its thread."""

    def __init__(
        self,
        words: dict[str, Any],
        pace: float,
        send: Callable[[bytes], None],
        prepare: Callable[[str, int | None], None],
    ) -> None:
        super().__init__(name=f"match {words['match']}", daemon=True)
        self._number, self._request, self._seed = words["match"], words["request"], words["seed"]
        self._pace, self._send, self._prepare = pace, send, prepare
        self._orders: deque[str] = deque()
        self._ordered = threading.Event()
        self._inputs: deque[bytes] = deque(maxlen=1024)
        self.frames = self.late = 0

    def put(self, message: bytes) -> None:
        self._inputs.append(message)

    def tell(self, do: str) -> None:
        self._orders.append(do)
        self._ordered.set()

    def run(self) -> None:
        try:
            self._play()
        except EmubotError as failure:
            self._say(event="failed", message=str(failure))
        except Exception as mistake:  # a match never takes the others with it
            self._say(event="failed", message=f"a mistake in emubot ({type(mistake).__name__}: {mistake})")

    def _play(self) -> None:
        from emubot.arena.catalogue import game_offer
        from emubot.arena.challenge import Challenge
        from emubot.arena.match import Match
        from emubot.arena.request import MatchRequest

        request = MatchRequest.model_validate_json(json.dumps(self._request))
        request.check()
        for family in dict.fromkeys(game_offer(side.game).family for side in request.sides):
            self._prepare(family, self._number)
        while True:
            match = (Challenge if request.challenge else Match)(request, self._seed)
            self._say(event="opened", seed=self._seed)
            if not self._play_through(match, request.pace):
                return
            self._say(event="over", result=match.result(), frames=self.frames, late=self.late)
            if not self._wait_for_rematch():
                return
            self._seed = (self._seed + 1) % 2**31

    def _play_through(self, match: Match, pace: int) -> bool:
        """Play to the end; returns whether it was reached, and not broken off."""
        frame = 1 / match.frame_rate / self._pace
        head = FRAME + NUMBER.pack(self._number)
        due = told = time.perf_counter()
        while not match.finished:
            self._ordered.clear()
            while self._orders:
                do = self._orders.popleft()
                if do == "close":
                    return False
                if do == "insight":
                    match.explain(self._say)
                {"pause": match.pause, "resume": match.resume}.get(do, lambda: None)()
            self._put_inputs(match)
            data = self._ticked(match, pace, due + frame)
            if match.is_paused:  # shown once; a match that stands still costs nothing
                self._send(head + data)
                self._wait_for_orders()
                due = time.perf_counter()
                continue
            now = time.perf_counter()
            behind = now - due
            self.frames += 1
            self.late += behind > ON_TIME
            self._send(head + data)
            if pace != 1 and now - told > _FIGURES_EVERY:
                told = now
                self._say(event="running", sides=match.figures(), ticks=match.ticks)
            due = due + frame if behind < _FAR_BEHIND else due + behind
            rest = due - time.perf_counter()
            if rest > 0:
                time.sleep(rest)
        return True

    def _ticked(self, match: Match, pace: int, until: float) -> bytes:
        """Play as many frames as the pace has in one: a number, or as many as fit until this time."""
        data = match.tick()
        played = 1
        while (
            not match.finished and not match.is_paused and (played < pace or (not pace and time.perf_counter() < until))
        ):
            data = match.tick()
            played += 1
        return data

    def _put_inputs(self, match: Match) -> None:
        from emubot.arena.wire import unpack_input

        while self._inputs:
            match.put(unpack_input(self._inputs.popleft()))

    def _wait_for_rematch(self) -> bool:
        while True:
            self._wait_for_orders()
            while self._orders:
                do = self._orders.popleft()
                if do in ("close", "rematch"):
                    self._inputs.clear()
                    return do == "rematch"

    def _wait_for_orders(self) -> None:
        self._ordered.wait()
        self._ordered.clear()

    def _say(self, **words: Any) -> None:
        self._send(_text(match=self._number, **words))


def _text(**words: Any) -> bytes:
    return json.dumps(words).encode()
