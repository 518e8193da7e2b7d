"""Boards and pieces of any size, played from the map alone, and their search against a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import MapError, UsageError, WeightsError
from emubot.explanation import ExplainOptions
from emubot.games.tetris.anyboard.board import outlines_of, stacks_from
from emubot.games.tetris.anyboard.checks import has_own_board
from emubot.games.tetris.anyboard.decoder import AnySnapshot
from emubot.games.tetris.anyboard.engine import PLAIN_WEIGHTS, AnyboardEngine
from emubot.games.tetris.anyboard.pieces import Pieces
from emubot.games.tetris.anyboard.search import MOST_SHAPES, search_queue
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.family import GAME
from emubot.games.tetris.mapped_engine import MappedEngine
from emubot.games.tetris.search.two_plies import DEAD
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill, Tally
from emubot.rammap import RamMap, load_map, parse_map
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import InputState, Tempo, parse_taps, tempo_for_speed
from emubot.weight_parts import Tables
from emubot.weights import load_weights
from tests.families import default_edition, engine_of, whole_edition
from tests.games.tetris import toy_blocks
from tests.games.tetris.anyboard_twin import Shape, Twin, stacks_of
from tests.games.tetris.random_cartridges import stranger_map
from tests.games.tetris.toy_blocks import PENTOMINOES, SMALL, Toy, ToyMachine
from tests.pieces import PIECES

DEFAULT = load_weights(GAME.facts.default_weights)
FULL = tempo_for_speed(10)


def map_of(toy: Toy, *changes: tuple[str, str]) -> RamMap:
    text = toy.map_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return parse_map(text, "toy")


def played(
    toy: Toy, tempo: Tempo = FULL, pieces: int = 200, latency: int = 0, seed: int = 1
) -> tuple[Tally, ToyMachine]:
    machine = ToyMachine(toy, seed)
    pilot = Pilot(
        SimulatedBridge(machine, latency=latency),
        Goal(pieces, games=None),
        GAME.open(map_of(toy)),
        Skill(tempo=tempo),
    )
    tally = pilot.run()
    assert pilot.result == "pieces"
    return tally, machine


def first_frame(toy: Toy, ram_map: RamMap | None = None) -> AnySnapshot:
    machine = ToyMachine(toy, seed=1)
    machine.step([Pad.START])
    snapshot = GAME.open(ram_map or map_of(toy)).decoder()(machine.ram.tobytes())
    assert isinstance(snapshot, AnySnapshot)
    return snapshot


@pytest.mark.few(4)
@pytest.mark.jit
@pytest.mark.parametrize(
    "toy",
    [
        Toy(8, 16),
        Toy(6, 13),
        Toy(12, 24, hidden=2, boxes=PENTOMINOES),
        Toy(10, 18),
        Toy(4, 6, boxes=SMALL),
        Toy(16, 30, hidden=4),
        Toy(10, 20, boxes=PENTOMINOES),
        Toy(8, 16, turns=2),
        Toy(7, 20, turns=1, boxes=SMALL),
        Toy(10, 20, hidden=3, gravity=(12, 6, 3, 2)),
    ],
    ids=lambda toy: f"{toy.columns}x{toy.rows} hidden {toy.hidden} {len(toy.boxes)} pieces {toy.turns} turns",
)
@PIECES
def test_a_board_of_any_size_is_played_to_the_frame(toy: Toy, pieces: int) -> None:
    tally, machine = played(toy, pieces=pieces)
    assert (tally.pieces, tally.misplaced, tally.replans) == (pieces, 0, 0)
    assert machine.games - 1 == tally.games <= 1, "a game lasts longer than a hundred pieces"


KICKS = ((-1, 0), (1, 0), (0, -1), (2, 0), (-2, 0))
CLOCKS = {
    "frames per row from memory": Toy(gravity_in_memory=True, gravity=(9, 4)),
    "a row in seven frames": Toy(velocity=(40,)),
    "velocity by level, soft drop": Toy(hidden=2, velocity=(40, 90), velocity_in_memory=False, soft_velocity=200),
    "a row and a half a frame": Toy(8, 16, velocity=(384,)),
    "two rows a frame": Toy(velocity=(512,)),
    "twenty rows a frame, moves restore": Toy(velocity=(20 * 256,), lock_delay=30, moves_restore=True),
    "twenty rows a frame, falls restore": Toy(velocity=(20 * 256,), lock_delay=30),
    "frames per row and lock delay": Toy(gravity=(8,), lock_delay=15),
    "lock delay and kicks": Toy(gravity=(8,), lock_delay=15, kicks=KICKS, hard_drop=True, moves_restore=True),
    "kicks": Toy(10, 18, kicks=KICKS),
    "kicks of pentominoes": Toy(
        12, 24, 2, PENTOMINOES, velocity=(128,), lock_delay=10, hard_drop=True, kicks=KICKS[:3]
    ),
    "three previews": Toy(10, 18, previews=3),
    "six previews of pentominoes": Toy(boxes=PENTOMINOES, previews=6),
}


@pytest.mark.few(4)
@pytest.mark.jit
@pytest.mark.parametrize("name", CLOCKS)
@PIECES
def test_a_clock_that_the_map_states_is_planned_to_the_frame(name: str, pieces: int) -> None:
    tally, machine = played(CLOCKS[name], pieces=pieces)
    assert (tally.pieces, tally.misplaced, tally.replans) == (pieces, 0, 0)
    assert machine.games - 1 == tally.games <= 1


@pytest.mark.slow
@pytest.mark.jit
def test_under_a_fast_fall_the_next_piece_is_searched_from_where_it_enters() -> None:
    toy, hands = Toy(velocity=(256,)), parse_taps("12hz")
    tally, _ = played(toy, hands, seed=2)
    assert (tally.pieces, tally.misplaced, tally.replans) == (200, 0, 0)
    assert tally.games <= 1, "with straight drops of the next piece it was four games"
    engine = engine_of(GAME.open(map_of(toy)).thinker(DEFAULT, hands))
    found = engine.rank(engine.task(first_frame(toy), InputState(), True)).values.tolist()
    assert found == sorted(found, reverse=True)


@pytest.mark.few(2)
@pytest.mark.jit
@pytest.mark.parametrize("name", ["two rows a frame", "lock delay and kicks", "velocity by level, soft drop"])
@pytest.mark.parametrize("tempo", [tempo_for_speed(8), parse_taps("das")], ids=str)
def test_slow_hands_and_pads_on_their_way_under_a_fine_clock(name: str, tempo: Tempo) -> None:
    tally, _ = played(CLOCKS[name], tempo, pieces=60, latency=2)
    assert (tally.pieces, tally.misplaced, tally.replans) == (60, 0, 0)


@pytest.mark.few(2)
@pytest.mark.jit
@pytest.mark.parametrize(
    ("toy", "tempo"),
    [
        (Toy(10, 18, hold=True), FULL),
        (Toy(boxes=PENTOMINOES, hold=True, previews=2), parse_taps("das")),
        (Toy(12, 16, hold=True, left_entry=True), FULL),
        (Toy(hold=True, velocity=(5120,), lock_delay=20, moves_restore=True, previews=3), FULL),
        (Toy(hold=True, gravity=(8,), lock_delay=15, kicks=KICKS, hard_drop=True), tempo_for_speed(8)),
    ],
    ids=["tetrominoes", "pentominoes", "entry at the wall", "twenty rows a frame", "lock delay and kicks"],
)
@PIECES
def test_a_piece_is_held_where_that_is_better_and_the_other_one_goes_where_it_was_planned(
    toy: Toy, tempo: Tempo, pieces: int
) -> None:
    tally, machine = played(toy, tempo, pieces=pieces)
    assert (tally.pieces, tally.misplaced, tally.replans, tally.games) == (pieces, 0, 0, 0)
    assert machine.holds > pieces // 14


def test_a_hold_is_planned_only_where_it_has_an_effect() -> None:
    toy = Toy(8, 16, hold=True, boxes={"S": toy_blocks.TETROMINOES["S"], "I": toy_blocks.TETROMINOES["I"]})
    ram_map, machine = map_of(toy), ToyMachine(toy, seed=1)
    machine.step([Pad.START])
    machine.field[12:, 1:], machine.held = 7, 4
    machine.number, machine.x, machine.y = 0, 3, 0
    machine.step([Pad.NONE])
    decode, thinker = GAME.open(ram_map).decoder(), GAME.open(ram_map).thinker(DEFAULT, FULL)

    def first_pads(rest: int) -> list[Pad]:
        placement = thinker.decide(decode(machine.ram.tobytes()), InputState(rest=rest, turn_rest=rest)).placement
        assert placement is not None
        return [step.pad for step in placement.timeline]

    assert first_pads(0)[0] is Pad.SELECT, "the I that is held clears four rows"
    assert first_pads(3)[:4] == [Pad.NONE, Pad.NONE, Pad.NONE, Pad.SELECT]
    ahead = GAME.open(ram_map).predict(decode(machine.ram.tobytes()), [Pad.NONE, Pad.SELECT, Pad.NONE, Pad.LEFT])
    for pad in (Pad.NONE, Pad.SELECT, Pad.NONE, Pad.LEFT):
        machine.step([pad])
    after = decode(machine.ram.tobytes())
    assert (ahead.current, ahead.next, dict(ahead.counters)) == (after.current, after.next, dict(after.counters))
    assert Pad.SELECT not in first_pads(0), "it was held in this piece's time"
    without = map_of(toy, ("  hold_piece: 0x35\n", ""))
    with pytest.raises(MapError, match="has a hold button and lacks the value hold_piece"):
        GAME.open(without).decoder()


@pytest.mark.parametrize(
    ("toy", "changes", "timed"),
    [
        (CLOCKS["two rows a frame"], (), True),
        (CLOCKS["two rows a frame"], (("  fall_fraction: {at: 0x32, bytes: 2}\n", ""),), False),
        (CLOCKS["two rows a frame"], (("timing: {", "timing: {shift_delay: 1, "),), False),
        (CLOCKS["frames per row and lock delay"], (), True),
        (CLOCKS["frames per row and lock delay"], (("  lock_timer: 0x34\n", ""),), False),
        (CLOCKS["frames per row and lock delay"], (("  drop_timer: 0x14\n", ""),), False),
        (CLOCKS["frames per row from memory"], (("  drop_timer: 0x14\n", ""),), False),
    ],
)
def test_without_a_value_that_counts_inputs_go_one_by_one(
    toy: Toy, changes: tuple[tuple[str, str], ...], timed: bool
) -> None:
    ram_map = map_of(toy, *changes)
    placement = GAME.open(ram_map).thinker(DEFAULT, FULL).decide(first_frame(toy, ram_map), InputState()).placement
    assert placement is not None
    assert (bool(placement.timeline), bool(placement.moves)) == (timed, not timed)


def test_previews_are_as_many_as_memory_shows_and_change_the_choice() -> None:
    toy = Toy(10, 18, previews=6)
    ram_map = map_of(toy)
    machine = ToyMachine(toy, seed=1)
    machine.step([Pad.START])
    decode, thinker = GAME.open(ram_map).decoder(), GAME.open(ram_map).thinker(DEFAULT, FULL)
    snapshot = decode(machine.ram.tobytes())
    assert snapshot.next == tuple(machine.queue)
    assert len(snapshot.next) == 6
    deep = thinker.decide(snapshot, InputState())
    machine.ram[toy_blocks.NEXT + 2] = 255
    shorter = decode(machine.ram.tobytes())
    assert shorter.next == tuple(machine.queue[:2]), "what is no piece ends the queue"
    shallow = thinker.decide(shorter, InputState())
    assert shallow.nodes < deep.nodes
    assert shallow.value != deep.value


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ((("gravity: [12]", "gravity_value: fast"),), "timing.gravity_value: found fast, which is no value"),
        ((("gravity: [12]", "velocity: {value: fast, unit: 8}"),), "timing.velocity.value: found fast"),
        ((("gravity: [12]", "velocity: {unit: 8}"),), "allowed is either value or table, exactly one"),
        ((("gravity: [12]", "gravity: [12], gravity_value: speed"),), "found gravity and gravity_value, only one"),
        ((("phases:", "kicks: [{turns: [[0, 2]], tries: [[1, 0]]}]\nphases:"),), "found 0 to 2, which is no turn"),
    ],
)
def test_a_clock_that_contradicts_itself_is_refused(changes: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(MapError, match=message):
        map_of(Toy(), *changes)


@pytest.mark.jit
@pytest.mark.parametrize("tempo", [tempo_for_speed(6), parse_taps("12hz"), parse_taps("das")], ids=str)
@PIECES
def test_slower_hands_misplace_nothing(tempo: Tempo, pieces: int) -> None:
    tally, _ = played(Toy(8, 16), tempo, pieces=pieces)
    assert (tally.pieces, tally.misplaced, tally.replans) == (pieces, 0, 0)


@pytest.mark.jit
@pytest.mark.parametrize(("states", "latency"), [(True, 2), (False, 0), (False, 2)])
def test_pads_on_their_way_and_an_unknown_fall_misplace_nothing(states: bool, latency: int) -> None:
    tally, _ = played(Toy(8, 16, states_gravity=states), pieces=60, latency=latency)
    assert (tally.pieces, tally.misplaced, tally.replans, tally.games) == (60, 0, 0, 0)


def test_a_board_and_pieces_of_the_usual_kind_keep_their_kernels() -> None:
    usual, nes = stranger_map(), load_map(GAME.facts.default_map)
    assert not has_own_board(usual)
    assert not has_own_board(nes)
    assert isinstance(engine_of(GAME.open(usual).thinker(DEFAULT, FULL)), MappedEngine)
    assert isinstance(engine_of(GAME.open(map_of(Toy())).thinker(DEFAULT, FULL)), MappedEngine)
    for toy in (Toy(9), Toy(10, 19), Toy(hidden=3), Toy(boxes=SMALL)):
        assert isinstance(engine_of(GAME.open(map_of(toy)).thinker(DEFAULT, FULL)), AnyboardEngine)


@pytest.mark.parametrize(
    ("toy", "changes", "message"),
    [
        (Toy(3), (), "has 20 rows, 3 columns and 0 hidden rows.*6 to 30 rows and 4 to 16 columns"),
        (Toy(16, 31), (), "has 31 rows"),
        (Toy(8), (("[1, 0], [0, 1]", "[1, 0], [3, 1]"),), "the cells of orientation .* are no piece of falling blocks"),
        (Toy(8), (("clockwise: 1,", "clockwise: 5,"),), "orientation 0 turns into 5, which is another piece"),
        (Toy(8), (("  piece: 0x11\n", ""),), "lacks the values piece for player 1"),
    ],
)
def test_a_board_or_piece_that_cannot_be_played_is_refused(
    toy: Toy, changes: tuple[tuple[str, str], ...], message: str
) -> None:
    ram_map = map_of(toy, *changes)
    with pytest.raises(MapError, match=message):
        GAME.open(ram_map).decoder()
    with pytest.raises(MapError, match=message):
        GAME.open(ram_map).thinker(DEFAULT, FULL)


def test_explaining_needs_a_release() -> None:
    toy = Toy(8)
    with pytest.raises(UsageError, match="does not state its cartridge's timing"):
        whole_edition(map_of(toy)).explainer.explain(first_frame(toy), DEFAULT, FULL, ExplainOptions())


def test_a_snapshot_has_the_ids_and_the_pivots_of_the_map() -> None:
    toy = Toy(12, 24, hidden=2, boxes=PENTOMINOES)
    machine = ToyMachine(toy, seed=1)
    machine.step([Pad.START])
    machine.field[0, 3], machine.field[1, 4], machine.field[-1, 5] = 7, 7, 7
    machine.step([Pad.NONE])
    snapshot = GAME.open(map_of(toy)).decoder()(machine.ram.tobytes())
    assert snapshot.current is not None
    assert tuple(vars_of(snapshot)) == (machine.number, machine.x, machine.y)
    assert snapshot.next == (machine.queue[0],)
    assert [row.tolist() for row in np.argwhere(snapshot.hidden)] == [[0, 4], [1, 3]]
    assert [row.tolist() for row in np.argwhere(snapshot.playfield)] == [[23, 5]]
    drawn = {(cell.column, cell.row) for cell in whole_edition(map_of(toy)).depiction.cells(snapshot, snapshot.current)}
    assert drawn == {(machine.x + dx, machine.y + dy) for dx, dy in toy.cells[machine.number]}
    assert len(whole_edition(map_of(toy)).depiction.next_cells(snapshot)) == 5
    assert {"lines", "score", "level"} <= set(default_edition(GAME.name).summary(snapshot))
    stacks = stacks_from(snapshot.playfield, snapshot.hidden)
    assert stacks.tolist() == [0, 0, 0, 1 << 25, 1 << 24, 1, *[0] * 6]


def vars_of(snapshot: Snapshot) -> tuple[int, int, int]:
    assert snapshot.current is not None
    return snapshot.current.orientation, snapshot.current.column, snapshot.current.row


def test_a_map_without_pieces_has_those_of_the_family() -> None:
    toy = Toy(8, 16)
    text = toy.map_text()
    listed = text[text.index("pieces:\n") : text.index("phases:\n")]
    pieces = Pieces(map_of(toy, (listed, "")))
    assert len(pieces.orientations) == 19
    assert pieces.numbers(2) == [2, 3, 1, 0]


@given(ram=st.binary(min_size=2048, max_size=2048), playing=st.booleans())
def test_any_bytes_decode_and_are_decided(ram: bytes, playing: bool) -> None:
    toy = Toy(5, 7, hidden=1, boxes=SMALL)
    ram_map = map_of(toy)
    found = bytearray(ram)
    if playing:
        found[toy_blocks.STATE], found[toy_blocks.PIECE] = toy_blocks.PLAYING, ram[0] % 16
        found[toy_blocks.X], found[toy_blocks.Y] = ram[1] % 8 - 1 & 0xFF, ram[2] % 12 - 3 & 0xFF
    snapshot = GAME.open(ram_map).decoder()(bytes(found))
    again = GAME.open(ram_map).decoder()(bytes(found))
    assert (snapshot.phase, snapshot.current, snapshot.next) == (again.phase, again.current, again.next)
    if snapshot.current is not None and snapshot.phase is Phase.PLAYING:
        GAME.open(ram_map).thinker(DEFAULT, FULL).decide(snapshot, InputState())


def test_a_piece_beside_below_or_far_above_the_board_is_none() -> None:
    pieces = Pieces(map_of(Toy(8, 16)))
    found = {(x, y) for x in range(-40, 60) for y in range(-200, 60) if pieces.piece(0, x, y) is not None}
    assert found == {(x, y) for x in range(5) for y in range(-9, 15)}, "the flat I is in row 1 of its box"
    assert pieces.piece(99, 3, 3) is None


def test_weights_with_tables_of_the_usual_board_give_place_to_plain_ones() -> None:
    toy = Toy(8, 16)
    ram_map, snapshot = map_of(toy), first_frame(toy)
    assert DEFAULT.points
    by_default = GAME.open(ram_map).thinker(DEFAULT, FULL).decide(snapshot, InputState())
    engine = engine_of(GAME.open(ram_map).thinker(DEFAULT, FULL))
    assert by_default.placement == engine.rank(engine.task(snapshot, InputState(), True)).at(0)
    assert by_default == GAME.open(ram_map).thinker(load_weights(PLAIN_WEIGHTS), FULL).decide(snapshot, InputState())
    assert (
        by_default.value
        != GAME.open(ram_map).thinker(load_weights("lowest"), FULL).decide(snapshot, InputState()).value
    )
    tables = Tables.model_construct(version=1, columns=10, rows=20, entries=(1.0,))
    with pytest.raises(WeightsError, match="not of 8x16"):
        GAME.open(ram_map).thinker(load_weights("lowest").model_copy(update={"tables": tables}), FULL)


SHAPES: tuple[Shape, ...] = (
    frozenset({(0, 0)}),
    frozenset({(0, 0), (1, 0), (1, 1)}),
    frozenset({(0, 1), (1, 1), (1, 0), (2, 1), (0, 2)}),
    frozenset((0, up) for up in range(4)),
)
WEIGHTS = {
    "landing_height": -1.0,
    "rows_removed": 2.5,
    "eroded_cells": 1.25,
    "landing_top_row": 0.5,
    "row_transitions": -1.0,
    "holes": -4.0,
    "cumulative_wells": -1.5,
    "max_height": -0.25,
}


@st.composite
def boards(draw: st.DrawFn, columns: int, rows: int, hidden: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Cells with gaps, and some full but for one cell; the highest rows mostly empty."""
    cells = draw(st.lists(st.integers(0, 9), min_size=columns * (rows + hidden), max_size=columns * (rows + hidden)))
    grid = np.array(cells).reshape(rows + hidden, columns) < draw(st.sampled_from((2, 5, 8)))
    grid[: draw(st.integers(0, rows + hidden))] = False
    if draw(st.booleans()):
        grid[-1], grid[-1, draw(st.integers(0, columns - 1))] = True, False
    return grid


