"""Gamepads plugged in and pulled out while it runs: SDL's own virtual joysticks stand in for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from cffi import FFI

from emubot.pad import Pad
from tests.view.stage import require_pygame

pygame = require_pygame()

from emubot.view.window.bindings import DEFAULTS, Bindings  # noqa: E402
from emubot.view.window.person import PersonInput  # noqa: E402

JOYSTICK, CONTROLLER = 0, 1  # SDL_JoystickType: unknown, and one that SDL maps by itself
SOUTH, EAST, BACK, START = 0, 1, 4, 6  # button numbers of SDL_GameControllerButton
DPAD_UP, DPAD_DOWN, DPAD_LEFT, DPAD_RIGHT = 11, 12, 13, 14
FULL: Final = 32767

FUNCTIONS = """
int SDL_JoystickAttachVirtual(int type, int axes, int buttons, int hats);
int SDL_JoystickDetachVirtual(int index);
void *SDL_JoystickOpen(int index);
int SDL_JoystickSetVirtualButton(void *joystick, int button, uint8_t value);
int SDL_JoystickSetVirtualAxis(void *joystick, int axis, int16_t value);
int SDL_JoystickSetVirtualHat(void *joystick, int hat, uint8_t value);
"""


class Plugs:
    """SDL's sockets: joysticks that exist only in it."""

    def __init__(self) -> None:
        maps = Path("/proc/self/maps")
        lines = maps.read_text().splitlines() if maps.exists() else []
        files = {line.split()[-1] for line in lines if "libSDL2-2" in line}
        if not files:
            pytest.skip("pygame's SDL library is found on Linux only")
        ffi = FFI()
        ffi.cdef(FUNCTIONS)
        self._sdl: Any = ffi.dlopen(files.pop())
        self._joysticks: dict[int, Any] = {}

    def plug(self, kind: int) -> int:
        index = int(self._sdl.SDL_JoystickAttachVirtual(kind, 6, 15, 1))
        assert index >= 0
        self._joysticks[index] = self._sdl.SDL_JoystickOpen(index)
        return index

    def pull(self, index: int) -> None:
        self._sdl.SDL_JoystickDetachVirtual(index)
        del self._joysticks[index]

    def button(self, index: int, button: int, down: bool) -> None:
        self._sdl.SDL_JoystickSetVirtualButton(self._joysticks[index], button, down)

    def axis(self, index: int, axis: int, value: int) -> None:
        self._sdl.SDL_JoystickSetVirtualAxis(self._joysticks[index], axis, value)

    def hat(self, index: int, value: int) -> None:
        self._sdl.SDL_JoystickSetVirtualHat(self._joysticks[index], 0, value)

    def pull_all(self) -> None:
        for index in sorted(self._joysticks, reverse=True):
            self.pull(index)


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[PersonInput]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    # Without the keyboard's focus SDL drops what gamepads send.
    monkeypatch.setenv("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")
    pygame.display.init()
    pygame.display.set_mode((64, 64))
    made = PersonInput(Bindings(DEFAULTS), 0)
    yield made
    made.leave()
    pygame.display.quit()


@pytest.fixture
def plugs(person: PersonInput) -> Iterator[Plugs]:
    made = Plugs()
    yield made
    made.pull_all()


def heard(person: PersonInput) -> tuple[Pad, list[str]]:
    """The pad after all that has happened, and what was said."""
    said = []
    for _ in range(2):  # SDL tells of its virtual joysticks when it is asked for events, or the next time
        said += [sentence for event in pygame.event.get() if (sentence := person.hear(event))]
    return person.pad(), said


def test_a_mapped_gamepad_comes_plays_and_goes(person: PersonInput, plugs: Plugs) -> None:
    assert heard(person) == (Pad.NONE, [])
    index = plugs.plug(CONTROLLER)
    pad, said = heard(person)
    assert (pad, said) == (Pad.NONE, ["gamepad: Virtual Controller"])
    wanted = {
        EAST: Pad.A,
        SOUTH: Pad.B,
        BACK: Pad.SELECT,
        START: Pad.START,
        DPAD_UP: Pad.UP,
        DPAD_DOWN: Pad.DOWN,
        DPAD_LEFT: Pad.LEFT,
        DPAD_RIGHT: Pad.RIGHT,
    }
    for button, expected in wanted.items():
        plugs.button(index, button, True)
        assert heard(person)[0] == expected
        plugs.button(index, button, False)
        assert heard(person)[0] == Pad.NONE
    for number in (8, 9):  # SELECT and START of a pad that SDL does not know, sticks and shoulders of one that it does
        plugs.button(index, number, True)
        assert heard(person)[0] == Pad.NONE
    plugs.button(index, EAST, True)
    plugs.button(index, DPAD_LEFT, True)
    assert heard(person)[0] == Pad.A | Pad.LEFT
    plugs.pull(index)
    assert heard(person)[0] == Pad.NONE, "what was held is let go"


def test_one_that_sdl_does_not_know_plays_by_numbers_hat_and_stick(person: PersonInput, plugs: Plugs) -> None:
    index = plugs.plug(JOYSTICK)
    assert heard(person)[1] == ["gamepad: Virtual Joystick"]
    plugs.button(index, 1, True)
    plugs.hat(index, 0x01 | 0x02)
    assert heard(person)[0] == Pad.A | Pad.UP | Pad.RIGHT
    plugs.hat(index, 0x04)
    plugs.button(index, 1, False)
    assert heard(person)[0] == Pad.DOWN
    plugs.hat(index, 0)
    plugs.axis(index, 0, -FULL)
    plugs.axis(index, 1, FULL)
    assert heard(person)[0] == Pad.LEFT | Pad.DOWN


def test_a_stick_at_the_border_does_not_chatter(person: PersonInput, plugs: Plugs) -> None:
    index = plugs.plug(CONTROLLER)
    seen = []
    for way in (0.0, 0.45, 0.55, 0.45, 0.35, 0.45, -0.6):
        plugs.axis(index, 0, int(way * FULL))
        seen.append(heard(person)[0])
    assert seen == [Pad.NONE, Pad.NONE, Pad.RIGHT, Pad.RIGHT, Pad.NONE, Pad.NONE, Pad.LEFT]


def test_two_gamepads_and_the_keyboard_are_one_person(person: PersonInput, plugs: Plugs) -> None:
    first, second = plugs.plug(CONTROLLER), plugs.plug(CONTROLLER)
    assert len(heard(person)[1]) == 2
    plugs.button(first, DPAD_LEFT, True)
    assert heard(person)[0] == Pad.LEFT
    plugs.button(second, DPAD_RIGHT, True)
    assert heard(person)[0] == Pad.RIGHT, "the newest"
    person.hear(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT))
    assert heard(person)[0] == Pad.LEFT
    plugs.pull(second)
    person.hear(pygame.event.Event(pygame.KEYUP, key=pygame.K_LEFT))
    assert heard(person)[0] == Pad.LEFT, "still held on the first"


def test_one_that_is_pulled_out_before_it_is_opened_is_no_error(person: PersonInput, plugs: Plugs) -> None:
    pygame.event.post(pygame.event.Event(pygame.JOYDEVICEADDED, device_index=9))
    assert heard(person) == (Pad.NONE, [])
