"""B-type in the simulator: garbage as in the facts, lines that count down, a level that stays, and the goal."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.family import GAME
from emubot.games.tetris.rules import GARBAGE_ROWS
from emubot.games.tetris.scoring import count_down
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.simulator import garbage
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.games.tetris.timing import NTSC
from emubot.games.thinker import Ranking
from emubot.pad import Pad
from emubot.pilot.menus import MenuNavigator
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import InputState, tempo_for_speed
from emubot.weights import load_weights
from tests.families import default_edition

# Uncompiled, bytes would be numpy scalars that warn where a byte of the console wraps.
pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def ram_map() -> RamMap:
    return load_map("nes_tetris_usa")


@pytest.fixture(scope="module")
def decode(ram_map: RamMap) -> TetrisDecoder:
    return TetrisDecoder(ram_map)


def started(ram_map: RamMap, decode: TetrisDecoder, height: int, seed: int = 1, even: bool = False) -> TetrisMachine:
    """A machine in the first frame of a B-type game at level 18, led there by the map."""
    machine = TetrisMachine(ram_map, np.random.default_rng(seed), even)
    menu = MenuNavigator(ram_map, {"type": 1, "level": 18, "height": height})
    for _ in range(400):
        if decode(machine.ram.tobytes()).phase is Phase.PLAYING:
            return machine
        machine.step(menu.pads(machine.ram.tobytes()))
    raise AssertionError("the game never began")


def seen(machine: TetrisMachine, decode: TetrisDecoder) -> Snapshot:
    return decode(machine.ram.tobytes())


@pytest.mark.parametrize(("height", "rows"), [*enumerate(GARBAGE_ROWS)])
def test_a_game_begins_with_the_chosen_garbage_and_25_lines(
    ram_map: RamMap, decode: TetrisDecoder, height: int, rows: int
) -> None:
    snapshot = seen(started(ram_map, decode, height), decode)
    assert (snapshot.counters["lines"], snapshot.counters["level"], snapshot.counters["game_type"]) == (25, 18, 1)
    assert not snapshot.playfield[: 20 - rows].any()
    assert not snapshot.hidden.any()
    filled = snapshot.playfield[20 - rows :] != 0
    assert not filled.all(axis=1).any(), "each row has an empty cell"
    assert filled.any(axis=1).all() or rows == 0
    if rows:
        assert not filled[0, 0], "the first cell is cleared with the rows above"
    assert default_edition(GAME.name).summary(snapshot) == {"lines": 0, "score": 0, "level": 18, "completed": 0}


def test_two_consoles_that_deal_evenly_get_the_same_garbage_with_rows_that_differ(
    ram_map: RamMap, decode: TetrisDecoder
) -> None:
    first, second = (seen(started(ram_map, decode, 5, even=True), decode) for _ in range(2))
    np.testing.assert_array_equal(first.playfield, second.playfield)
    assert len({row.tobytes() for row in first.playfield[8:]}) > 6


def test_rows_of_garbage_are_those_of_a_reading_bit_by_bit() -> None:
    """From right to left a cell by three bits of each draw, then a draw below 10 for the empty column."""
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    page = np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)
    state[reg.LFSR_HI], state[reg.LFSR_LO], bits = 0x89, 0x88, f"{0x8988:016b}"

    def drawn() -> str:
        nonlocal bits
        bits = str(int(bits[6] != bits[14])) + bits[:-1]
        return bits[:8]

    tiles: Counter[int] = Counter()
    for number in range(600):
        row = 8 + number % 12
        garbage.fill_row(state, page, row)
        codes = {"001": 0x7B, "011": 0x7C, "100": 0x7D, "101": 0x7D}
        cells = [codes.get(drawn()[5:], 0xEF) for _ in range(10)][::-1]
        tiles.update(cells)
        while (hole := int(drawn()[4:], 2)) >= 10:
            pass
        cells[hole] = 0xEF
        assert page[10 * row : 10 * row + 10].tolist() == cells
    shares = {tile: count / 6000 for tile, count in tiles.items()}
    assert shares == pytest.approx({0xEF: 1 / 2, 0x7B: 1 / 8, 0x7C: 1 / 8, 0x7D: 1 / 4}, abs=0.03)


@pytest.mark.parametrize("cleared", [1, 2, 3, 4])
def test_lines_count_down_to_zero_and_not_below(cleared: int) -> None:
    for left in range(26):
        assert f"{count_down(left // 10 << 4 | left % 10, cleared):02X}" == f"{max(0, left - cleared):02d}"


@pytest.mark.parametrize(("left", "after", "play_state"), [(0x25, 0x21, 7), (5, 1, 7), (4, 0, 0), (2, 0, 0)])
def test_the_goal_ends_the_game_and_the_level_stays(left: int, after: int, play_state: int) -> None:
    """An upright I beside four rows of nine cells, at level 0."""
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    values = {"game_mode": 4, "game_mode_state": 2, "play_state": 1, "x": 9, "y": 18, "piece": 17, "next_piece": 10}
    for name, value in {**values, "vram_row": 32, "fall_timer": 60, "game_type": 1, "lines_lo": left}.items():
        state[reg.FIELDS.index(name)] = value
    page = np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)
    for row in range(16, 20):
        page[10 * row : 10 * row + 9] = 0x7B
    while state[reg.PLAY_STATE] != 6:
        sim.step_frame(state, page, 0, 0, NTSC)
    assert (state[reg.LINES_LO], state[reg.LEVEL], state[reg.SCORE + 1]) == (after, 0, 0x12)
    sim.step_frame(state, page, 0, 0, NTSC)
    assert state[reg.PLAY_STATE] == play_state
    sim.step_frame(state, page, 0, 0, NTSC)
    assert state[reg.GAME_MODE] == (reg.MODE_PLAY if after else reg.MODE_LEVEL_MENU)


def test_the_search_sees_the_lines_of_the_goal(
    ram_map: RamMap, decode: TetrisDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Position] = []

    def ranking(search: Search, position: Position) -> Ranking:
        asked.append(position)
        return Ranking(np.zeros((0, 3)), np.zeros(0), 0)

    monkeypatch.setattr(Search, "ranking", ranking)
    thinker = GAME.open(ram_map).thinker(load_weights("ga"), tempo_for_speed(10))
    ram = bytearray(started(ram_map, decode, 0).ram.tobytes())
    for game_type in (0, 1):
        ram_map.encode(ram, {"lines_lo": 0x19, "game_type": game_type})
        thinker.decide(decode(bytes(ram)), InputState())
    ram_map.encode(ram, {"lines_lo": 0x99, "lines_hi": 0x99})
    thinker.decide(decode(bytes(ram)), InputState())  # more are left than there were
    assert [(position.level, position.lines) for position in asked] == [(18, 19), (18, 6), (18, 0)]


@pytest.mark.parametrize("name", ["nes_tetris", "ga"])
def test_garbage_is_searched_by_the_tables_of_the_goal_and_without_them_by_features(
    ram_map: RamMap, decode: TetrisDecoder, name: str
) -> None:
    thinker = GAME.open(ram_map).thinker(load_weights(name), tempo_for_speed(10))
    machine = started(ram_map, decode, 2)
    seen = decode(machine.ram.tobytes())
    while seen.phase is not Phase.PLAYING or seen.current is None:
        machine.step([Pad.NONE, Pad.NONE])
        seen = decode(machine.ram.tobytes())
    assert (thinker.decide(seen, InputState()).nodes > 2000) == (name == "nes_tetris")
    near = replace(seen, counters={**seen.counters, "lines": 1})
    chosen = [thinker.decide(each, InputState()).placement for each in (seen, near)]
    values = {one.value for one in chosen if one is not None}
    assert (len(values) == 2) == (name == "nes_tetris"), "the tables know how far the goal is"


def test_a_completed_game_is_over_in_the_map_and_counted(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = started(ram_map, decode, 0)
    ram = bytearray(machine.ram.tobytes())
    ram_map.encode(ram, {"lines_lo": 0, "play_state": 6})
    snapshot = decode(bytes(ram))
    assert (snapshot.phase, snapshot.state) == (Phase.OVER, "goal")
    assert default_edition(GAME.name).summary(snapshot) == {"lines": 25, "score": 0, "level": 18, "completed": 1}
    assert not default_edition(GAME.name).recorder.records(snapshot), (
        "a recording ends before the pictures that the simulator leaves out"
    )
    ram_map.encode(ram, {"lines_lo": 1})
    assert decode(bytes(ram)).phase is Phase.LOCKED
