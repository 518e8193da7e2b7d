"""The way through menus on a scripted machine: both pads, waits, screens that pass by themselves, dead buttons."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import MapError
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.pilot import Goal, Match, Pilot
from emubot.pilot.menus import TAPS, MenuCourse, MenuNavigator
from emubot.pilot.waiting import Waiting
from emubot.rammap import MenuTaps, RamMap, load_map, parse_map
from tests.pilot.test_pilot import GAME
from tests.pilot.test_waiting import Clock

MAP = """\
title: A console with slow menus
family: toy
profile: toy-1
values: {screen: 0x10, ready: 0x11, level: 0x12}
grid: {at: 0x0300, rows: 2, columns: 2, row_stride: 2, column_stride: 1, cell: {empty: 0x00, kinds: {red: 0x01}}}
phases:
  - {state: title, phase: menu, when: {screen: 0}}
  - {state: join, phase: menu, when: {screen: 1}}
  - {state: logo, phase: menu, when: {screen: 2}}
  - {state: loading, phase: menu, when: {screen: 3}}
  - {state: playing, phase: playing, when: {screen: 4}}
buttons: {left: LEFT, right: RIGHT, start: START}
menu:
  pace: 5
  asked: {level: {from: 0, to: 99, default: 0}}
  steps:
    - {state: title, tap: RIGHT, until: {level: {asked: level}}}
    - {state: title, tap: START}
    - {state: join, port: 2, tap: START}
    - {state: logo, wait: 60}
    - {state: logo, tap: START}
    - {state: loading, tap: none, until: {ready: 1}}
    - {state: loading, hold: B, tap: A}
