"""One match in a thread of its own, 60 frames a second, live or recorded; knows no pipe and no page."""

from __future__ import annotations

import json
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot.errors import EmubotError

if TYPE_CHECKING:
    from emubot.arena.match import Match
    from emubot.arena.player import ReplayPlayer
    from emubot.arena.request import MatchRequest

NUMBER: Final = struct.Struct("<I")
INPUT, FRAME = b"I", b"F"
ON_TIME: Final = 0.008  # seconds after its time at which a frame still counts as on time
_FAR_BEHIND: Final = 0.25  # seconds behind after which frames are not made up for
_FIGURES_EVERY: Final = 0.25  # seconds


def text_of(**words: Any) -> bytes:
    """Returns an event as bytes."""
    return json.dumps(words).encode()


class MatchThread(threading.Thread):
    """A match in its thread."""

    def __init__(
        self,
        words: dict[str, Any],
        pace: float,
        send: Callable[[bytes], None],
        prepare: Callable[[str, int | None], None],
    ) -> None:
        super().__init__(name=f"match {words['match']}", daemon=True)
        self._number, self._words = words["match"], words
        self._pace, self._send, self._prepare = pace, send, prepare
        self._orders: deque[dict[str, Any]] = deque()
        self._ordered = threading.Event()
        self._inputs: deque[bytes] = deque(maxlen=1024)
        self.frames = self.late = 0

    def put(self, message: bytes) -> None:
        """Give the match an input; any thread may."""
        self._inputs.append(message)

    def tell(self, words: dict[str, Any]) -> None:
        """Give the match an order; any thread may."""
        self._orders.append(words)
        self._ordered.set()

    def run(self) -> None:
        """Play until an order ends it; a failure is told and harms no other match."""
        try:
            self._play()
        except EmubotError as failure:
            self._say(event="failed", message=str(failure))
        except Exception as mistake:  # a match never takes the others with it
            self._say(event="failed", message=f"a mistake in emubot ({type(mistake).__name__}: {mistake})")

    def _play(self) -> None:
        from emubot.arena.challenge import Challenge
        from emubot.arena.match import Match
        from emubot.arena.request import MatchRequest

        request = MatchRequest.model_validate_json(json.dumps(self._words["request"]))
        request.check()
        self._prepare_for(request)
        seed = self._words["seed"]
        while True:
            match = (Challenge if request.challenge else Match)(request, seed)
            self._say(event="opened", seed=seed)
            if not self._play_through(match, request.pace):
                return
            self._say(event="over", result=match.result(), frames=self.frames, late=self.late)
            if not self._wait_for_rematch(match):
                return
            seed = (seed + 1) % 2**31

    def _prepare_for(self, request: MatchRequest) -> None:
        for game in dict.fromkeys(side.game for side in request.sides):
            self._prepare(game, self._number)

    def _play_through(self, match: Match, pace: int) -> bool:
        """Play to the end; returns whether it was reached, and not broken off."""
        frame = 1 / match.frame_rate / self._pace
        head = FRAME + NUMBER.pack(self._number)
        due = told = time.perf_counter()
        while not match.finished:
            self._ordered.clear()
            while self._orders:
                words = self._orders.popleft()
                if words["do"] == "close":
                    return False
                self._obey(match, words)
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

    def _obey(self, match: Match, words: dict[str, Any]) -> None:
        match words["do"]:
            case "pause":
                match.pause()
            case "resume":
                match.resume()
            case "insight":
                match.explain(self._say)
            case "save":
                self._save(match, words)
            case "count":
                self._say(event="counted", frames=self.frames, late=self.late)

    def _save(self, match: Match, words: dict[str, Any]) -> None:
        path = Path(words["path"])
        try:
            match.replay().write(path)
        except EmubotError as failure:
            self._say(event="said", message=str(failure))
        else:
            self._say(event="saved", name=path.name)

    def _ticked(self, match: Match, pace: int, until: float) -> bytes:
        """Play as many frames as the pace has in one: a number, or as many as fit until this time."""
        match.tick()
        played = 1
        while (
            not match.finished and not match.is_paused and (played < pace or (not pace and time.perf_counter() < until))
        ):
            match.tick()
            played += 1
        return match.frame()

    def _put_inputs(self, match: Match) -> None:
        from emubot.arena.wire import unpack_input

        while self._inputs:
            match.put(unpack_input(self._inputs.popleft()))

    def _wait_for_rematch(self, match: Match) -> bool:
        while True:
            while self._orders:
                words = self._orders.popleft()
                if words["do"] in ("close", "rematch"):
                    self._inputs.clear()
                    return bool(words["do"] == "rematch")
                self._obey(match, words)
            self._wait_for_orders()

    def _wait_for_orders(self) -> None:
        self._ordered.wait()
        self._ordered.clear()

    def _say(self, **words: Any) -> None:
        self._send(text_of(match=self._number, **words))


class ReplayThread(MatchThread):
    """A recorded match in its thread: stands still until it is told to go on."""

    def _play(self) -> None:
        from emubot.arena.player import ReplayPlayer
        from emubot.arena.replay import read_replay

        replay = read_replay(Path(self._words["path"]))
        self._prepare_for(replay.request)
        player = ReplayPlayer(replay)
        self._say(event="opened", replay=True, ticks=player.ticks, result=replay.result)
        frame, runs = 1 / player.frame_rate / self._pace, False
        while True:
            self._send(FRAME + NUMBER.pack(self._number) + player.frame())
            runs = runs and not player.finished
            if runs:
                time.sleep(frame)
                player.step()
            elif not self._orders:
                self._wait_for_orders()
            self._ordered.clear()
            while self._orders:
                words = self._orders.popleft()
                if words["do"] == "close":
                    return
                runs = self._move(player, words, runs)

    def _move(self, player: ReplayPlayer, words: dict[str, Any], runs: bool) -> bool:
        """Do what an order says; returns whether the match runs on."""
        number = min(words.get("side", 0), len(player.sides) - 1)
        match words["do"]:
            case "resume":
                return True
            case "go":
                player.go_to(words["tick"])
            case "next":
                player.go_to_next_piece(number)
            case "advice":
                try:
                    self._say(event="insight", side=number, tick=player.at, **player.advice(number))
                except EmubotError as failure:
                    self._say(event="said", message=str(failure))
        return False
