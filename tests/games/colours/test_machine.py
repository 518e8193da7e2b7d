"""The simulated pairs cartridge: menus, play, restart, and its RAM under maps of every kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import MapError
from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.rules import OBSTACLE, POPPING
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.colours.simulator.ram_writer import PER_PLAYER, SHARED
from emubot.games.colours.simulator.simulator import PlayState
from emubot.games.colours.timing import PAIRS, timing_of
from emubot.games.screens import GameState
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase, Piece
from tests.games.colours.playing import mash, running, seen, started, tap
from tests.games.colours.puyo_maps import DEMO, demo_map, recoded, strange_map

NOTHING = (Pad.NONE, Pad.NONE)
MAPS = (demo_map, strange_map)


def test_a_machine_is_what_the_simulated_bridge_wants() -> None:
    machine = PuyoMachine(demo_map())
    assert isinstance(machine, Machine)
    assert machine.ram.dtype == np.uint8
    assert machine.ram.shape == (2048,)
    assert machine.identity == "simulated:demo_pairs"


def test_start_leads_from_the_title_to_the_menu_to_a_game_and_drawing_takes_frames() -> None:
    machine, decode = PuyoMachine(demo_map()), Decoder(demo_map())
    states = [seen(machine, decode).state]
    for frame in range(20):
        machine.step((Pad.START if frame in (0, 5) else Pad.NONE, Pad.NONE))
        states.append(seen(machine, decode).state)
    assert states[:9] == ["title", "drawing", "drawing", "menu", "menu", "menu", "drawing", "drawing", "locked"]
    assert states[8:20] == ["locked"] * 12
    assert states[20] == "playing"
    assert machine.ram[0x615] == 0
    assert machine.ram[0x4A] == 1, "the spawn flag"


def value(machine: PuyoMachine, ram_map: RamMap, name: str, player: int = 0) -> int:
    return ram_map.reader(player).value(machine.ram.tobytes(), name)


@pytest.mark.parametrize(
    ("button", "name", "values"),
    [
        (Pad.SELECT, "mode", [2, 0, 2]),
        (Pad.UP, "colors", [6, 6]),
        (Pad.DOWN, "colors", [4, 4]),
        (Pad.RIGHT, "start_level", [*range(1, 16), 15]),
        (Pad.LEFT, "start_level", [0]),
        (Pad.A, "items", [0, 1]),
        (Pad.B, "items", [0, 1]),
    ],
)
def test_the_menu_sets_what_is_played(button: Pad, name: str, values: list[int]) -> None:
    ram_map = demo_map()
    machine = PuyoMachine(ram_map)
    tap(machine, Pad.START)
    for expected in values:
        machine.step((Pad.NONE, button))
        machine.step((button, Pad.NONE))
        machine.step((button, Pad.NONE))
        assert value(machine, ram_map, name) == expected
        machine.step(NOTHING)


def test_what_the_menu_says_is_what_is_played() -> None:
    machine = PuyoMachine(demo_map())
    tap(machine, Pad.START, Pad.DOWN, Pad.RIGHT, Pad.RIGHT, Pad.A, Pad.SELECT, Pad.START)
    game = running(machine)
    assert (game.colors, game.start_level, game.in_game, game.items) == (4, 2, 2, False)
    assert value(machine, demo_map(), "level") == 2


def test_a_value_that_both_players_share_is_the_first_ones() -> None:
    machine = PuyoMachine(demo_map())
    tap(machine, Pad.START, Pad.RIGHT)
    assert value(machine, demo_map(), "level") == 1, "the menu shows the start level"
    tap(machine, Pad.START)
    for _ in range(20):
        machine.step(NOTHING)
    assert value(machine, demo_map(), "level") == 1


def test_a_button_pressed_while_the_screen_is_drawn_is_not_pressed_anew_in_the_game() -> None:
    machine, decode = PuyoMachine(demo_map()), Decoder(demo_map())
    tap(machine, Pad.START)
    for pad in (Pad.START, Pad.NONE, Pad.START, Pad.START, Pad.START):
        machine.step((pad, Pad.NONE))
    assert seen(machine, decode).state == "locked", "not paused"
    machine = PuyoMachine(demo_map())
    tap(machine, Pad.START)
    for pad in (Pad.START, Pad.NONE, Pad.NONE, Pad.START):
        machine.step((pad, Pad.NONE))
    assert seen(machine, decode).state == "paused", "let go while the screen was drawn, and pressed anew"


def test_the_generator_begins_as_the_frame_counter_of_the_start() -> None:
    ram_map = demo_map()
    machine = PuyoMachine(ram_map, np.random.default_rng(4))
    tap(machine, Pad.START)
    machine.step((Pad.START, Pad.NONE))
    assert value(machine, ram_map, "nuisance_generator") == value(machine, ram_map, "frame_counter")


def test_seeds_give_other_games_and_a_seed_the_same() -> None:
    def opening(seed: int | None) -> tuple[object, ...]:
        machine = started(demo_map(), seed)
        snapshot = seen(machine, Decoder(demo_map()))
        return snapshot.counters["pivot"], snapshot.counters["satellite"], snapshot.next

    assert opening(1) == opening(1)
    assert opening(None) == opening(None)
    assert len({opening(seed) for seed in range(20)}) > 10


def test_after_the_end_start_leads_to_the_menu_and_another_game_begins_empty() -> None:
    ram_map = demo_map()
    machine, decode = started(ram_map), Decoder(ram_map)
    while machine.console.screen is not GameState.OVER:
        machine.step(NOTHING)
    snapshot = seen(machine, decode)
    assert (snapshot.phase, snapshot.current) == (Phase.OVER, None)
    assert machine.ram[0x669] == 0
    assert machine.ram[0x615] == 1
    assert value(machine, ram_map, "loser") == 1
    machine.step((Pad.NONE, Pad.START))
    assert machine.console.screen is GameState.OVER, "the first pad leads on"
    tap(machine, Pad.START)
    assert seen(machine, decode).state == "menu"
    tap(machine, Pad.START)
    snapshot = seen(machine, decode)
    assert not snapshot.playfield.any()
    assert snapshot.counters["score"] == 0


def test_pause_is_seen_and_left() -> None:
    machine, decode = started(demo_map()), Decoder(demo_map())
    tap(machine, Pad.START)
    assert seen(machine, decode).phase is Phase.PAUSED
    tap(machine, Pad.START)
    assert seen(machine, decode).phase is Phase.PLAYING


def test_counters_run_on_every_screen() -> None:
    ram_map = demo_map()
    machine = started(ram_map)
    tap(machine, Pad.START)
    before = value(machine, ram_map, "frame_counter"), value(machine, ram_map, "game_counter")
    machine.step(NOTHING)
    assert (value(machine, ram_map, "frame_counter"), value(machine, ram_map, "game_counter")) == tuple(
        number + 1 for number in before
    )


def agrees(machine: PuyoMachine, ram_map: RamMap, players: int) -> None:
    """Every snapshot says what the simulator holds."""
    game = running(machine)
    for number in range(players):
        player = game.players[number]
        snapshot = Decoder(ram_map, number)(machine.ram.tobytes())
        cells = np.where(player.cells == POPPING, OBSTACLE, player.cells)
        np.testing.assert_array_equal(snapshot.playfield, cells[1:])
        np.testing.assert_array_equal(snapshot.hidden, cells[:1])
        assert snapshot.next == player.next
        counters, piece = snapshot.counters, player.piece
        assert (counters["score"], counters["blocks"]) == (player.score, player.blocks)
        assert (counters["pivot"], counters["satellite"]) == piece.kinds
        if snapshot.phase in (Phase.PLAYING, Phase.LOCKED) and player.pairs:
            assert snapshot.current == Piece(piece.orientation, piece.column, piece.row)
        if player.play_state is PlayState.CONTROL and game.state is GameState.PLAY:
            assert snapshot.phase is Phase.PLAYING


@pytest.mark.few(2)
@pytest.mark.parametrize("made", MAPS)
@pytest.mark.parametrize("players", [1, 2])
def test_ram_decodes_to_what_is_played_under_any_map(made: Callable[[], RamMap], players: int) -> None:
    ram_map = made()
    machine = started(ram_map, seed=2, players=players)
    for frame, _ in enumerate(mash(machine, 2000, seed=players)):
        if frame % 7 == 0:
            agrees(machine, ram_map, players)
    agrees(machine, ram_map, players)


KINDS = ["empty", *(f"color_{number}" for number in range(1, 7)), "nuisance", "wall", "popping"]
HALVES = [*(f"color_{number}" for number in range(1, 7)), "big", "carbuncle"]
byte = st.integers(0, 255)


@given(
    cells=st.lists(byte, min_size=len(KINDS), max_size=len(KINDS), unique=True),
    halves=st.lists(byte, min_size=len(HALVES), max_size=len(HALVES), unique=True),
    turns=st.lists(byte, min_size=4, max_size=4, unique=True),
    seed=st.integers(0, 99),
)
@settings(max_examples=5, deadline=None)
def test_any_table_of_codes_says_the_same(cells: list[int], halves: list[int], turns: list[int], seed: int) -> None:
    """Two machines under two tables, the same pads: the same snapshots."""
    ram_map = recoded(dict(zip(KINDS, cells, strict=True)), dict(zip(HALVES, halves, strict=True)), turns)
    machines = started(demo_map(), seed), started(ram_map, seed)
    decoders = Decoder(demo_map()), Decoder(ram_map)
    for pads in mash(machines[0], 400, seed):
        machines[1].step(pads)
        plain, other = (seen(*both) for both in zip(machines, decoders, strict=True))
        assert (plain.phase, plain.current, plain.next) == (other.phase, other.current, other.next)
        assert plain.counters == other.counters
        np.testing.assert_array_equal(plain.playfield, other.playfield)


def test_buttons_do_what_the_map_says() -> None:
    for ram_map, orientation in ((demo_map(), 1), (strange_map(), 3)):
        machine = started(ram_map)
        machine.step((Pad.A, Pad.NONE))
        assert running(machine).players[0].piece.orientation == orientation


def test_bits_that_belong_to_nothing_named_stay() -> None:
    ram_map = strange_map()
    machine = started(ram_map)
    machine.ram[0x0100:0x0106] |= 0x05
    machine.ram[0x95] |= 0x81
    for _ in mash(machine, 500):
        pass
    assert (machine.ram[0x0100:0x0106] & 0x0F == 5).all()
    assert machine.ram[0x95] & 0xC3 == 0x81


def test_values_that_a_map_lacks_are_not_published() -> None:
    ram_map = strange_map()
    lacking = set(SHARED + PER_PLAYER) - set(ram_map.value_names)
    assert {"generator", "drop_timer", "held_buttons"} <= lacking
    started(ram_map)


def test_a_machine_goes_on_from_another_ones_ram() -> None:
    for players in (1, 2):
        first = started(demo_map(), seed=5, players=players)
        for number, pads in enumerate(mash(first, 900, seed=3)):
            if number % 150 == 149:
                second = PuyoMachine(demo_map())
                second.load(first.ram.tobytes())
            elif number >= 150:
                second.step(pads)
            if number >= 149:
                np.testing.assert_array_equal(first.ram, second.ram)


def test_a_machine_goes_on_from_a_game_that_is_over() -> None:
    first = started(demo_map(), players=2)
    while first.console.screen is not GameState.OVER:
        first.step(NOTHING)
    second = PuyoMachine(demo_map())
    second.load(first.ram.tobytes())
    for pad in (Pad.NONE, Pad.START, Pad.NONE, Pad.NONE):
        np.testing.assert_array_equal(first.ram, second.ram)
        for machine in (first, second):
            machine.step((pad, Pad.NONE))


@pytest.mark.parametrize(
    ("address", "byte_", "what"), [(0x669, 9, "column 8"), (0x067, 0, "next"), (0x413, 0x55, "kind"), (0x14, 77, "77")]
)
def test_ram_that_no_frame_of_a_game_can_be_is_refused(address: int, byte_: int, what: str) -> None:
    ram = bytearray(started(demo_map(), players=2).ram.tobytes())
    ram[address] = byte_
    with pytest.raises(ValueError, match=what):
        PuyoMachine(demo_map()).load(bytes(ram))


def test_a_map_that_leaves_something_open_cannot_be_simulated() -> None:
    before, _, rest = DEMO.partition("pieces:")
    codes, phases = rest[rest.index("piece_codes:") : rest.index("phases:")], rest[rest.index("phases:") :]
    turns = rest[: rest.index("piece_codes:")]
    for text, name in (
        (DEMO.replace("empty: 0x00", "empty: learn"), "empty"),
        (DEMO.replace("color_3: 0x03\n", "color_3: learn\n"), "color_3"),
        (DEMO.replace("popping: 0x0A", "popping: learn"), "popping"),
        (DEMO.replace("    mask: 0xFF00\n    shift: 8\n", "    mask: learn\n"), "mask"),
        (f"{before}pieces:{turns}piece_codes: learn\n{phases}", "piece_codes"),
        (f"{before}pieces: learn\n{codes}{phases}", "pieces"),
    ):
        with pytest.raises(MapError, match=f"does not say {name}, so no cartridge can be simulated"):
            PuyoMachine(parse_map(text, "open"))


def test_an_open_wall_does_not_matter() -> None:
    PuyoMachine(parse_map(DEMO.replace("wall: 0x08", "wall: learn"), "open"))


def test_a_number_that_has_no_room_is_one_sentence() -> None:
    text = DEMO.replace("score: {at: [0x7A, 0x7D], bytes: 3, scale: 10}", "score: {at: [0x7A, 0x7D], scale: 10}")
    machine = started(parse_map(text, "narrow"))
    running(machine).players[0].score = 5000
    with pytest.raises(MapError, match=r"In the map narrow, score cannot hold 5000: give the value more room\."):
        machine.step(NOTHING)


def test_fewer_colours_in_the_map_are_fewer_in_the_menu() -> None:
    ram_map = strange_map()
    machine = PuyoMachine(ram_map)
    tap(machine, Pad.START, Pad.UP, Pad.UP)
    assert value(machine, ram_map, "colors") == 4
    tap(machine, Pad.START)
    assert not running(machine).items, "no code for items, no items"


def test_the_map_may_state_the_clock_and_the_rules() -> None:
    text = DEMO.replace("values:\n", "timing: {gravity: [5, 4], pop: 9}\nrules: {group_size: 5}\nvalues:\n", 1)
    ram_map = parse_map(text, "other")
    timing = timing_of(ram_map, PAIRS)
    assert (timing.gravity, timing.pop, timing.settle) == ((5, 4), 9, PAIRS.settle)
    machine = started(ram_map)
    assert running(machine).players[0].piece.drop_timer == 5
    assert running(machine).rules.group_size == 5