"""
TITLE, JOIN, LOGO, LOADING, PLAYING = range(5)
SCREEN, READY, LEVEL = 0x10, 0x11, 0x12


class Console:
    """Title (START), join (START on pad 2), a logo that hates buttons for 50 frames, loading (40 frames, then B+A)."""

    def __init__(self) -> None:
        self.memory = bytearray(2048)
        self.frames = 0  # on this screen
        self.pressed: list[tuple[int, Pad, Pad]] = []  # screen and both pads, of frames with a button
        self._before: tuple[Pad, Pad] = (Pad.NONE, Pad.NONE)

    @property
    def ram(self) -> bytes:
        return bytes(self.memory)

    def step(self, pads: tuple[Pad, Pad]) -> None:
        screen = self.memory[SCREEN]
        if any(pads):
            self.pressed.append((screen, *pads))
        new = [pad & ~before for pad, before in zip(pads, self._before, strict=True)]
        self._before = pads
        self.frames += 1
        if screen == TITLE and new[0] & Pad.RIGHT:
            self.memory[LEVEL] += 1
        elif (screen == TITLE and new[0] & Pad.START) or (screen == JOIN and new[1] & Pad.START):
            self._show(screen + 1)
        elif screen == LOGO and any(new):
            self._show(LOADING if self.frames > 50 else TITLE)
        elif screen == LOADING:
            self.memory[READY] = self.frames > 40
            if any(new) and (self.frames <= 40 or new[0] != Pad.A or not pads[0] & Pad.B):
                assert new[0] == Pad.B, "a button too early"
            elif new[0] & Pad.A:
                self._show(PLAYING)

    def _show(self, screen: int) -> None:
        self.memory[SCREEN], self.frames = screen, 0


def led(console: Console, ram_map: RamMap, frames: int, level: int = 0) -> MenuNavigator:
    navigator = MenuNavigator(ram_map, {"level": level})
    for _ in range(frames):
        console.step(navigator.pads(console.ram))
    return navigator


def changed(old: str, new: str) -> RamMap:
    assert old in MAP
    return parse_map(MAP.replace(old, new), "slow")


def test_both_pads_waits_and_screens_that_pass_by_themselves() -> None:
    console = Console()
    led(console, parse_map(MAP, "slow"), 260)
    assert console.memory[SCREEN] == PLAYING
    assert console.pressed == [
        (TITLE, Pad.START, Pad.NONE),
        (JOIN, Pad.NONE, Pad.START),
        (LOGO, Pad.START, Pad.NONE),
        (LOADING, Pad.B, Pad.NONE),
        (LOADING, Pad.A | Pad.B, Pad.NONE),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [("    - {state: logo, wait: 60}\n", ""), ("port: 2, ", ""), ("wait: 60", "wait: 40")],
)
def test_the_machine_needs_every_one_of_them(old: str, new: str) -> None:
    console = Console()
    led(console, changed(old, new), 400)
    assert console.memory[SCREEN] != PLAYING


def test_a_wait_counts_anew_in_each_visit_and_ends_when_its_condition_holds() -> None:
    console = Console()
    navigator = led(console, parse_map(MAP, "slow"), 50)
    assert console.memory[SCREEN] == LOGO
    console._show(TITLE)
    for _ in range(60):
        console.step(navigator.pads(console.ram))
    assert (console.memory[SCREEN], len(console.pressed)) == (LOGO, 4), "the 40 frames of the first visit are forgotten"

    while console.memory[SCREEN] == LOGO:
        console.step(navigator.pads(console.ram))
    assert console.memory[SCREEN] == LOADING, "its own 60 frames are waited for"
    console._show(LOGO)
    for _ in range(80):
        console.step(navigator.pads(console.ram))
    assert console.memory[SCREEN] == LOADING, "and those of a third visit, after a wait that was over"

    early = Console()
    early.memory[SCREEN], early.frames = LOGO, 51
    early.memory[READY] = 1
    led(early, changed("wait: 60}", "wait: 60, until: {ready: 1}}"), 1)
    assert early.memory[SCREEN] == LOADING


def test_a_dead_button_is_pressed_sixty_times_and_no_more() -> None:
    console = Console()
    navigator = led(console, changed("{state: title, tap: START}", "{state: title, tap: SELECT}"), 1000)
    assert len(console.pressed) == TAPS == 60
    assert navigator.course is MenuCourse.NO_EFFECT
    console._show(JOIN)
    console.step(navigator.pads(console.ram))
    assert console.memory[SCREEN] == LOGO, "a person who helps is followed"


def test_what_only_other_screens_test_is_no_effect() -> None:
    console = Console()
    navigator = MenuNavigator(changed("{state: title, tap: START}", "{state: title, tap: SELECT}"), {})
    for frame in range(1000):
        console.memory[READY] = frame % 2
        console.step(navigator.pads(console.ram))
    assert len(console.pressed) == TAPS


def test_a_button_that_changes_what_its_step_tests_is_not_dead() -> None:
    console = Console()
    led(console, parse_map(MAP, "slow"), 700, level=99)
    assert console.memory[LEVEL] == 99
    assert console.memory[SCREEN] == PLAYING


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("wait: 60", "wait: 60, tap: A", "found the keys state, tap, wait, allowed is one of tap and wait"),
        ("{state: logo, wait: 60}", "{state: logo}", "found the keys state, allowed is one of tap and wait"),
        ("wait: 60", "wait: 60, hold: A", "allowed is hold only beside the button of tap"),
        ("tap: none", "tap: none, hold: A", "allowed is hold only beside the button of tap"),
        ("port: 2", "port: 3", "found 3, allowed is a decimal number from 1 to 2"),
    ],
)
def test_steps_that_say_nothing_sensible_are_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(MapError, match=message):
        changed(old, new)


TETRIS = load_map("nes_tetris_usa")


def tetris_map(change: Callable[[str], str]) -> RamMap:
    text = TETRIS.path.read_text(encoding="utf-8")
    assert change(text) != text
    return parse_map(change(text), "changed")


class Screen:
    """A machine that shows one screen for ever; remembers the pads of each frame."""

    identity = "simulated:nes_tetris_usa"
    frame_rate = FRAME_RATE_NTSC

    def __init__(self, **values: int) -> None:
        self.ram = np.zeros(2048, dtype=np.uint8)
        self.pads: list[tuple[Pad, Pad]] = []
        self.frames = 0
        TETRIS.encode(self.ram, {"players": 1, **values})

    def step(self, pads: Sequence[Pad]) -> None:
        first, second = pads
        self.pads.append((first, second))
        self.frames += 1
        TETRIS.encode(self.ram, {"frame_counter": self.frames})  # moves, so that the pilot trusts the memory


class Stage(SimulatedBridge):
    """The simulated bridge on a `Screen`; remembers which ports were written."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen)
        self.written: set[int] = set()

    def press(self, port: int, pad: Pad) -> None:
        self.written.add(port)
        super().press(port, pad)


