"""The capsules demo in each real core: the simulator's game in every frame, no lag frame, a picture and sound."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from emubot.bridges.libretro import LibretroBridge, abi, connect
from emubot.demos import image
from emubot.pad import Pad
from emubot.rammap import load_map
from tests.bridges.cores import CORES, in_each_core, require_core
from tests.demos.capsules_twins import PAUSED, PLAY, WON, Twins, lag_frames_of, mashed, steady

MAP = load_map("demo_capsules")
each_core = pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.core(name)) for name in CORES])


def opened(name: str) -> LibretroBridge:
    return connect(rom=image("capsules"), core=str(require_core(name)), emu_speed=None)


@pytest.mark.parametrize(
    ("name", "versus", "longest"),
    [
        pytest.param("fceumm", False, 200, marks=pytest.mark.core("fceumm")),
        pytest.param("nestopia", True, 200, marks=pytest.mark.core("nestopia")),
        *(
            pytest.param(name, versus, 6000, marks=[pytest.mark.core(name), pytest.mark.slow])
            for name in CORES
            for versus in (False, True)
        ),
    ],
)
def test_six_games_are_the_simulators_games(name: str, versus: bool, longest: int) -> None:
    """From the title on, with menus, pauses, stages and ends, in one go: games that last, and mashed ones."""
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        for number, stage in enumerate((20, 5, 2, 10, 0, 1)):
            twins.begin(versus=versus, stage=stage, pace=number % 3)
            twins.play(mashed(number) if number % 2 else steady(twins, number), longest)
            twins.give_up()
        assert twins.frames > 6 * longest
        assert lag_frames_of(bridge) == 0


@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize("versus", [False, True])
def test_a_stage_is_won_as_on_the_simulator(name: str, versus: bool) -> None:
    """All targets but those of one line are taken away on both sides; then a line ends the stage, or the match."""
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        twins.begin(versus=versus)
        twins.play(steady(twins, 1), 40)
        game = twins.machine.game
        assert game is not None
        field = np.zeros((16, 8), dtype=np.uint8)
        field[15, :4], field[14, 0] = (11, 1, 1, 1), 2
        for player in game.players[: game.in_game]:
            player.cells[:] = field
            player.links[:] = 0
            player.targets, player.play_state, player.wait = 1, type(player.play_state)(SETTLE), 2
            number = game.players.index(player)
            overwrite(bridge, CELLS + 128 * number, (field % 10 + 8 * (field > 10)).astype(np.uint8).tobytes())
            overwrite(bridge, TARGETS + number, b"\1")
            overwrite(bridge, PLAY_STATE + number, bytes([SETTLE]))
            overwrite(bridge, WAIT + number, b"\2")
        frames = 0
        while twins.value("game_state") == PLAY:
            twins.step()
            frames += 1
        assert frames == 2 + 16
        assert twins.value("stages") == 1
        if versus:
            assert twins.value("loser") == 2
            return
        assert twins.value("game_state") == WON
        twins.tap(Pad.A)
        twins.tap(Pad.START)
        assert (twins.value("game_state"), twins.value("stage")) == (PLAY, 1)
        twins.play(steady(twins, 2), 60)
        assert twins.value("pieces") == 1
        assert lag_frames_of(bridge) == 0


@in_each_core("name", quick="nestopia")
def test_the_next_stage_begins_by_itself_and_a_pause_ends_no_wait(name: str) -> None:
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        twins.begin()
        game = twins.machine.game
        assert game is not None
        for pad in (Pad.START, Pad.NONE):
            twins.step(pad)
        assert twins.value("game_state") == PAUSED
        for pad in (Pad.START, Pad.NONE):
            twins.step(pad)
        player = game.players[0]
        player.play_state, player.wait = type(player.play_state)(7), 120
        game.state = twins.machine.console.screen = type(game.state)(WON)
        for address, byte in ((PLAY_STATE, 7), (WAIT, 120), (GAME_STATE, WON)):
            overwrite(bridge, address, bytes([byte]))
        for _ in range(119):
            twins.step()
        assert twins.value("game_state") == WON
        twins.step()
        assert (twins.value("game_state"), twins.value("stage"), twins.value("targets")) == (PLAY, 1, 0)
        twins.play(steady(twins, 3), 40)
        assert twins.value("targets") == 8


@in_each_core("name", quick="fceumm")
def test_lines_send_halves_to_the_other_player(name: str) -> None:
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        twins.begin(versus=True, stage=3)
        twins.play(steady(twins, 1), 60)
        game = twins.machine.game
        assert game is not None
        field = np.zeros((16, 8), dtype=np.uint8)
        field[13, :4], field[14, 4:], field[15] = 1, 2, (11, 3, 3, 3, 3, 11, 12, 13)
        first = game.players[0]
        first.cells[:], first.links[:] = field, 0
        first.targets, first.play_state, first.wait = 4, type(first.play_state)(SETTLE), 2
        overwrite(bridge, CELLS, (field % 10 + 8 * (field > 10)).astype(np.uint8).tobytes())
        for address, byte in ((TARGETS, 4), (PLAY_STATE, SETTLE), (WAIT, 2)):
            overwrite(bridge, address, bytes([byte]))
        most = 0
        for _ in range(400):
            twins.step(Pad.NONE, Pad.DOWN)
            most = max(most, twins.value("pending", 1))
        assert most == 3
        assert twins.value("pending", 1) == 0


MIXED = np.array([[1 + (row + column) % 3 for column in range(8)] for row in range(16)], dtype=np.uint8)  # no line
JOINED = np.array([0x20, 0x10] * 4, dtype=np.uint8)
LINED = np.where(np.arange(16)[:, None] % 3 == 1, 2, MIXED)  # five lines of eight
# Far more than one move of a game can bring about: many lines at once, everything to be removed, everything to fall.
WORST = {
    "five rows of joined halves": LINED | JOINED,
    "five rows of targets": LINED | 8,
    "three columns": np.where(np.arange(8) % 3 == 1, 3, MIXED),
    "loose": np.where(np.arange(16)[:, None] < 15, MIXED, 0),
    "loose pairs": np.where(np.arange(16)[:, None] < 15, MIXED | JOINED, 0),
}
SETTLE, VANISH, FALL, PLANT = 2, 3, 4, 6
MOMENTS = [(SETTLE, SETTLE), (SETTLE, FALL), (FALL, FALL), (VANISH, SETTLE), (PLANT, PLANT)]
CELLS, PLAY_STATE, WAIT, TARGETS, GAME_STATE = 0x0400, 0x001E, 0x0020, 0x002C, 0x0014


def overwrite(bridge: LibretroBridge, address: int, data: bytes) -> None:
    """Change the console's RAM, which only a test does."""
    pointer, size = bridge._core.memory(abi.MEMORY_SYSTEM_RAM)
    abi.ffi.buffer(pointer, size)[address : address + len(data)] = data


