"""A match frame by frame: countdown, play, pause, garbage, end; knows no network and no clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import Any, Final

from emubot.arena.apart import Apart
from emubot.arena.catalogue import game_offer
from emubot.arena.consoles import open_consoles, open_sides
from emubot.arena.exchange import Exchange, Terms
from emubot.arena.odds import Odds, odds_of
from emubot.arena.replay import Beginning, MatchLog, Replay, Tick
from emubot.arena.request import MatchRequest
from emubot.arena.side import PersonSide, Side
from emubot.arena.wire import Input, Stage, pack_frame
from emubot.errors import UsageError
from emubot.machine import Machine, Versus
from emubot.pad import Pad
from emubot.pilot import Skill

COUNTDOWN: Final = 60  # frames before a game begins, unless the only person presses a button
GO_ON: Final = 60  # frames before a paused game goes on
PLAY_ON: Final = 150  # frames before a recorded game goes on


class ArenaMatch:
    """A match of one side or two.

    `tick` plays one frame and `frame` returns it as bytes (wire.py). A match ends when a side has lost; the other one
    has won. A match that goes on from a `beginning` plays that again at first: its log then holds the whole game.
    """

    def __init__(
        self,
        request: MatchRequest,
        seed: int,
        apart: Apart | None = None,
        beginning: Beginning | None = None,
        skills: Sequence[Skill] = (),
    ) -> None:
        """Opens the consoles; the bots decide `apart`, or in this process, and play by `skills` if there are any.

        Raises UsageError for what is not offered, for sides that cannot meet, or if its beginning ends the game.
        """
        request.check()
        self.request, self.seed = request, seed
        self.stage = Stage.COUNTDOWN
        self.log = MatchLog()
        self.ticks = 0
        self.frames = 0  # of play
        self._left = COUNTDOWN if beginning is None else PLAY_ON
        seats = open_consoles(request, seed)
        self._own = [console for console, _ in seats]  # of each side
        self._consoles = list(dict.fromkeys(self._own))
        self.sides = [Side(*seat) for seat in seats]  # who watch, until those who play are there
        self.frame_rate = self._consoles[0].bridge.facts.frame_rate
        machines = [console.machine for console in self._consoles]
        self._senders = [machine for machine in machines if isinstance(machine, Versus)]
        self._exchange, self._apart = self._exchanged(), apart
        for side in self.sides:
            side.after(0)
        self._begin(beginning)
        if any(side.over for side in self.sides):
            raise UsageError("The game is over in this frame: go to an earlier one.")
        for side, own in zip(self.sides, self._own, strict=True):
            own.bridge.release(side.player)
        self.sides = open_sides(request, seed, seats, apart, self.sides, skills)
        self.odds: Odds | None = odds_of(request, self.sides)

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.stage is Stage.OVER

    @property
    def is_paused(self) -> bool:
        """Whether nothing moves until `resume`."""
        return self.stage is Stage.PAUSED

    def put(self, one: Input) -> None:
        """Give a person's input to its side; drops inputs of sides that no person plays, and those while paused."""
        if one.side < len(self.sides) and self.stage in (Stage.PLAYING, Stage.COUNTDOWN):
            side = self.sides[one.side]
            if isinstance(side, PersonSide):
                side.inputs.put(one)
                if one.pad and self.frames == 0 and len(self.request.persons) == 1:
                    self._left = min(self._left, 1)  # whoever presses is ready

    def pause(self) -> None:
        """Stop the game; harmless when it is not running."""
        if self.stage in (Stage.PLAYING, Stage.COUNTDOWN):
            self.stage = Stage.PAUSED
            for side in self.sides:
                if isinstance(side, PersonSide):
                    side.inputs.clear()

    def resume(self) -> None:
        """Go on after a pause, with a short countdown."""
        if self.stage is Stage.PAUSED:
            self.stage = Stage.COUNTDOWN
            self._left = max(self._left, GO_ON)

    def figures(self) -> list[dict[str, Any]]:
        """Returns each side's running figures as plain data."""
        return [asdict(side.figures) for side in self.sides]

    def explain(self, say: Callable[..., None]) -> None:
        """From now on tell of each decision of a bot: `say` gets `event`, `side` and the words of insight.py."""
        for number, side in enumerate(self.sides):
            side.explain(partial(_tell_of, say, number))

    def coach(self, say: Callable[..., None] | None) -> None:
        """From now on judge each placement of a person: `say` gets `event`, `side` and the words of coach.py.

        None: no longer. Raises UsageError if a family cannot explain decisions.
        """
        for number, side in enumerate(self.sides):
            side.coach(None if say is None else partial(_tell_of, say, number))

    def close(self) -> None:
        """End what decides for the bots, and explain and judge nothing any more."""
        for side in self.sides:
            side.close()
        if self._apart is not None:
            self._apart.close()

    def tick(self) -> None:
        """Play one frame, unless the match is paused or over."""
        self.ticks += 1
        if self.stage is Stage.COUNTDOWN:
            self._left -= 1
            if self._left <= 0:
                self._left, self.stage = 0, Stage.PLAYING
        elif self.stage is Stage.PLAYING:
            self._play()

    def frame(self) -> bytes:
        """Returns what is shown (wire.py)."""
        return pack_frame(self.ticks, self.stage, self._left, [side.board for side in self.sides])

    def result(self) -> dict[str, Any]:
        """Returns the winner's side (None: a game alone, or both lost in the same frame) and each side's figures.

        `count` is that of all lines, or the longest chain.
        """
        alive = [number for number, side in enumerate(self.sides) if not side.over]
        winner = alive[0] if len(self.sides) > 1 and len(alive) == 1 else None
        return {
            "winner": winner,
            "seconds": round(self.frames / self.frame_rate, 1),
            "seed": self.seed,
            "sides": [{"score": one.board.score, "count": one.count, "pieces": one.pieces} for one in self.sides],
        }

    def replay(self) -> Replay:
        """Returns the match so far as a replay."""
        return self.log.replay(self.request, self.seed, self.result())

    def _begin(self, beginning: Beginning | None) -> None:
        """Bring the game to where those who play take over."""
        for tick in () if beginning is None else beginning.played():
            self.frames += 1
            self._repeat(tick)
            if self._exchange is not None:  # what falls is recorded; what waits is not
                self._count_garbage(self._exchange)
            self._fall_again(tick)

    def _repeat(self, tick: Tick) -> None:
        """Play the frames of a recorded tick."""
        for side, own, pad in zip(self.sides, self._own, tick.pads, strict=False):
            own.bridge.press(side.player, pad)
            side.show_pad(pad)
        self._advance(tick.consoles)

    def _fall_again(self, tick: Tick) -> None:
        for number, units in tick.falls:
            self._receive(number, units)

    def _play(self) -> None:
        self.frames += 1
        for side in self.sides:
            side.before()
        self._advance((1 << len(self._consoles)) - 1)
        if self._exchange is not None:
            self._exchange_garbage(self._exchange)
        if any(side.over for side in self.sides):
            self.stage = Stage.OVER

    def _machine(self, side: Side) -> Machine:
        """Returns the machine that a side plays on."""
        return self._own[self.sides.index(side)].machine

    def _advance(self, consoles: int) -> None:
        """Play a frame on these consoles with the pads that are held, and note it."""
        pads = [own.bridge.held(side.player) for side, own in zip(self.sides, self._own, strict=True)]
        self.log.tick(consoles, (pads[0], pads[1] if len(pads) > 1 else Pad.NONE))
        for number, console in enumerate(self._consoles):
            if consoles >> number & 1:
                frame = console.bridge.advance()
                for side in self.sides:
                    if side.console is console:
                        side.after(frame)

    def _receive(self, number: int, units: int) -> None:
        """Let garbage fall on a console, and note it."""
        machine = self._consoles[number].machine
        if isinstance(machine, Versus):
            self.log.fall(number, units)
            machine.receive(units)

    def _exchange_garbage(self, exchange: Exchange) -> None:
        for number, units in enumerate(self._count_garbage(exchange)):
            if units:
                self._receive(number, units)

    def _count_garbage(self, exchange: Exchange) -> tuple[int, int]:
        """Count what the sides have cleared in this frame; returns the units that each has to receive."""
        falling = exchange.step([machine.sent() for machine in self._senders])
        for side, queue in zip(self.sides, exchange.queues, strict=True):
            side.on_its_way = queue.units
        return falling

    def _exchanged(self) -> Exchange | None:
        """Returns the exchange of two consoles; None for one console, whose own game exchanges its garbage."""
        if len(self._senders) < 2:
            return None
        first, second = (
            Terms(machine.grain, game_offer(side.game).game.worth, Fraction(side.attack, 100))
            for machine, side in zip(self._senders, self.request.sides, strict=True)
        )
        return Exchange((first, second), self.frame_rate)


def _tell_of(say: Callable[..., None], side: int, words: Mapping[str, Any]) -> None:
    say(side=side, **words)
