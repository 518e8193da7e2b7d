"""The challenge: a person and a bot place pieces in turn, each on a field of its own; knows no network and no clock.

On its turn a person's piece waits in the air until DOWN is held. When the time is up it drops where it stands. A bot
has BOT_MS for its decision and shows it after half a second, played faster than a console. What a side clears sends
garbage to the other field at once in the arcade mode, and nowhere in the other modes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from emubot.arena.apart import Apart
from emubot.arena.catalogue import game_offer
from emubot.arena.exchange import MOST_AT_ONCE
from emubot.arena.match import ArenaMatch
from emubot.arena.replay import Beginning
from emubot.arena.request import MatchRequest
from emubot.arena.side import BotSide, PersonSide, Side
from emubot.arena.wire import Stage, pack_frame
from emubot.errors import UsageError
from emubot.games.offers import worth_of
from emubot.machine import Hovering, Versus
from emubot.pad import Pad

SHOWN_AFTER: Final = 30  # frames
HASTE: Final = 40  # frames of a bot's machine in one frame
TURNS_A_LEVEL: Final = 10


@dataclass(frozen=True, slots=True)
class Mode:
    """A person's time for a piece: `seconds` at first, `less` fewer at each level, at least `least`; None: no limit."""

    seconds: Fraction | None
    least: Fraction = Fraction(0)
    less: Fraction = Fraction(0)
    exchanges: bool = False

    def frames(self, level: int, frame_rate: float) -> int | None:
        """Returns the frames of a turn at this level, from 0."""
        if self.seconds is None:
            return None
        return round(max(self.least, self.seconds - level * self.less) * Fraction(frame_rate))


MODES: Final = MappingProxyType(
    {
        "free": Mode(None),
        "easy": Mode(Fraction(10), Fraction(10)),
        "hard": Mode(Fraction(5), Fraction(5)),
        "extreme": Mode(Fraction(2), Fraction(2)),
        "arcade": Mode(Fraction(2), Fraction(7, 10), Fraction(1, 10), exchanges=True),
    }
)


class Challenge(ArenaMatch):
    """A match in turns; the person begins."""

    def __init__(
        self, request: MatchRequest, seed: int, apart: Apart | None = None, beginning: Beginning | None = None
    ) -> None:
        """Raises UsageError as ArenaMatch does, or if not exactly one side is a person's."""
        if len(request.sides) != 2 or len(request.persons) != 1 or request.challenge is None:
            raise UsageError("A challenge has two sides, one of a person and one of a bot.")
        self.mode = MODES[request.challenge]
        self.turns = 0  # pieces of the person
        self._active = request.persons[0]
        super().__init__(request, seed, apart, beginning)

    @property
    def level(self) -> int:
        """The level of the arcade mode, from 0; it rises every ten turns."""
        return self.turns // TURNS_A_LEVEL if self.mode.less else 0

    def frame(self) -> bytes:
        """Returns what is shown (wire.py); the time left is that of the turn."""
        if self.stage in (Stage.COUNTDOWN, Stage.PAUSED):
            return super().frame()
        for number, side in enumerate(self.sides):
            side.board.turn = number == self._active
        return pack_frame(self.ticks, self.stage, max(0, self._time_left or 0), [side.board for side in self.sides])

    def _begin(self, beginning: Beginning | None) -> None:
        for number, side in enumerate(self.sides):
            machine = self._machine(side)
            if isinstance(machine, Hovering):
                machine.hovers = number in self.request.persons
            while not side.in_control:  # until its first piece has come
                self._step(side)
        self._begin_turn()
        for tick in () if beginning is None else beginning.played(self.log.ticks):
            side = self.sides[self._active]
            self._repeat(tick)
            self._fall_again(tick)
            if self._time_left is not None:
                self._time_left -= 1
            self.frames += self._active in self.request.persons
            if self._has_placed(side):
                self._cleared(side)  # what it threw is recorded
                self._pass_on(side)

    def _play(self) -> None:
        self.frames += 1
        side = self.sides[self._active]
        if isinstance(side, PersonSide):
            self._frame_of_person(side)
        elif self._waited < SHOWN_AFTER:
            self._waited += 1
        else:
            for _ in range(HASTE):
                if self._has_placed(side):
                    break
                side.before()
                self._step(side)
                if isinstance(side, BotSide) and side.pilot.thinking:
                    break
        if self._has_placed(side):
            self._end_turn(side)

    def _frame_of_person(self, side: PersonSide) -> None:
        if self._time_left is not None:
            self._time_left -= 1
        if self._time_left is not None and self._time_left <= 0:
            side.press(self._dropping())
        else:
            side.before()
        self._step(side)

    def _dropping(self) -> Pad:
        """Returns DOWN, released every now and then: some games want it pressed anew."""
        return Pad.NONE if self.frames % 8 == 0 else Pad.DOWN

    def _step(self, side: Side) -> None:
        self._advance(1 << self.sides.index(side))

    def _has_placed(self, side: Side) -> bool:
        """Whether the turn's piece has locked and the next one is in the air, or the game is over."""
        return side.over or (side.pieces > self._pieces and side.in_control)

    def _begin_turn(self) -> None:
        self._pieces = self.sides[self._active].pieces
        self._waited = 0
        is_person = self._active in self.request.persons
        self._time_left = self.mode.frames(self.level, self.frame_rate) if is_person else None

    def _end_turn(self, side: Side) -> None:
        if isinstance(side, PersonSide):
            side.inputs.clear()
            side.press(Pad.NONE)
        self._throw(side)
        self._pass_on(side)

    def _pass_on(self, side: Side) -> None:
        """It is the other side's turn, or the game is over."""
        self.turns += self._active in self.request.persons
        if side.over:
            self.stage = Stage.OVER
            return
        self._active = 1 - self._active
        self._begin_turn()

    def _throw(self, side: Side) -> None:
        """Send what this turn has cleared, in the arcade mode."""
        units, other = self._cleared(side), self._machine(self.sides[1 - self._active])
        if self.mode.exchanges and isinstance(other, Versus):
            whole = min(int(units), MOST_AT_ONCE) // other.grain * other.grain
            if whole:
                self._receive(1 - self._active, whole)

    def _cleared(self, side: Side) -> Fraction:
        """Returns the units that this turn's clears are worth."""
        machine = self._machine(side)
        if not isinstance(machine, Versus):
            return Fraction(0)
        worth = game_offer(self.request.sides[self._active].game).game.worth
        return sum((worth_of(worth, amount) for amount in machine.sent()), Fraction(0))
