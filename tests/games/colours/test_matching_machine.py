"""The simulated matching cartridge: menus, play, stages, and its RAM under maps of two layouts."""

from __future__ import annotations

import numpy as np
import pytest

from emubot import games
from emubot.arena.shown import fill_board
from emubot.arena.wire import Board
from emubot.errors import MapError
from emubot.games.colours.decode.frame import field_of, kinds_of
from emubot.games.colours.decode.matching_decode import Decoder, predict
from emubot.games.colours.matching_rules import CAPSULES, OBSTACLE, VANISHING
from emubot.games.colours.simulator.machine import MatchingMachine
from emubot.games.colours.simulator.matching_simulator import PlayState
from emubot.games.colours.timing import MATCHING, timing_of
from emubot.games.screens import GameState
from emubot.machine import Hovering, Machine
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map, parse_map
from emubot.snapshot import Phase, Piece
from tests.games.colours.matching_playing import DEMO, demo_map, mash, running, started, strange_map, tap

NOTHING = (Pad.NONE, Pad.NONE)
MAPS = pytest.mark.parametrize("ram_map", [demo_map(), strange_map()], ids=["demo", "strange"])


def value(machine: MatchingMachine, ram_map: RamMap, name: str, player: int = 0) -> int:
    return ram_map.reader(player).value(machine.ram.tobytes(), name)


def test_a_machine_is_what_the_simulated_bridge_wants() -> None:
    machine = MatchingMachine(demo_map())
    assert isinstance(machine, Machine)
    assert isinstance(machine, Hovering)
    assert machine.ram.dtype == np.uint8
    assert machine.ram.shape == (2048,)
    assert machine.identity == "simulated:demo_capsules"


def test_start_leads_from_the_title_to_the_menu_to_a_game_and_drawing_takes_frames() -> None:
    machine, decode = MatchingMachine(demo_map()), Decoder(demo_map())
    states = [decode(machine.ram.tobytes()).state]
    for frame in range(34):
        machine.step((Pad.START if frame in (0, 5) else Pad.NONE, Pad.NONE))
        states.append(decode(machine.ram.tobytes()).state)
    assert states[:9] == ["title", "drawing", "drawing", "menu", "menu", "menu", "drawing", "drawing", "planting"]
    assert states[9:12] == ["planting"] * 3
    assert states[12:32] == ["locked"] * 20
    assert states[32:] == ["playing"] * 3


@pytest.mark.parametrize(
    ("button", "name", "values"),
    [
        (Pad.SELECT, "mode", [2, 0, 2]),
        (Pad.UP, "start_stage", [*range(1, 21), 20]),
        (Pad.DOWN, "start_stage", [0]),
        (Pad.RIGHT, "pace", [1, 2, 2]),
        (Pad.LEFT, "pace", [0]),
    ],
)
def test_the_menu_sets_what_is_played(button: Pad, name: str, values: list[int]) -> None:
    machine = MatchingMachine(demo_map())
    tap(machine, Pad.START)
    for expected in values:
        machine.step((Pad.NONE, button))
        machine.step((button, Pad.NONE))
        machine.step((button, Pad.NONE))
        assert value(machine, demo_map(), name) == expected
        machine.step(NOTHING)


@MAPS
@pytest.mark.parametrize("players", [1, 2])
def test_what_is_decoded_is_what_is_played(ram_map: RamMap, players: int) -> None:
    machine = started(ram_map, players, stage=4)
    decoders = [Decoder(ram_map, player) for player in range(2)]
    seen = set()
    for _ in mash(machine, 1500, seed=players):
        ram, game = machine.ram.tobytes(), running(machine)
        for player, decode in list(zip(game.players, decoders, strict=True))[:players]:
            snapshot = decode(ram)
            seen.add(snapshot.state)
            cells, links = field_of(snapshot)
            assert np.array_equal(cells, player.cells)
            assert np.array_equal(links, player.links)
            assert snapshot.next == player.next
            for name in ("targets", "stages", "pieces", "score", "lines", "chain"):
                assert snapshot.counters[name] == getattr(player, name)
            assert snapshot.counters["pending"] == len(player.pending)
            if player.play_state is PlayState.CONTROL and game.state is GameState.PLAY:
                assert (snapshot.phase, kinds_of(snapshot, CAPSULES)) == (Phase.PLAYING, player.piece.kinds)
                piece = player.piece
                assert snapshot.current == Piece(piece.orientation, piece.column, piece.row)
            loser = game.loser is not None and game.players[game.loser] is not player
            assert snapshot.counters["won"] == loser
    assert {"planting", "playing", "locked", "over"} <= seen


