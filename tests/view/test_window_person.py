"""A person at the window's keys: pressed on their port, on no other, and never opposite directions."""

from __future__ import annotations

import pytest

from emubot.bridges.libretro import LibretroBridge
from emubot.pad import Pad
from tests.view.stage import Stage, require_pygame, until

pygame = require_pygame()

from emubot.view.window import Window  # noqa: E402
from tests.view.staged import key, own_id, started  # noqa: E402


class Pressed:
    """A bridge's ports, noted."""

    def __init__(self, bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
        self.presses: list[tuple[int, Pad]] = []
        press = bridge.press

        def noted(port: int, pad: Pad) -> None:
            self.presses.append((port, pad))
            press(port, pad)

        monkeypatch.setattr(bridge, "press", noted)


@pytest.mark.parametrize("port", [0, 1])
def test_a_persons_keys_are_pressed_on_their_port_and_no_other(
    bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    pressed = Pressed(bridge, monkeypatch)
    with Window(bridge, "person", human=port) as window:
        script = [
            (pygame.K_x, True, Pad.A),
            (pygame.K_LEFT, True, Pad.A | Pad.LEFT),
            (pygame.K_RIGHT, True, Pad.A | Pad.RIGHT),
            (pygame.K_x, False, Pad.RIGHT),
            (pygame.K_RIGHT, False, Pad.LEFT),
            (pygame.K_LEFT, False, Pad.NONE),
            (pygame.K_F9, True, Pad.NONE),
        ]
        for code, down, expected in script:
            key(code, down)
            bridge.advance()
            assert window.frame().pad == expected
            assert bridge._core.held[port][256] == bin_mask(expected)
        assert pressed.presses == [(port, expected) for *_, expected in script]


def bin_mask(pad: Pad) -> int:
    """The buttons as libretro's bits."""
    bits = {Pad.A: 8, Pad.LEFT: 6, Pad.RIGHT: 7}
    return sum(1 << bit for button, bit in bits.items() if button in pad)


def test_without_a_person_no_port_is_written(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = Pressed(bridge, monkeypatch)
    with Window(bridge, "nobody") as window:
        key(pygame.K_x)
        assert window.frame().pad == Pad.NONE
    assert pressed.presses == []


def test_a_person_at_the_second_of_two_boards(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    with started() as first, started() as second:
        presses = [Pressed(bridge, monkeypatch).presses for bridge in (first, second)]
        with Window([first, second], "boards", human=0, human_board=1) as window:
            key(pygame.K_z)
            window.frame()
    assert presses == [[], [(0, Pad.B)]]


def test_what_is_held_is_let_go_when_another_window_gets_the_keyboard(bridge: LibretroBridge) -> None:
    with Window(bridge, "focus", human=0) as window:
        key(pygame.K_x)
        assert window.frame().pad == Pad.A
        pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
        assert window.frame().pad == Pad.NONE


def test_a_real_keyboard(bridge: LibretroBridge, stage: Stage) -> None:
    """Through the X server, as a person's."""
    with Window(bridge, "keyboard", human=0) as window:
        window.frame()
        stage.type("windowfocus", "--sync", own_id())
        stage.type("keydown", "x", "keydown", "Down")
        until(lambda: window.frame().pad == Pad.A | Pad.DOWN, "both keys down")
        stage.type("keyup", "x")
        until(lambda: window.frame().pad == Pad.DOWN, "one key up")
        stage.type("keyup", "Down", "key", "p")
        until(lambda: window.frame().paused, "paused")
        stage.type("key", "Escape")
        until(lambda: window.frame().quit, "the end")