def on_pad_2(text: str) -> str:
    return text.replace(
        "{ state: [legal, title, demo], tap: START }", "{ state: [legal, title, demo], port: 2, tap: START }"
    )


def waited(pilot: Pilot, ram_map: RamMap, clock: Clock, seconds: int) -> None:
    """Let the pilot play, twenty frames a second."""
    pilot.waiting = Waiting(ram_map, 0, clock)
    for frame in range(20 * seconds):
        clock.now = frame / 20
        pilot.step()


def test_the_pilot_presses_the_other_pad_and_gives_it_back(caplog: pytest.LogCaptureFixture) -> None:
    ram_map, screen = tetris_map(on_pad_2), Screen(game_mode=1)
    stage = Stage(screen)
    pilot = Pilot(stage, Goal(), GAME.open(ram_map))
    waited(pilot, ram_map, Clock(), 1)
    second = [pads[1] for pads in screen.pads]
    assert set(second) == {Pad.START, Pad.NONE}
    assert not any(pads[0] for pads in screen.pads)
    assert all(later is Pad.NONE for pad, later in pairwise(second) if pad), "let go at once"


def test_of_two_bots_on_one_console_the_first_presses_both_pads_in_menus() -> None:
    ram_map, screen = tetris_map(on_pad_2), Screen(game_mode=4, game_mode_state=2, play_state=3)
    TETRIS.encode(screen.ram, {"play_state": 3}, player=1)
    stage = Stage(screen)
    pilots = [Pilot(stage, Goal(games=None), GAME.open(ram_map), port=port, leads=port == 0) for port in (0, 1)]
    match = Match(pilots)
    for _ in range(20):
        match.step()
    assert stage.written == {0, 1}, "both play"
    screen.pads.clear()
    TETRIS.encode(screen.ram, {"game_mode": 1})
    for _ in range(60):
        match.step()
    assert sum(pads == (Pad.NONE, Pad.START) for pads in screen.pads) >= 5
    assert not any(pads[0] for pads in screen.pads)


