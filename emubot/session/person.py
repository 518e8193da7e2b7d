"""A person beside the bots: where their buttons go in the next frame, and what is waited for; knows no key, no view."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from emubot.pad import Pad
from emubot.snapshot import Phase

if TYPE_CHECKING:
    from emubot.pilot import Match
    from emubot.session.session import Session

_A_MOMENT: Final = 60  # frames out of a game before the person's buttons leave their port
_MENUS: Final = 0  # the port that menus listen to


class Wish(Enum):
    """What is expected of the person now."""

    PLAY = auto()
    GO_ON = auto()  # end the pause
    NEXT_GAME = auto()  # ask for it: START, or A after a moment
    WAIT = auto()  # the bot is on its way through the menus
    CHOOSE = auto()  # the way to the game for two: the map does not know it


class Person:
    """The person at port `human` of the session's first console; None: a person who only chooses in the menus.

    Call `hold` with their pad once for each frame.
    """

    def __init__(self, opened: Session, match: Match, human: int | None) -> None:
        self._bridge, self._pilots, self._human = opened.bridges[0], match.pilots, human
        self._away = _A_MOMENT
        self._written: int | None = None
        self._before = Pad.NONE

    @property
    def wish(self) -> Wish:
        """What the person is waited for."""
        if any(pilot.phase is Phase.PAUSED for pilot in self._pilots):
            return Wish.GO_ON
        if any(pilot.in_game for pilot in self._pilots):
            return Wish.PLAY
        if any(pilot.outside.held for pilot in self._pilots):
            return Wish.NEXT_GAME
        return Wish.WAIT if any(pilot.outside.on_its_way for pilot in self._pilots) else Wish.CHOOSE

    def hold(self, pad: Pad) -> None:
        """Press the person's buttons where they belong in the next frame, and release them where they were."""
        wish = self.wish
        self._away = 0 if wish in (Wish.PLAY, Wish.GO_ON) else self._away + 1
        if wish is Wish.NEXT_GAME:
            self._ask(pad & ~self._before)
        self._before = pad
        port = self._port(wish)
        left = self._written if port != self._written else None
        if left is not None and not any(pilot.writes(left) for pilot in self._pilots):
            self._bridge.release(left)
        if port is not None:
            self._bridge.press(port, pad)
        self._written = port

    def _port(self, wish: Wish) -> int | None:
        """Returns the port that gets the buttons; None: nobody, because the bot is in the menus."""
        if wish in (Wish.NEXT_GAME, Wish.WAIT):
            return None
        return self._human if self._away < _A_MOMENT else _MENUS

    def _ask(self, pressed: Pad) -> None:
        """Ask for the next game by a new press; A counts only after a moment, as it was for the game that ended."""
        for pilot in self._pilots:
            if pressed & Pad.START or (pressed & Pad.A and pilot.outside.frames_held > _A_MOMENT):
                pilot.outside.held = False