@given(data=st.data())
def test_the_search_values_each_lock_as_the_twin_does(data: st.DataObject) -> None:
    columns, rows, hidden = data.draw(st.integers(4, 6)), data.draw(st.integers(5, 8)), 4
    grid = data.draw(boards(columns, rows, hidden))
    pieces = data.draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=2, unique=True), max_size=2))
    if len(pieces) == 2:  # so few drops that all stay in the beam
        pieces = [[0], [data.draw(st.integers(0, 3))]]
    twin = Twin(rows, SHAPES, WEIGHTS)
    shape = data.draw(st.integers(0, 3))
    locks = [lock for lock in twin.drops(grid, shape) if not grid[: hidden + 1].any()]
    values, found = twin.values(grid, locks, pieces), np.zeros(len(locks))
    vector = np.array([WEIGHTS.get(name, 0.0) for name in FEATURE_NAMES])
    queue = np.full((len(pieces), MOST_SHAPES), -1, dtype=np.int64)
    for place, shapes in enumerate(pieces):
        queue[place, : len(shapes)] = shapes
    no_entry = np.zeros((len(pieces), columns), dtype=np.int64)
    given_locks = np.array(locks, dtype=np.int64).reshape(-1, 3)
    nodes = search_queue(
        stacks_of(grid).astype(np.int64),
        rows,
        given_locks,
        queue,
        no_entry,
        outlines_of(SHAPES),
        player_of(vector),
        found,
    )
    if len(pieces) < 2 or all(value > DEAD / 2 for value in values):
        assert found.tolist() == pytest.approx(values)
        assert nodes == twin.boards


def test_a_lock_where_the_next_piece_enters_loses() -> None:
    outlines, columns, rows = outlines_of(SHAPES), 4, 6
    queue = np.full((1, MOST_SHAPES), -1, dtype=np.int64)
    queue[0, 0] = 0
    entries = np.array([[0, 1 << 5, 0, 0]], dtype=np.int64)
    stacks = np.array([0b11, 0b11111, 0, 0], dtype=np.int64)
    locks = np.array([[0, 0, 2], [0, 1, 5]], dtype=np.int64)
    values, vector = np.zeros(2), np.array([WEIGHTS.get(name, 0.0) for name in FEATURE_NAMES])
    search_queue(stacks, rows, locks, queue, entries, outlines, player_of(vector), values)
    assert values[0] > DEAD / 2 > values[1]
    assert FEATURE_VERSION == 1
    assert columns == len(stacks)
