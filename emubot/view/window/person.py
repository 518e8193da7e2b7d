"""The pad of a person at the keyboard or a gamepad."""

from __future__ import annotations

from typing import Any

from emubot.pad import Pad
from emubot.view.window.bindings import Bindings
from emubot.view.window.gamepads import Gamepads
from emubot.view.window.held import HeldButtons
from emubot.view.window.sdl import controller, pygame


class PersonInput:
    """Turns pygame's events into the pad of `port`. All connected gamepads belong to this person."""

    def __init__(self, bindings: Bindings, port: int) -> None:
        """Start to look for gamepads; needs pygame.display initialised."""
        pygame.joystick.init()
        controller.init()
        self.port = port
        self._keys = bindings.keys(port)
        self._sources = bindings.gamepad()
        self._gamepads = Gamepads()
        self._held = HeldButtons()

    def hear(self, event: Any) -> str:
        """Handle an event; returns a message if a gamepad was connected, else ""."""
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            button = self._keys.get(event.key)
            if button is not None:
                self._change(("key", event.key), button, event.type == pygame.KEYDOWN)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._held.release_all()  # another window will receive the releases
        elif name := self._gamepads.plugged_in(event):
            return f"gamepad: {name}"
        else:
            for (pad, source), down in self._gamepads.changes(event):
                button = self._sources.get(source)
                if button is not None:
                    self._change((pad, source), button, down)
        return ""

    def pad(self) -> Pad:
        """Returns the pad for the next frame; never opposite directions."""
        return self._held.read()

    def leave(self) -> None:
        """Release the gamepads."""
        controller.quit()
        pygame.joystick.quit()

    def _change(self, source: tuple[Any, Any], button: Pad, down: bool) -> None:
        if down:
            self._held.press(source, button)
        else:
            self._held.release(source)
