"""Turns events of gamepads, which may come and go, into names of buttons.

If SDL has a mapping for a gamepad, the names are a, b, dpad_left and so on, whatever the maker's layout. Other gamepads
have button0, button1, ..., their hat and their first stick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from emubot.view.window.sdl import controller, pygame

_MAPPED: Final[Mapping[int, str]] = {
    getattr(pygame, name): name.removeprefix("CONTROLLER_BUTTON_").lower()
    for name in sorted(dir(pygame))
    if name.startswith("CONTROLLER_BUTTON_") and name not in {"CONTROLLER_BUTTON_INVALID", "CONTROLLER_BUTTON_MAX"}
}
_RAW_BUTTONS: Final = 32
# Sides by (axis, sign), for sticks and for hats; up is +1 on a hat.
_STICK: Final = {(0, -1): "stick_left", (0, 1): "stick_right", (1, -1): "stick_up", (1, 1): "stick_down"}
_HAT: Final = {(0, -1): "dpad_left", (0, 1): "dpad_right", (1, 1): "dpad_up", (1, -1): "dpad_down"}
_FULL: Final = 32767
_PRESSED_FROM: Final = 0.5  # of a stick's full deflection
_RELEASED_BELOW: Final = 0.4  # lower, so that a stick near the limit does not chatter

SOURCES: Final = (*_MAPPED.values(), *_STICK.values(), *(f"button{number}" for number in range(_RAW_BUTTONS)))

Change = tuple[tuple[int, str], bool]  # ((gamepad, source), down)


class Gamepads:
    """All connected gamepads, including later ones. Needs pygame's joystick and controller modules initialised."""

    def __init__(self) -> None:
        self._pads: dict[int, Any] = {}  # by instance id; kept open, else SDL sends no events
        self._mapped: set[int] = set()
        self._down: dict[int, set[str]] = {}

    def plugged_in(self, event: Any) -> str:
        """Open the gamepad that the event connects and return its name; returns "" for any other event."""
        if event.type != pygame.JOYDEVICEADDED:
            return ""
        try:
            if not controller.is_controller(event.device_index):
                stick = pygame.joystick.Joystick(event.device_index)
                self._pads[stick.get_instance_id()] = stick
                return stick.get_name()
            pad = controller.Controller(event.device_index)
        except pygame.error:  # disconnected again before it was opened
            return ""
        number = pad.as_joystick().get_instance_id()
        self._mapped.add(number)
        self._pads[number] = pad
        return pad.name

    def changes(self, event: Any) -> Iterator[Change]:
        """Yields the presses and releases of an event; a disconnected gamepad releases all that it held."""
        kind = event.type
        if kind == pygame.JOYDEVICEREMOVED:
            yield from self._remove(event.instance_id)
        elif kind in (pygame.CONTROLLERBUTTONDOWN, pygame.CONTROLLERBUTTONUP):
            if event.button in _MAPPED:
                yield from self._set(event.instance_id, _MAPPED[event.button], kind == pygame.CONTROLLERBUTTONDOWN)
        elif kind == pygame.CONTROLLERAXISMOTION:
            yield from self._lean(event.instance_id, event.axis, event.value / _FULL)
        elif getattr(event, "instance_id", None) in self._mapped:
            return  # SDL reports a mapped pad twice, as a controller and as a joystick
        elif kind in (pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP):
            yield from self._set(event.instance_id, f"button{event.button}", kind == pygame.JOYBUTTONDOWN)
        elif kind == pygame.JOYAXISMOTION:
            yield from self._lean(event.instance_id, event.axis, event.value)
        elif kind == pygame.JOYHATMOTION:
            for (axis, sign), side in _HAT.items():
                yield from self._set(event.instance_id, side, event.value[axis] == sign)

    def _remove(self, number: int) -> Iterator[Change]:
        for source in self._down.pop(number, set()):
            yield (number, source), False
        self._pads.pop(number, None)
        self._mapped.discard(number)

    def _lean(self, number: int, axis: int, value: float) -> Iterator[Change]:
        down = self._down.get(number, set())
        for (this, sign), side in _STICK.items():
            if this == axis:
                yield from self._set(number, side, value * sign >= (_RELEASED_BELOW if side in down else _PRESSED_FROM))

    def _set(self, number: int, source: str, pressed: bool) -> Iterator[Change]:
        """Yields the change of a source, if its state differs."""
        down = self._down.setdefault(number, set())
        if pressed != (source in down):
            (down.add if pressed else down.discard)(source)
            yield (number, source), pressed
