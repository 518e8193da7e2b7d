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

    def __init__(self, request: MatchRequest, seed: int, apart: Apart | None = None) -> None:
        """Raises UsageError as ArenaMatch does, or if not exactly one side is a person's."""
        if len(request.sides) != 2 or len(request.persons) != 1 or request.challenge is None:
            raise UsageError("A challenge has two sides, one of a person and one of a bot.")
        super().__init__(request, seed, apart)
        self.mode = MODES[request.challenge]
        for side in self.sides:
            machine = self._machine(side)
            if isinstance(machine, Hovering):
                machine.hovers = isinstance(side, PersonSide)
            while not side.in_control:  # until its first piece has come
                self._step(side)
        self.turns = 0  # pieces of the person
        self._active = request.persons[0]
        self._begin_turn()

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
        self._note(1 << self.sides.index(side))
        side.after(side.console.bridge.advance())

    def _has_placed(self, side: Side) -> bool:
        """Whether the turn's piece has locked and the next one is in the air, or the game is over."""
        return side.over or (side.pieces > self._pieces and side.in_control)

    def _begin_turn(self) -> None:
        self._pieces = self.sides[self._active].pieces
        self._waited = 0
        is_person = isinstance(self.sides[self._active], PersonSide)
        self._time_left = self.mode.frames(self.level, self.frame_rate) if is_person else None

    def _end_turn(self, side: Side) -> None:
        if isinstance(side, PersonSide):
            side.inputs.clear()
            side.press(Pad.NONE)
            self.turns += 1
        self._throw(side)
        if side.over:
            self.stage = Stage.OVER
            return
        self._active = 1 - self._active
        self._begin_turn()

    def _throw(self, side: Side) -> None:
        """Send what this turn has cleared, in the arcade mode."""
        machine, other = self._machine(side), self._machine(self.sides[1 - self._active])
        if not isinstance(machine, Versus) or not isinstance(other, Versus):
            return
        worth = game_offer(self.request.sides[self._active].game).game.worth
        units = sum((worth_of(worth, amount) for amount in machine.sent()), Fraction(0))
        whole = min(int(units), MOST_AT_ONCE) // other.grain * other.grain
        if whole and self.mode.exchanges:
            self._receive(1 - self._active, whole)