@MAPS
def test_prediction_is_the_simulators_next_frames(ram_map: RamMap) -> None:
    machine, decode = started(ram_map), Decoder(ram_map)
    rng, timing, compared = np.random.default_rng(5), timing_of(ram_map, MATCHING), 0
    for _ in mash(machine, 600, seed=9):
        before = decode(machine.ram.tobytes())
        if before.phase is not Phase.PLAYING:
            continue
        pads = [Pad(int(rng.choice([0, 1, 2, 4, 0x40, 0x80]))) for _ in range(2)]
        foretold = predict(before, pads, CAPSULES, timing)
        for pad in pads:
            machine.step((pad, Pad.NONE))
        after = decode(machine.ram.tobytes())
        assert (foretold.phase, foretold.current) == (after.phase, after.current)
        if foretold.phase is Phase.PLAYING:
            assert all(foretold.counters[name] == after.counters[name] for name in ("drop_timer", "repeat"))
        compared += 1
    assert compared > 100


@MAPS
@pytest.mark.parametrize("players", [1, 2])
def test_a_machine_goes_on_from_the_ram_of_another(ram_map: RamMap, players: int) -> None:
    machine, other = started(ram_map, players, stage=2), MatchingMachine(ram_map)
    for frame in mash(machine, 900, seed=4):
        if frame % 50 == 0:
            other.load(machine.ram.tobytes())
        else:
            other.step([Pad(held) for held in machine.console.held])
        assert np.array_equal(machine.ram, other.ram), frame


def test_a_vanishing_cell_is_shown_as_such() -> None:
    machine, decode = started(demo_map()), Decoder(demo_map())
    player = running(machine).players[0]
    player.cells[:], player.links[:] = 0, 0
    player.cells[15, :4], player.targets = 2, 9
    player.play_state, player.wait = PlayState.SETTLE, 1
    machine.step(NOTHING)
    snapshot = decode(machine.ram.tobytes())
    assert (snapshot.state, snapshot.phase) == ("vanishing", Phase.CLEARING)
    assert snapshot.playfield[15].tolist() == [VANISHING] * 4 + [0] * 4


def test_a_hovering_piece_falls_only_with_down() -> None:
    machine = started(demo_map())
    machine.hovers = True
    player = running(machine).players[0]
    while player.play_state is not PlayState.CONTROL:
        machine.step(NOTHING)
    for _ in range(200):
        machine.step(NOTHING)
    assert player.piece.row == 0
    for _ in range(20):
        machine.step((Pad.DOWN, Pad.NONE))
    assert player.piece.row > 0


@pytest.mark.parametrize(
    ("written", "instead", "sentence"),
    [
        ("  current_1: [0x44, 0x45]\n", "", "lacks current_1 for player 1: this family needs"),
        ("rows: 16", "rows: 15", "has 15 rows, 8 columns and 0 hidden rows, but its rules capsules have 16, 8 and 0"),
        ("      target_2: 0x0A\n", "", "has no kinds target_2"),
        ("    link: {", "    flags: {}\n    # {", "has no link in its cells"),
        ("  color_3: 0x03\n\nphases", "  color_4: 0x03\n\nphases", "has no piece_codes for color_3"),
        ("[[1, 0], [0, 0]]", "[[1, 1], [0, 0]]", "Orientation 2 in the map bad is none of this family's"),
        ("[[0, 0], [0, -1]]", "[[1, 0], [0, 0]]", "has no orientation with the cells"),
        (
            "color_2: 0x02\n      color_3",
            "color_2: learn\n      color_3",
            "leaves color_2 open, but this family",
        ),
    ],
)
def test_a_map_that_the_family_cannot_read_says_why(written: str, instead: str, sentence: str) -> None:
    assert written in DEMO
    with pytest.raises(MapError) as refused:
        Decoder(parse_map(DEMO.replace(written, instead, 1), "bad"))
    assert sentence in str(refused.value)


def test_any_bytes_can_be_decoded() -> None:
    rng, decode = np.random.default_rng(3), Decoder(demo_map())
    phases = set()
    for _ in range(500):
        ram = rng.integers(0, 256, 2048).astype(np.uint8)
        ram[0x14], ram[0x1E] = 2, rng.integers(0, 8)
        ram[0x3A:0x4C] = rng.integers(0, 17, 0x12)
        ram[0x20:0x22] = 0
        snapshot = decode(ram.tobytes())
        phases.add(snapshot.phase)
        assert set(np.unique(snapshot.playfield)) <= {0, 1, 2, 3, OBSTACLE, VANISHING, 11, 12, 13}
        assert snapshot.links.max() <= 4
        if snapshot.current is not None:
            cells = [(snapshot.current.column + dx) for dx, _ in CAPSULES.shapes[snapshot.current.orientation]]
            assert 0 <= min(cells) <= max(cells) < 8
    assert Phase.PLAYING in phases


def test_columns_have_no_points() -> None:
    edition = games.open_edition(load_map("simulated_columns"))
    snapshot = edition.decoder()(bytes(edition.ram_map.image_size))
    assert "score" not in snapshot.counters
    assert edition.summary(snapshot)["score"] is None
    board = Board()
    fill_board(board, edition.game.looks, edition.depiction, snapshot)  # type: ignore[arg-type]
    assert board.score is None
