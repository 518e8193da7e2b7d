"""What a pilot does out of a game: walks the menus, or waits for whoever chooses; reads RAM by the map, no bridge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from emubot.pilot.menus import MenuCourse, MenuNavigator, Pads
from emubot.pilot.waiting import Waiting
from emubot.rammap import RamMap
from emubot.snapshot import Snapshot

_A_MOMENT: Final = 60  # frames of a screen between two menus, which the map may not know
_SHOWN: Final = 300  # frames for which a person sees the end of a game that they cannot go on from themselves


class Outside:
    """One pilot's part in the menus and after a game.

    `leads` is false if another pilot or a person chooses. `serves` is true if the menus are walked for a person on this
    console as well: the end of a game then stays until they ask for the next one, and `held` is true meanwhile.
    """

    def __init__(self, ram_map: RamMap, choices: Mapping[str, int], wait_frames: int, leads: bool) -> None:
        self.menu = MenuNavigator(ram_map, choices, wait_frames)
        self.leads = leads
        self.serves = False
        self.held = False
        self.frames_held = 0
        self.person: Callable[[bytes], Snapshot] | None = None  # decodes the player whom a person plays
        self._idle = 0  # frames since it was last on its way

    def leave(self, port: int) -> None:
        """Never press this port from now on: a person has it, in an emulator of their own."""
        self.menu.ports.discard(port)

    @property
    def on_its_way(self) -> bool:
        """Whether the bot walks through menus, did so a moment ago, or waits to be asked for the next game."""
        return self.leads and self._idle < _A_MOMENT

    def frame(self) -> None:
        """Count a frame."""
        self._idle += 1

    def begun(self) -> None:
        """A game has begun, or the machine became another one."""
        self.menu.forget()
        self.held = False

    def ended(self) -> None:
        """A game has ended: leave its last screen to the person who played it."""
        if self.serves:
            self.held, self.frames_held = True, 0
        elif 1 not in self.menu.ports:
            self.menu.rest(_SHOWN)

    def unknown(self, ram: bytes, state: str, waiting: Waiting) -> None:
        """Say what is waited for where the map knows no phase of this player."""
        if self.person is not None and self.person(ram).phase.in_game:
            waiting.for_two()
        else:
            waiting.unknown(ram, state)

    def pads(self, ram: bytes, state: str, waiting: Waiting) -> Pads | None:
        """Returns the pads of both ports in a menu or at the end of a game; None to leave both alone."""
        if not self.leads:
            waiting.to_begin(state)
            return None
        if self.held:
            self._idle = 0
            self.frames_held += 1
            return None
        pads = self.menu.pads(ram)
        waiting.in_menu(self.menu, ram, state)
        if self.menu.course in (MenuCourse.GOING_ON, MenuCourse.PASSING):
            self._idle = 0
        return pads if self.menu.course is MenuCourse.GOING_ON else None