@in_each_core("name", quick="nestopia")
def test_no_lag_frame_when_both_players_have_most_to_do(name: str) -> None:
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        twins.begin(versus=True, stage=20)
        twins.play(steady(twins, 1), 30)
        begun = bridge.save()
        for first, second, states in product(WORST, WORST, MOMENTS):
            bridge.load(begun)
            for player, (cells, state) in enumerate(zip((first, second), states, strict=True)):
                data = WORST[cells].astype(np.uint8)
                data[data > 0] |= 0x80 if state == VANISH else 0
                overwrite(bridge, CELLS + 128 * player, (0 * data if state == PLANT else data).tobytes())
                overwrite(bridge, PLAY_STATE + player, bytes([state]))
                overwrite(bridge, WAIT + player, b"\1")
                overwrite(bridge, TARGETS + player, b"\0" if state == PLANT else b"\x50")
            for _ in range(40):
                bridge.advance()
            assert lag_frames_of(bridge) == 0, (first, second, states)


@each_core
def test_cells_differ_without_color_too(name: str) -> None:
    """Where a cell's pixels are tells its kind, in the picture as each core gives it."""
    with opened(name) as bridge:
        twins = Twins(bridge, MAP)
        twins.begin()
        overwrite(bridge, CELLS + 8 * 12, bytes([1, 2, 3, 9, 10, 11, 0x21, 0x11]))
        overwrite(bridge, 0x0500, bytes([1] * 16))
        for _ in range(6):
            bridge.advance()
        picture = bridge.picture()
        across, down = (256 - picture.shape[1]) // 2, (240 - picture.shape[0]) // 2  # a core may cut the edges off
        where = MAP.screen(0)
        assert where is not None
        left, top, width, height = where
        marks = set()
        for row, column in (*((12, column) for column in range(8)), (6, 0)):
            x, y = left - across + column * width, top - down + row * height
            marks.add((picture[y : y + height, x : x + width].max(axis=2) > 60).tobytes())
        assert len(marks) == 9


@each_core
def test_the_title_is_silent_and_a_game_is_not(name: str) -> None:
    with opened(name) as bridge:
        bridge.listen()
        for _ in range(40):
            bridge.advance()
        assert np.ptp(bridge.heard()) == 0
        for button in (Pad.START, Pad.NONE, Pad.NONE, Pad.NONE, Pad.START, Pad.NONE):
            bridge.press(0, button)
            bridge.advance()
        for _ in range(120):
            bridge.advance()
        assert np.ptp(bridge.heard()) > 1000
