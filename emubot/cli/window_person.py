"""A person at the keys of `play --view window`: where their buttons go, and what the window tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from emubot.pad import Pad
from emubot.session.person import Person, Wish
from emubot.view.window.bindings import WindowCommand
from emubot.view.window.help import button_key, command_key, keys_line

if TYPE_CHECKING:
    from emubot.pilot import Match
    from emubot.session.session import Session
    from emubot.view.window import Bindings, Window

# What the buttons of a map are for, in the order in which they are told.
_USES: Final = {
    "left": "left",
    "right": "right",
    "rotate_clockwise": "turn right",
    "rotate_counterclockwise": "turn left",
    "soft_drop": "down",
    "hard_drop": "drop",
    "hold": "put aside",
    "start": "pause",
}


class WindowPerson:
    """Joins the window and the person; call `tell` before each of the window's frames."""

    def __init__(self, window: Window, bindings: Bindings, opened: Session, match: Match, human: int | None) -> None:
        """`human` is the port that the person plays; None if they only choose in the menus, with the keys of port 1."""
        self._window, self._bindings, self._keys = window, bindings, human or 0
        self._plays = human is not None
        self._person = Person(opened, match, human)
        buttons = opened.edition.ram_map.buttons
        named = ((getattr(buttons, name), use) for name, use in _USES.items())
        window.uses = {button: use for button, use in named if button}
        window.on_pad = self._person.hold
        for pilot in match.pilots:
            pilot.waiting.words = lambda button, _: button_key(bindings, self._keys, button)
            pilot.waiting.seen = True

    def tell(self) -> None:
        """Show what the person is waited for, and otherwise their keys."""
        self._window.status = self._sentence(self._person.wish)

    def _sentence(self, wish: Wish) -> str:
        start = button_key(self._bindings, self._keys, Pad.START)
        match wish:
            case Wish.GO_ON:
                return f"the game is paused; {start} goes on"
            case Wish.NEXT_GAME:
                ends = command_key(self._bindings, WindowCommand.QUIT)
                return f"{start}: next game" + (f" · {ends}: end" if ends else "")
            case Wish.WAIT:
                return "the bot is on its way to the game for two"
            case Wish.CHOOSE:
                others = (button_key(self._bindings, self._keys, pad) for pad in (Pad.SELECT, Pad.UP, Pad.DOWN))
                return f"choose the game for two: {', '.join(others)}, {start}"
        return keys_line(self._bindings, self._keys, self._window.uses) if self._plays else ""