def test_a_persons_pad_is_asked_for_and_never_written(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    ram_map, screen = tetris_map(on_pad_2), Screen(game_mode=1)
    stage = Stage(screen)
    pilot = Pilot(stage, Goal(), GAME.open(ram_map))
    pilot.outside.leave(1)
    waited(pilot, ram_map, Clock(), 2)
    assert stage.written <= {0}
    assert not any(any(pads) for pads in screen.pads)
    assert caplog.messages[0] == "waiting for you: press START on pad 2 (by the map changed this is title)"


def test_a_dead_button_is_reported_in_one_sentence(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    screen = Screen(game_mode=1)
    pilot = Pilot(Stage(screen), Goal(), GAME.open(TETRIS))
    waited(pilot, TETRIS, Clock(), 60)
    assert sum(bool(pads[0]) for pads in screen.pads) == TAPS
    assert caplog.messages[0] == (
        "pressed START on pad 1 60 times in title without any effect and stopped: press what goes on yourself, "
        "and correct this step in the map nes_tetris_usa"
    )


def test_games_that_begin_at_the_same_screen_again_and_again_are_no_dead_button() -> None:
    """The title looks the same before each game: the taps of games played do not add up."""
    screen = Screen(game_mode=1)
    pilot = Pilot(Stage(screen), Goal(games=None), GAME.open(TETRIS))
    playing = {"game_mode": 4, "game_mode_state": 2, "play_state": 3}
    for _ in range(TAPS + 5):
        TETRIS.encode(screen.ram, {"game_mode": 1})
        for _ in range(20):
            pilot.step()
        TETRIS.encode(screen.ram, playing)
        for _ in range(3):
            pilot.step()
    screen.pads.clear()
    TETRIS.encode(screen.ram, {"game_mode": 1})
    for _ in range(20):
        pilot.step()
    assert any(pads[0] for pads in screen.pads)


def test_after_thirty_seconds_of_an_unknown_screen_everything_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    screen = Screen(game_mode=9, play_state=7)
    pilot = Pilot(Stage(screen), Goal(), GAME.open(TETRIS))
    clock = Clock()
    waited(pilot, TETRIS, clock, 29)
    assert not any("phases ask for" in message for message in caplog.messages)
    waited(pilot, TETRIS, clock, 80)
    (full,) = [message for message in caplog.messages if "phases ask for" in message]
    lines = full.split("\n")
    assert lines[0].startswith("unknown for 30 s; the map nes_tetris_usa reads game_mode 9, players 1, ")
    assert "play_state 7" in lines[0]
    assert len(lines) == 1 + len(TETRIS.document.phases)
    assert "  title: game_mode is 9, allowed is 1" in lines
    assert not any(any(pads) for pads in screen.pads)


class Twins(Console):
    """Two titles that look alike to the map: the first wants START, the second A; any other button leads back."""

    def __init__(self) -> None:
        super().__init__()
        self.second = False

    def step(self, pads: tuple[Pad, Pad]) -> None:
        new = pads[0] & ~self._before[0]
        self._before = pads
        if self.memory[SCREEN] == TITLE and new:
            self.pressed.append((TITLE, *pads))
            if self.second and new == Pad.A:
                self._show(PLAYING)
            self.second = not self.second and new == Pad.START


def test_screens_that_look_alike_are_passed_by_buttons_in_turn() -> None:
    twins = Twins()
    led(twins, changed("tap: START}\n    - {state: join", "tap: [START, A]}\n    - {state: join"), 20)
    assert [one for _, one, _ in twins.pressed] == [Pad.START, Pad.A]
    assert twins.memory[SCREEN] == PLAYING
    stuck = Twins()
    led(stuck, parse_map(MAP, "slow"), 400)
    assert stuck.memory[SCREEN] == TITLE, "START alone does not lead on"


def test_each_visit_begins_with_the_first_button() -> None:
    ram_map, taps = changed("logo, tap: START", "logo, tap: [UP, A+B, B]"), MenuTaps()
    found, ram = [], bytearray(2048)
    for screen in (LOGO, LOGO, TITLE, LOGO, LOGO, LOGO, LOGO):
        ram[SCREEN] = screen
        step = ram_map.menu_step(bytes(ram), {}, taps=taps)
        assert step is not None
        taps.tapped(step)
        found.append(step.label)
    assert found == ["logo: UP", "logo: A+B", "title: START", "logo: UP", "logo: A+B", "logo: B", "logo: UP"]
    again = ram_map.menu_step(bytes(ram), {})
    assert again is not None
    assert again.tap == Pad.UP, "for who does not count"


def test_buttons_in_turn_without_effect_are_named(caplog: pytest.LogCaptureFixture) -> None:
    ram_map, ram, clock = changed("logo, tap: START", "logo, tap: [START, A]"), bytearray(2048), Clock()
    ram[SCREEN] = LOGO
    navigator, waiting = MenuNavigator(ram_map, {"level": 0}), Waiting(ram_map, 0, clock)
    tapped = [navigator.pads(bytes(ram))[0] for _ in range(60 + 5 * TAPS + 10)]
    assert [tapped.count(pad) for pad in (Pad.START, Pad.A)] == [TAPS // 2, TAPS // 2]
    assert navigator.course is MenuCourse.NO_EFFECT
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            waiting.in_menu(navigator, bytes(ram), "logo")
            clock.now += 1
    assert "pressed START on pad 1, then A on pad 1 60 times in logo without any effect" in caplog.text


@pytest.mark.parametrize(("press", "pace"), [(1, 5), (2, 5), (4, 8)])
def test_taps_last_as_long_as_the_game_needs_and_so_do_releases(press: int, pace: int) -> None:
    slow = MAP.replace("menu:\n", f"timing: {{press: {press}}}\nmenu:\n")
    menu = MenuNavigator(parse_map(slow, "slow"), {"level": 9})
    pads = [menu.pads(Console().ram)[0] for _ in range(2 * pace)]
    assert pads == ([Pad.RIGHT] * press + [Pad.NONE] * (pace - press)) * 2


def test_a_held_button_is_down_as_long_before_the_tap() -> None:
    menu = MenuNavigator(parse_map(MAP.replace("menu:\n", "timing: {press: 3}\nmenu:\n"), "slow"), {})
    console = Console()
    console.memory[SCREEN], console.memory[READY] = LOADING, 1
    pads = [menu.pads(console.ram)[0] for _ in range(7)]
    assert pads == [Pad.B] * 3 + [Pad.A | Pad.B] * 3 + [Pad.NONE]
