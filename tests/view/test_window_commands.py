"""The window's own keys: pause, save states, the console's and the bot's speed."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest

from emubot.bridges.libretro import LibretroBridge
from tests.view.stage import Stage, require_pygame, until

pygame = require_pygame()

from emubot.view.window import Window  # noqa: E402
from tests.view.staged import after, key, quiet, said_by, started, surface  # noqa: E402


def test_paused_it_waits_draws_and_still_listens(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    with Window(bridge, "pause", human=0) as window:
        assert not quiet(window).frame().paused
        plain = surface()
        assert slept == []
        assert after(window, pygame.K_p).paused
        assert not np.array_equal(surface(), plain), "it says so"
        for _ in range(3):
            key(pygame.K_x)
            assert window.frame().paused
        assert slept == [1 / 60] * 3
        assert not after(window, pygame.K_p).paused
        window.frame()
        np.testing.assert_array_equal(surface(), plain)


def test_a_moment_is_kept_and_gone_back_to(bridge: LibretroBridge) -> None:
    with Window(bridge, "states") as window:
        after(window, pygame.K_F8)
        assert bridge.epoch == 0, "nothing is kept yet"
        after(window, pygame.K_F5)
        before = bridge.read("ram", 0, 2048)
        for _ in range(50):
            bridge.advance()
        assert bridge.read("ram", 0, 2048) != before
        after(window, pygame.K_F8)
        assert bridge.read("ram", 0, 2048) == before
        window.frame()
        assert bridge.epoch == 1, "told once"


def test_both_of_two_boards_go_back(stage: Stage) -> None:
    with started() as first, started("nestopia") as second, Window([first, second], "states") as window:
        after(window, pygame.K_F5)
        before = [bridge.read("ram", 0, 2048) for bridge in (first, second)]
        for bridge in (first, second):
            for _ in range(50):
                bridge.advance()
        after(window, pygame.K_F8)
        assert [bridge.epoch for bridge in (first, second)] == [1, 1]
        assert [bridge.read("ram", 0, 2048) for bridge in (first, second)] == before


def test_a_session_without_states_says_so(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    with Window(bridge, "stateless", keeps_states=False) as window:
        said = said_by(window, monkeypatch)
        after(window, pygame.K_F5, pygame.K_F8)
        assert bridge.epoch == 0
        assert said == ["no save states in this session"] * 2


def test_a_state_that_cannot_be_made_is_a_sentence(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    from emubot.errors import StateError

    def fails(*words: object) -> bytes:
        raise StateError("The core is tired.")

    with Window(bridge, "tired") as window:
        said = said_by(window, monkeypatch)
        with monkeypatch.context() as patch:
            patch.setattr(bridge, "save", fails)
            after(window, pygame.K_F5)
        after(window, pygame.K_F5)
        monkeypatch.setattr(bridge, "load", fails)
        after(window, pygame.K_F8)
        assert said == ["The core is tired.", "this moment is kept", "The core is tired."]


def test_the_consoles_speed_is_set_on_every_bridge(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    with started() as first, started() as second:
        first.emu_speed = second.emu_speed = 1.0
        with Window([first, second], "speeds") as window:
            said = said_by(window, monkeypatch)

            def runs_at(speed: float | None) -> bool:
                return window.frame().emu_speed == speed

            assert runs_at(1.0)
            for code, speed in ((pygame.K_2, 2.0), (pygame.K_1, 1.0), (pygame.K_3, None)):
                key(code)
                until(partial(runs_at, speed), "the speed")
                assert (first.emu_speed, second.emu_speed) == (speed, speed)
            assert said == ["console at double speed", "console at normal speed", "console as fast as possible"]


def test_the_window_starts_with_the_bridges_speed(bridge: LibretroBridge) -> None:
    bridge.emu_speed = None
    with Window(bridge, "fast") as window:
        assert window.frame().emu_speed is None


def test_the_bots_speed_is_asked_for(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[int] = []

    def change(by: int) -> int:
        changes.append(by)
        return 5 + sum(changes)

    with Window(bridge, "bot", on_speed=change) as window:
        said = said_by(window, monkeypatch)
        after(window, pygame.K_MINUS, pygame.K_MINUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
        assert changes == [-1, -1, 1, 1]
        assert said == ["bot speed 4", "bot speed 3", "bot speed 4", "bot speed 5"]
    with Window(bridge, "bot") as window:
        said = said_by(window, monkeypatch)
        after(window, pygame.K_MINUS)
        assert said == ["the bot's speed is fixed in this session"]
