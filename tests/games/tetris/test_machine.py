"""The simulated cartridge: menus, play, restart, and its RAM read back through the shipped map."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.simulator import play_states
from emubot.games.tetris.simulator.machine import TetrisMachine, _stepped
from emubot.games.tetris.simulator.predict import predict
from emubot.games.tetris.timing import NTSC
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map, parse_map
from emubot.snapshot import Phase, Piece, Snapshot

# Uncompiled, bytes would be numpy scalars that warn where a byte of the console wraps.
pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def ram_map() -> RamMap:
    return load_map("nes_tetris_usa")


@pytest.fixture(scope="module")
def decode(ram_map: RamMap) -> TetrisDecoder:
    return TetrisDecoder(ram_map)


def seen(machine: TetrisMachine, decode: TetrisDecoder) -> Snapshot:
    return decode(machine.ram.tobytes())


def tap_until(
    machine: TetrisMachine, decode: TetrisDecoder, button: Pad, done: Callable[[Snapshot], bool], hold: Pad = Pad.NONE
) -> Snapshot:
    for frame in range(400):
        snapshot = seen(machine, decode)
        if done(snapshot):
            return snapshot
        machine.step((hold | (button if frame % 8 == 7 else Pad.NONE), Pad.NONE))
    raise AssertionError(f"never came; still {snapshot.state}")


def started(ram_map: RamMap, decode: TetrisDecoder, seed: int | None = None, level: int = 0) -> TetrisMachine:
    machine = TetrisMachine(ram_map, None if seed is None else np.random.default_rng(seed))
    tap_until(machine, decode, Pad.START, lambda snapshot: snapshot.state == "level_menu")
    for _ in range(level % 10):
        machine.step((Pad.RIGHT, Pad.NONE))
        machine.step((Pad.NONE, Pad.NONE))
    hold = Pad.A if level >= 10 else Pad.NONE
    machine.step((hold, Pad.NONE))
    tap_until(machine, decode, Pad.START, lambda snapshot: snapshot.phase is Phase.PLAYING, hold)
    return machine


@pytest.mark.parametrize("level", range(20))
def test_menus_lead_to_a_game_at_the_level_asked(ram_map: RamMap, decode: TetrisDecoder, level: int) -> None:
    snapshot = seen(started(ram_map, decode, level=level), decode)
    assert snapshot.counters["level"] == level
    assert snapshot.current is not None
    assert (snapshot.current.column, snapshot.current.row) == (5, 0)
    assert not snapshot.playfield.any()
    assert not snapshot.hidden.any()


def test_seeds_give_other_games_and_a_seed_the_same(ram_map: RamMap, decode: TetrisDecoder) -> None:
    def opening(seed: int | None) -> tuple[object, ...]:
        snapshot = seen(started(ram_map, decode, seed), decode)
        return snapshot.current, snapshot.next

    assert opening(1) == opening(1)
    assert len({opening(seed) for seed in range(20)}) > 5


def test_the_level_menu_does_not_leave_its_range(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = TetrisMachine(ram_map)
    tap_until(machine, decode, Pad.START, lambda snapshot: snapshot.state == "level_menu")
    address = ram_map.addresses("start_level")[0]
    for button, expected in [(Pad.LEFT, 0), (Pad.DOWN, 5), (Pad.DOWN, 5), (Pad.RIGHT, 6), (Pad.UP, 1), (Pad.UP, 1)]:
        machine.step((button, Pad.NONE))
        machine.step((Pad.NONE, Pad.NONE))
        assert machine.ram[address] == expected


def test_a_game_ends_under_the_curtain_and_start_leads_back_to_the_level_menu(
    ram_map: RamMap, decode: TetrisDecoder
) -> None:
    machine = started(ram_map, decode, level=18)
    phases: list[str] = []
    for _ in range(30_000):
        machine.step((Pad.NONE, Pad.NONE))
        state = seen(machine, decode).state
        if not phases or phases[-1] != state:
            phases.append(state)
        if state == "curtain" and machine.ram[ram_map.addresses("curtain_row")[0]] == 20:
            break
    assert phases[-1] == "curtain"
    assert {"playing", "locked"} <= set(phases)
    tap_until(machine, decode, Pad.START, lambda snapshot: snapshot.state == "level_menu")
    snapshot = tap_until(machine, decode, Pad.START, lambda snapshot: snapshot.phase is Phase.PLAYING)
    assert not snapshot.playfield.any()
    assert snapshot.counters["level"] == 8, "the menu keeps the ones digit of the start level"


def test_pause_is_seen_and_left(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = started(ram_map, decode)
    machine.step((Pad.START, Pad.NONE))
    assert seen(machine, decode).phase is Phase.PAUSED
    for _ in range(20):
        machine.step((Pad.NONE, Pad.NONE))
    assert seen(machine, decode).phase is Phase.PAUSED
    machine.step((Pad.START, Pad.NONE))
    assert seen(machine, decode).phase is Phase.PLAYING


def test_the_reset_combination_leads_to_the_title(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = started(ram_map, decode)
    machine.step((Pad.A | Pad.B | Pad.SELECT | Pad.START, Pad.NONE))
    machine.step((Pad.NONE, Pad.NONE))
    assert seen(machine, decode).state == "title"


def test_a_machine_goes_on_from_another_ones_ram(ram_map: RamMap, decode: TetrisDecoder) -> None:
    first = started(ram_map, decode, seed=5, level=9)
    second = TetrisMachine(ram_map)
    second.load(first.ram.tobytes())
    rng = np.random.default_rng(2)
    buttons = [Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN]
    for _ in range(3000):
        pad = buttons[rng.integers(len(buttons))]
        first.step((pad, Pad.NONE))
        second.step((pad, Pad.NONE))
        np.testing.assert_array_equal(first.ram, second.ram)


@pytest.mark.parametrize("name", ["start_level", "start_height", "held_buttons", "new_buttons"])
def test_a_map_may_lack_a_value_of_the_menus_or_of_the_pads(name: str) -> None:
    text = load_map("nes_tetris_usa").path.read_text(encoding="utf-8").partition("\nmenu:")[0]
    text = re.sub(r"(?m)^    asked:.*\n", "", text).replace(", start_level: { from: 0, to: 9 }", "")
    lacking = parse_map(re.sub(rf"(?m)^  {name}:.*\n", "", text), "lacking")
    assert name not in lacking.value_names
    first, second = TetrisMachine(lacking), TetrisMachine(lacking)
    first.begin(9)
    first.step((Pad.LEFT, Pad.NONE))
    first.step((Pad.NONE, Pad.NONE))
    second.load(first.ram.tobytes())
    np.testing.assert_array_equal(first.ram, second.ram)


def test_snapshots_do_not_carry_the_generator(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = started(ram_map, decode, seed=5)
    before = seen(machine, decode)
    altered = machine.ram.copy()
    for name in ("lfsr_hi", "lfsr_lo", "spawn_id", "spawn_count"):
        altered[ram_map.addresses(name)[0]] ^= 0x5A
        assert name not in before.counters
    after = decode(altered.tobytes())
    assert (after.phase, after.state, after.current, after.next) == (
        before.phase,
        before.state,
        before.current,
        before.next,
    )
    assert after.counters == before.counters


def test_prediction_is_what_the_machine_does_with_the_same_pads(ram_map: RamMap, decode: TetrisDecoder) -> None:
    """For every number of frames in flight until the lock: piece, timers and phase."""
    rng = np.random.default_rng(3)
    buttons = [Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN]
    machine = started(ram_map, decode, seed=8, level=9)
    checked = 0
    for _ in range(400):
        start = seen(machine, decode)
        pads = [buttons[rng.integers(len(buttons))] for _ in range(rng.integers(1, 4))]
        ahead = predict(start, pads, NTSC)
        for pad in pads:
            machine.step((pad, Pad.NONE))
        now = seen(machine, decode)
        if start.phase is Phase.PLAYING and now.phase is Phase.PLAYING:
            checked += 1
            assert ahead.current == now.current
            for name in ("fall_timer", "das", "autorepeat_y", "held_buttons"):
                assert ahead.counters[name] == now.counters[name], name
    assert checked > 200


def test_prediction_sees_a_lock_coming(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = started(ram_map, decode, level=19)
    while True:
        start = seen(machine, decode)
        if start.current is not None and start.current.row == 18:
            break
        machine.step((Pad.NONE, Pad.NONE))
    assert predict(start, [Pad.NONE] * 4, NTSC).phase is Phase.LOCKED


def test_nothing_in_flight_changes_nothing(ram_map: RamMap, decode: TetrisDecoder) -> None:
    snapshot = seen(started(ram_map, decode), decode)
    assert predict(snapshot, (), NTSC) is snapshot


def test_a_hidden_piece_is_no_piece(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = started(ram_map, decode)
    ram = bytearray(machine.ram.tobytes())
    ram[ram_map.addresses("piece")[0]] = 19
    assert decode(bytes(ram)).current is None
    assert isinstance(seen(machine, decode).current, Piece)
    assert len(reg.FIELDS) == 37


def test_prediction_knows_the_hidden_rows(ram_map: RamMap, decode: TetrisDecoder) -> None:
    """An upright I at the top needs both hidden rows free."""
    machine = started(ram_map, decode)
    for row, address in ((-1, 0x4F6), (-2, 0x4EC)):
        for blocked in (False, True):
            ram = bytearray(machine.ram.tobytes())
            ram_map.encode(ram, {"piece": 18, "x": 5, "y": 0, "autorepeat_y": 0, "held_buttons": 0})
            ram[address + 5] = 0x7B if blocked else 0xEF
            piece = predict(decode(bytes(ram)), [Pad.A], NTSC).current
            assert piece is not None
            assert piece.orientation == (18 if blocked else 17), (row, blocked)


def test_an_impossible_next_piece_is_unknown(ram_map: RamMap, decode: TetrisDecoder) -> None:
    ram = bytearray(started(ram_map, decode).ram.tobytes())
    ram_map.encode(ram, {"next_piece": 19})
    assert decode(bytes(ram)).next == ()


def test_a_locked_piece_that_is_hidden_already_is_no_piece(ram_map: RamMap, decode: TetrisDecoder) -> None:
    ram = bytearray(started(ram_map, decode).ram.tobytes())
    ram_map.encode(ram, {"play_state": 5, "piece": 19})
    snapshot = decode(bytes(ram))
    assert snapshot.phase is Phase.LOCKED
    assert snapshot.current is None


def test_a_new_game_keeps_what_the_console_keeps_and_draws_two_pieces(ram_map: RamMap, decode: TetrisDecoder) -> None:
    """Facts 3.3 and 5: the DAS counter, spawn_count and the curtain row stay; a generator step between the draws."""

    def named(*names: str) -> list[int]:
        return [int(machine.ram[ram_map.addresses(name)[0]]) for name in names]

    machine = started(ram_map, decode, seed=11, level=9)
    for frame in range(40_000):
        machine.step((Pad.LEFT if frame % 3 else Pad.NONE, Pad.NONE))
        if named("curtain_row", "play_state") == [20, 10]:
            break
    tap_until(machine, decode, Pad.START, lambda snapshot: snapshot.state == "level_menu")
    assert named("game_mode_state") == [0]
    machine.step((Pad.START, Pad.NONE))
    while decode(machine.ram.tobytes()).phase is not Phase.PLAYING:
        before = named("das", "spawn_count", "curtain_row", "lfsr_hi", "lfsr_lo")
        machine.step((Pad.NONE, Pad.NONE))
    das, count, curtain, hi, lo = before
    assert named("das", "curtain_row") == [das, curtain] == [das, 20]
    assert das > 0
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    state[reg.SPAWN_COUNT] = count
    state[reg.LFSR_HI], state[reg.LFSR_LO] = play_states.step_lfsr(hi, lo)
    first = int(play_states.choose_piece(state))
    state[reg.LFSR_HI], state[reg.LFSR_LO] = play_states.step_lfsr(int(state[reg.LFSR_HI]), int(state[reg.LFSR_LO]))
    second = int(play_states.choose_piece(state))
    assert named("piece", "next_piece", "spawn_count") == [first, second, (count + 2) % 256]


def test_many_steps_of_the_generator_are_those_of_the_game() -> None:
    state = (0x89, 0x88)
    for steps in range(500):
        assert _stepped((0x89, 0x88), steps) == state
        state = play_states.step_lfsr(*state)


def test_only_a_and_start_alone_add_ten_levels(ram_map: RamMap, decode: TetrisDecoder) -> None:
    machine = TetrisMachine(ram_map)
    tap_until(machine, decode, Pad.START, lambda snapshot: snapshot.state == "level_menu")
    machine.step((Pad.A | Pad.B, Pad.NONE))
    machine.step((Pad.A | Pad.B | Pad.START, Pad.NONE))
    for _ in range(6):
        machine.step((Pad.NONE, Pad.NONE))
    assert seen(machine, decode).counters["level"] == 0


def test_a_button_held_in_the_ram_that_is_loaded_is_not_pressed_anew(ram_map: RamMap, decode: TetrisDecoder) -> None:
    first = started(ram_map, decode)
    first.step((Pad.RIGHT, Pad.NONE))
    second = TetrisMachine(ram_map)
    second.load(first.ram.tobytes())
    for machine in (first, second):
        machine.step((Pad.RIGHT, Pad.NONE))
    np.testing.assert_array_equal(first.ram, second.ram)
