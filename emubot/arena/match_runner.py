"""One match, live or recorded, 60 frames a second; runs in a thread of its own, knows no pipe and no page."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from emubot.arena.orders import Open, OpenRecorded, Order, Save, Tell
from emubot.arena.request import AskCoach, AtSide, Do, Go, MatchRequest
from emubot.arena.runner import FRAME, NUMBER, Runner
from emubot.arena.wire import Input
from emubot.errors import EmubotError

if TYPE_CHECKING:  # loaded before any thread begins (match_process.py)
    from emubot.arena.match import ArenaMatch
    from emubot.arena.player import ReplayPlayer
    from emubot.arena.replay import Replay

ON_TIME: Final = 0.008  # seconds after its time at which a frame still counts as on time
_FAR_BEHIND: Final = 0.25  # seconds behind after which frames are not made up for
_FIGURES_EVERY: Final = 0.25  # seconds
_NO_COACH: Final = "The coach is there in matches that begin when all bots are at full strength: start a new one then."
_CHANCE_EVERY: Final = 15  # frames of a recorded match that runs
Prepare = Callable[[str, int | None], None]  # loads what a game needs, for a match


class AtTable(Runner):
    """A match of this number. A failure is told and harms no other match."""

    def __init__(self, number: int, pace: float, send: Callable[[bytes], None], prepare: Prepare) -> None:
        super().__init__(send)
        self._number, self._pace, self._prepare = number, pace, prepare

    def run(self) -> None:
        """Play until an order ends it."""
        try:
            self._run()
        except EmubotError as failure:
            self.say(event="failed", message=str(failure))
        except Exception as mistake:  # a match never takes the others with it
            self.say(event="failed", message=f"a mistake in emubot ({type(mistake).__name__}: {mistake})")

    def say(self, **words: Any) -> None:
        """Send an event of this match."""
        super().say(match=self._number, **words)

    def show(self, frame: bytes) -> None:
        """Send a frame."""
        self._send(FRAME + NUMBER.pack(self._number) + frame)

    @abstractmethod
    def _run(self) -> None:
        """Play."""

    def _prepare_for(self, request: MatchRequest) -> None:
        for game in dict.fromkeys(side.game for side in request.sides):
            self._prepare(game, self._number)


class MatchRunner(AtTable):
    """A match that is played, and played again."""

    _match: ArenaMatch

    def __init__(
        self, order: Open, pace: float, send: Callable[[bytes], None], prepare: Prepare, apart: bool = False
    ) -> None:
        """`apart`: kernels are not compiled here, so that bots decide in other processes."""
        super().__init__(order.match, pace, send, prepare)
        self._order, self._apart = order, apart
        self._again = False
        self.frames = self.late = 0

    def put(self, one: Input) -> None:
        """Take a person's input."""
        self._match.put(one)

    def do(self, order: Order) -> None:
        """Do an order."""
        match order:
            case Do(type="pause"):
                self._match.pause()
            case Do(type="resume"):
                self._match.resume()
            case Do(type="insight"):
                self._match.explain(self.say)
            case Do(type="rematch"):
                self._again = self._match.finished
            case AskCoach(shows=shows):
                self._coach(shows != "off")
            case Save():
                self._save(Path(order.path), order.is_own)
            case Tell():
                self.say(event="counted", frames=self.frames, late=self.late)

    def _run(self) -> None:
        from emubot.arena.apart import Apart
        from emubot.arena.challenge import Challenge
        from emubot.arena.match import ArenaMatch
        from emubot.arena.race import Race
        from emubot.arena.replay import Beginning, read_replay

        request, seed = self._order.request, self._order.seed
        request.check()
        self._prepare_for(request)
        go_on = self._order.beginning
        beginning = None if go_on is None else Beginning(read_replay(Path(go_on.path)), go_on.ticks)
        self.say(event="readiness", words="")
        while not self.closed:
            self._again = False
            apart = Apart(request.pace == 1, self._take_over) if self._apart else None
            ghost = self._ghost()
            if ghost is None:
                self._match = (Challenge if request.challenge else ArenaMatch)(request, seed, apart, beginning)
            else:
                self._match = Race(request, seed, apart, *ghost)
            self.say(event="opened", seed=seed, ghost=ghost is not None)
            try:
                self._play_through(request.pace)
            finally:
                self._match.close()
            if self._match.finished:
                self._say_chance()
                result, full = self._match.result(), not self._apart  # a bot that thought less far was not at its best
                self.say(event="over", result=result, full=full, frames=self.frames, late=self.late)
                self.obey_while(lambda: not self._again)
            seed = seed if self._order.fixed else (seed + 1) % 2**31

    def _ghost(self) -> tuple[Replay, int] | None:
        """Returns the recorded game that races along, if there is one that can be read: without it one plays alone."""
        from emubot.arena.replay import read_replay

        ghost = self._order.ghost
        if ghost is None or not Path(ghost.path).exists():
            return None
        try:
            replay = read_replay(Path(ghost.path))
        except EmubotError as failure:
            self.say(event="said", message=str(failure))
            return None
        if replay.seed != self._order.seed:
            return None  # of another day
        for game in dict.fromkeys(side.game for side in replay.request.sides):
            self._prepare(game, self._number)
        return replay, ghost.side

    def _play_through(self, pace: int) -> None:
        """Play to the end, or until it is broken off."""
        match = self._match
        frame = 1 / match.frame_rate / self._pace
        due = told = time.perf_counter()
        self.obey()
        while not (match.finished or self.closed):
            data = self._ticked(pace, due + frame)
            if match.is_paused:  # shown once; a match that stands still costs nothing
                self.show(data)
                self.obey_while(lambda: match.is_paused)
                due = time.perf_counter()
                continue
            now = time.perf_counter()
            behind = now - due
            self.frames += 1
            self.late += behind > ON_TIME
            self.show(data)
            if now - told > _FIGURES_EVERY:
                told = now
                self.say_statistics(match.sides)
                self._say_chance()
                if pace != 1:
                    self.say(event="figures", sides=match.figures(), frames=match.ticks)
            due = due + frame if behind < _FAR_BEHIND else due + behind
            rest = due - time.perf_counter()
            if rest > 0:
                time.sleep(rest)
            self.obey()

    def _say_chance(self) -> None:
        """Tell who is ahead; not without compiled kernels, which would find out too late."""
        if not self._apart:
            self.say_chance(self._match.odds)

    def _coach(self, is_on: bool) -> None:
        """Judge what people do; not without compiled kernels, which would take minutes for what a review says."""
        if is_on and self._apart:
            self.say(event="said", message=_NO_COACH)
            return
        try:
            self._match.coach(self.say if is_on else None)
        except EmubotError as failure:
            self.say(event="said", message=str(failure))

    def _take_over(self, name: str) -> None:
        """Tell that a bot of this map is at full strength."""
        self.say(event="full", map=name)

    def _save(self, path: Path, is_own: bool) -> None:
        try:
            self._match.replay().write(path)
        except EmubotError as failure:
            self.say(event="said", message=str(failure))
        else:
            if is_own:
                self.say(event="saved", name=path.name)

    def _ticked(self, pace: int, until: float) -> bytes:
        """Play as many frames as the pace has in one: a number, or as many as fit until this time."""
        match = self._match
        match.tick()
        played = 1
        while (
            not match.finished and not match.is_paused and (played < pace or (not pace and time.perf_counter() < until))
        ):
            match.tick()
            played += 1
        return match.frame()


