"""What is waited for: said after 1, 2, 5, 15, then every 60 s, with what to do, whatever the emulator's speed."""

from __future__ import annotations

import logging

import pytest

from emubot.pilot import Goal, Match, Pilot, Skill
from emubot.pilot.waiting import Waiting
from emubot.rammap import load_map
from emubot.weights import load_weights
from tests.pilot.test_pilot import GAME, MAP, Noise, Spy, pilot_on


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(caplog: pytest.LogCaptureFixture) -> Clock:
    caplog.set_level(logging.WARNING)
    return Clock()


@pytest.mark.parametrize("frames_per_second", [20, 300])
def test_a_long_wait_is_said_at_growing_intervals(
    frames_per_second: int, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    bridge = Noise([bytes(2048)])
    pilot = Pilot(bridge, Goal(), GAME.open(MAP), Skill(load_weights("ga")))
    pilot.waiting = Waiting(MAP, 0, clock)
    told: list[int] = []
    for frame in range(80 * frames_per_second):
        clock.now = 1000.0 + frame / frames_per_second
        caplog.clear()
        pilot.step()
        told += [round(clock.now - 1000)] * len(caplog.messages)
    assert told == [1, 2, 5, 15, 30, 75], "after 30 s of one screen it says everything that it sees"
    assert bridge.pressed == []


def test_an_unknown_screen_is_told_with_its_values_and_what_to_press(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    waiting = Waiting(MAP, 0, clock)
    for clock.now in (0.0, 1.0):
        waiting.unknown(bytes(2048), "unknown")
    (text,) = caplog.messages
    assert "game_mode 0" in text
    assert "press START on pad 1" in text


@pytest.mark.parametrize("what", ["paused", "to_begin", "to_choose"])
def test_every_wait_for_a_person_says_what_to_press(what: str, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    waiting = Waiting(MAP, 0, clock)
    for clock.now in (0.0, 1.0):
        getattr(waiting, what)("level_menu")
    (text,) = caplog.messages
    assert text.endswith("press START on pad 1")
    assert "level_menu" in text


@pytest.mark.parametrize("what", ["paused", "to_begin"])
def test_a_wait_that_a_view_shows_is_not_said_as_well(
    what: str, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    waiting = Waiting(MAP, 0, clock)
    waiting.seen = True
    for clock.now in (0.0, 1.0, 60.0):
        getattr(waiting, what)("level_menu")
    assert not caplog.messages


def test_buttons_have_the_names_that_the_person_s_view_gives_them(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    waiting = Waiting(MAP, 0, clock)
    waiting.words = lambda button, port: f"key {button.name} {port}"
    for clock.now in (0.0, 1.0):
        waiting.to_choose("level_menu")
    assert caplog.messages[0].endswith("press key START 0")


def test_another_wait_begins_anew_and_another_screen_is_said_after_a_second(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    waiting = Waiting(MAP, 0, clock)

    def told(state: str, seconds: range) -> list[int]:
        found = []
        for second in seconds:
            clock.now = float(second)
            caplog.clear()
            waiting.paused(state)
            found += [second] * len(caplog.messages)
        return found

    assert told("paused", range(21)) == [1, 2, 5, 15]
    assert told("high_score", range(21, 40)) == [21], "a screen not yet named is news"
    assert told("paused", range(40, 60)) == []
    waiting.over()
    assert told("paused", range(60, 80)) == [61, 62, 65, 75]


def test_two_bots_on_one_console_say_it_once(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """The second player's bot does not choose in the menus; nobody is to press for the first."""
    ram_map = load_map("demo_pairs")
    from emubot import games

    bridge, game = Noise([bytes(2048)]), games.game("puyo")
    pilots = [Pilot(bridge, Goal(), game.open(ram_map), port=port, leads=port == 0) for port in (0, 1)]
    for pilot in pilots:
        pilot.waiting = Waiting(ram_map, pilot.port, clock)
    match = Match(pilots)
    for clock.now in (0.0, 0.5, 1.0):
        match.step()
    assert len(caplog.messages) <= 1


def test_a_game_in_play_says_nothing(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    pilot = pilot_on(Spy(seed=5), level=9)
    pilot.waiting = Waiting(MAP, 0, clock)
    for frame in range(900):
        clock.now = frame / 60
        pilot.step()
    assert pilot.tally.pieces
    assert caplog.messages == []