class ReplayRunner(AtTable):
    """A recorded match: stands still until it is told to go on."""

    _player: ReplayPlayer

    def __init__(self, order: OpenRecorded, pace: float, send: Callable[[bytes], None], prepare: Prepare) -> None:
        super().__init__(order.match, pace, send, prepare)
        self._path = Path(order.path)
        self._runs = False

    def put(self, one: Input) -> None:
        """Nobody plays it."""

    def do(self, order: Order) -> None:
        """Do an order; every order except `resume` stops it."""
        self._runs = False
        match order:
            case Do(type="resume"):
                self._runs = True
            case Go(tick=tick):
                self._player.go_to(tick)
            case AtSide(type="next", side=side):
                self._player.go_to_next_piece(self._side(side))
            case AtSide(type="advice", side=side):
                self._advise(self._side(side))

    def _run(self) -> None:
        from emubot.arena.player import ReplayPlayer
        from emubot.arena.replay import read_replay

        replay = read_replay(self._path)
        self._prepare_for(replay.request)
        self._player = player = ReplayPlayer(replay)
        self.say(event="opened", replay=True, ticks=player.ticks, free=replay.request.free, result=replay.result)
        frame = 1 / player.frame_rate / self._pace
        while not self.closed:
            self.show(player.frame())
            if not self._runs or player.at % _CHANCE_EVERY == 0:
                self.say_chance(player.odds)
            self._runs = self._runs and not player.finished
            if self._runs:
                time.sleep(frame)
                player.step()
            else:
                self.mail.wait()
            self.obey()

    def _side(self, number: int) -> int:
        return min(number, len(self._player.sides) - 1)

    def _advise(self, number: int) -> None:
        try:
            self.say(event="insight", side=number, tick=self._player.at, **self._player.advice(number))
        except EmubotError as failure:
            self.say(event="said", message=str(failure))
