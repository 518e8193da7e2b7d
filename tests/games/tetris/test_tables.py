"""A cartridge of falling blocks that nobody has seen, played from its map alone."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.cli.played import describe_tally
from emubot.datafiles import shipped
from emubot.errors import MapError
from emubot.games.motion import Fall
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.decode.map_checks import check_map
from emubot.games.tetris.decode.piece_tables import OrientationTables
from emubot.games.tetris.family import GAME
from emubot.games.tetris.reach.mapped import MappedMotion, in_time, sinking
from emubot.games.tetris.rules import DX, DY, PIECE_OF
from emubot.games.tetris.simulator.predict import predict
from emubot.games.tetris.timing import NTSC
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill, Tally
from emubot.rammap import RamMap, load_map, parse_map
from emubot.snapshot import Phase, Piece, Placement, Step
from emubot.tempo import InputState, Tempo, parse_taps, tempo_for_speed
from emubot.weights import load_weights
from tests.families import engine_of, whole_edition
from tests.games.tetris.random_cartridges import (
    BOXES,
    COLUMNS,
    MORE_BUTTONS,
    NAMES,
    ROWS,
    SOFT_ONLY,
    TIMED,
    UNTIMED_DROP,
    Stranger,
    cells_of,
    number_of,
    stranger_map,
)

NES = (shipped("ram_maps") / f"{GAME.facts.default_map}.yaml").read_text(encoding="utf-8")


PIECE_LESS = ("  piece: {at: 0x21, mask: 0x7F}\n", "")
SOFT_BLOCK = ("block: {from: 0x01, to: 0x07}", "block: {codes: 0x01, solid: false}")


def played(ram_map: RamMap, tempo: Tempo, pieces: int, seed: int = 1, latency: int = 0) -> tuple[Tally, Stranger]:
    machine = Stranger(ram_map, seed)
    bridge = SimulatedBridge(machine, latency=latency)
    # Weights that play to live: with such hands those that play for points lose a game now and then.
    pilot = Pilot(bridge, Goal(pieces, games=None), GAME.open(ram_map), Skill(load_weights("dt10"), tempo))
    tally = pilot.run()
    assert pilot.result == "pieces"
    return tally, machine


@pytest.mark.jit
@pytest.mark.parametrize(
    ("changes", "speed"),
    [((), 10), ((UNTIMED_DROP, MORE_BUTTONS), 8), ((SOFT_ONLY,), 10), ((UNTIMED_DROP, TIMED), 7)],
    ids=["hard drop on A", "more buttons", "soft drop only", "gravity without a timer"],
)
def test_a_cartridge_without_timing_is_played_by_single_moves(changes: tuple[tuple[str, str], ...], speed: int) -> None:
    tally, machine = played(stranger_map(*changes), tempo_for_speed(speed), pieces=25)
    assert (tally.pieces, tally.misplaced, tally.replans, tally.games) == (25, 0, 0, 0)
    assert tally.lines == machine.lines > 4


@pytest.mark.few(3)
@pytest.mark.jit
@pytest.mark.parametrize("changes", [(), (MORE_BUTTONS,), (SOFT_ONLY,)], ids=["A drops", "UP drops", "soft drop only"])
@pytest.mark.parametrize("tempo", [tempo_for_speed(10), parse_taps("12hz"), parse_taps("das")], ids=str)
def test_a_cartridge_whose_fall_is_known_is_played_to_the_frame(
    changes: tuple[tuple[str, str], ...], tempo: Tempo
) -> None:
    tally, machine = played(stranger_map(TIMED, *changes), tempo, pieces=25)
    assert (tally.pieces, tally.misplaced, tally.replans, tally.games) == (25, 0, 0, 0)
    assert tally.lines == machine.lines > 4


@pytest.mark.jit
def test_single_moves_are_read_back_over_a_slow_bridge() -> None:
    tally, _ = played(stranger_map(), tempo_for_speed(10), pieces=30, latency=2)
    assert (tally.pieces, tally.misplaced, tally.replans, tally.games) == (30, 0, 0, 0)


def test_pads_on_their_way_are_followed_by_the_tables_of_the_map() -> None:
    ram_map = stranger_map(TIMED, MORE_BUTTONS)
    edition, machine = GAME.open(ram_map), Stranger(ram_map, seed=5)
    decode = edition.decoder()
    machine.step([Pad.START])
    rng = np.random.default_rng(6)
    compared = 0
    for _ in range(200):
        before = decode(machine.ram.tobytes())
        choices = (Pad.NONE, Pad.NONE, Pad.A, Pad.B, Pad.LEFT, Pad.RIGHT | Pad.A, Pad.DOWN, Pad.UP)
        pads = [choices[int(rng.integers(len(choices)))], Pad.NONE, Pad.LEFT]
        ahead = edition.predict(before, pads)
        for pad in pads:
            machine.step([pad])
            after = decode(machine.ram.tobytes())
            if after.phase is not Phase.PLAYING:
                break
        machine.step([Pad.NONE])  # the next pads find no button held
        if before.phase is not Phase.PLAYING:
            assert ahead is before
            machine.step([Pad.START if before.phase is Phase.OVER else Pad.NONE])
            continue
        compared += 1
        assert (ahead.current, ahead.phase) == (after.current, after.phase)
        own, timer = "orientation_id", "drop_timer"
        assert ahead.counters[own] == after.counters[own]
        assert ahead.phase is Phase.LOCKED or ahead.counters[timer] == after.counters[timer]
    assert compared > 75


def test_every_orientation_of_the_map_decodes_to_the_same_cells() -> None:
    ram_map = stranger_map()
    decode, ram = TetrisDecoder(ram_map), np.zeros(2048, dtype=np.uint8)
    field = np.zeros((ROWS, COLUMNS), dtype=np.uint8)
    for name in BOXES:
        for quarters in range(4):
            values = {"state": 1, "piece": number_of(name, quarters), "x": 3, "y": 4}
            ram_map.encode(ram, values | {"next_piece": number_of(name, 0)}, field)
            snapshot = decode(ram.tobytes())
            piece = snapshot.current
            assert piece is not None
            shape = zip(DX[piece.orientation], DY[piece.orientation], strict=True)
            found = {(piece.column + int(dx), piece.row + int(dy)) for dx, dy in shape}
            assert found == {(3 + x, 4 + y) for x, y in cells_of(name, quarters)}
            assert [PIECE_OF[shown] for shown in snapshot.next] == [PIECE_OF[piece.orientation]]


def test_turns_go_round_the_box_of_the_map() -> None:
    tables = OrientationTables(stranger_map())
    for name in NAMES:
        for quarters in range(4):
            number = number_of(name, quarters)
            shapes = tables.shapes(number)
            assert shapes is tables.shapes(number)
            piece, turned = tables.piece(number, 3, 4), tables.piece(number_of(name, (quarters + 1) % 4), 3, 4)
            assert piece is not None
            assert turned is not None
            assert shapes.index(piece.orientation) == 0, "the orientation it has now comes first"
            state, dx, dy = shapes.turns[0, 0, 0].tolist()
            assert Piece(int(shapes.shown[state]), piece.column + dx, piece.row + dy) == turned
            assert len(shapes.cells) == 4


def test_a_piece_with_one_orientation_is_not_turned() -> None:
    shapes = OrientationTables(load_map(GAME.facts.default_map)).shapes(10)
    assert shapes.turns.tolist() == [[[[-1, -1, -1]]]] * 2
    assert OrientationTables(load_map(GAME.facts.default_map)).piece(19, 5, 5) is None


@pytest.mark.parametrize(
    ("orientation", "columns", "rows"),
    [(10, (1, 9), (-3, 18)), (17, (0, 9), (-3, 18)), (18, (2, 8), (-2, 19)), (2, (1, 8), (-3, 18))],
    ids=["O", "I upright", "I flat", "T"],
)
def test_a_piece_beside_below_or_far_above_the_field_is_none(
    orientation: int, columns: tuple[int, int], rows: tuple[int, int]
) -> None:
    """Whatever memory says: kernels do not check what they index with."""
    tables = OrientationTables(load_map(GAME.facts.default_map))
    found = {(x, y) for x in range(-40, 60) for y in range(-300, 60) if tables.piece(orientation, x, y) is not None}
    assert found == {(x, y) for x in range(columns[0], columns[1] + 1) for y in range(rows[0], rows[1] + 1)}


def test_what_moves_is_not_solid_and_rows_the_map_has_not_are_empty() -> None:
    ram_map = stranger_map()
    machine = Stranger(ram_map, seed=0)
    machine.step([Pad.START])
    snapshot = GAME.open(ram_map).decoder()(machine.ram.tobytes())
    assert (snapshot.phase, snapshot.counters["level"]) == (Phase.PLAYING, 0)
    assert not snapshot.playfield.any()
    assert snapshot.hidden.tolist() == [[0] * COLUMNS] * 2
    assert predict(snapshot, [Pad.LEFT], NTSC) is snapshot


@pytest.mark.jit
def test_the_figures_a_map_does_not_know_are_left_open() -> None:
    lines = "  lines: {at: 0x27, bytes: 2, format: bcd}\n"
    ram_map = stranger_map(("  level: 0x26\n", ""), ("  score: {at: 0x29, bytes: 4, order: big}\n", ""), (lines, ""))
    assert not {"level", "score", "lines"} & TetrisDecoder(ram_map)(bytes(2048)).counters.keys()
    tally, _ = played(ram_map, tempo_for_speed(10), pieces=20)
    assert (tally.pieces, tally.misplaced) == (20, 0)
    assert [tally.as_dict()[name] for name in ("lines", "score", "level")] == [None, None, None]
    assert describe_tally(GAME.looks, tally) == "20 pieces"


def test_a_map_without_the_next_piece_is_searched_one_piece_deep() -> None:
    ram_map = stranger_map(("  next_piece: {at: 0x22, mask: 0x7F}\n", ""))
    machine = Stranger(ram_map, seed=3)
    machine.step([Pad.START])
    snapshot = GAME.open(ram_map).decoder()(machine.ram.tobytes())
    assert snapshot.next == ()
    thinker = GAME.open(ram_map).thinker(load_weights(GAME.facts.default_weights), tempo_for_speed(10))
    decision, engine = thinker.decide(snapshot, InputState()), engine_of(thinker)
    ranking = engine.rank(engine.task(snapshot, InputState(), True))
    assert decision.placement == ranking.at(0)
    assert decision.nodes == len(ranking.values) == len({(o, column) for o, column, _ in ranking.places.tolist()})
    assert decision.placement is not None
    assert not decision.placement.timeline


def test_the_less_is_known_of_the_fall_the_more_room_single_moves_have() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    rows[6:] = 0b0111111111  # a stack up to row 4, beside a shaft
    number = number_of("O", 0)

    def offered(*changes: tuple[str, str], speed: int = 10) -> list[int]:
        ram_map = stranger_map(*changes)
        motion = MappedMotion(ram_map, tempo_for_speed(speed), OrientationTables(ram_map))
        offers = list(motion.offers(rows, Piece(10, 4, 0), number, 0, None, InputState()))
        assert all(offer.flight is None for offer in offers)
        return [len(offer.placements) for offer in offers]

    assert offered() == [1, 1, 9, 9, 5], "four rows, three, ... none, with two moves before a fall"
    assert offered(("timing: {}", "timing: {gravity: [14]}")) == [1, 9, 9, 7]
    assert offered(("timing: {}", "timing: {gravity: [200]}")) == [9, 9]
    assert len(offered(("timing: {}", "timing: {gravity: [2]}"), speed=0)) == 13


@pytest.mark.parametrize(
    ("changes", "timed"),
    [
        ([TIMED], True),
        ([], False),
        ([TIMED, UNTIMED_DROP], False),
        ([TIMED, ("soft_drop: 2", "rotate_delay: 1")], False),
        ([TIMED, ("soft_drop: 2", "shift_delay: 2")], False),
    ],
)
def test_ways_are_planned_to_the_frame_only_where_the_map_says_all_of_the_fall(
    changes: list[tuple[str, str]], timed: bool
) -> None:
    ram_map = stranger_map(*changes)
    machine = Stranger(ram_map, seed=0)
    machine.step([Pad.START])
    thinker = GAME.open(ram_map).thinker(load_weights(GAME.facts.default_weights), tempo_for_speed(10))
    placement = thinker.decide(GAME.open(ram_map).decoder()(machine.ram.tobytes()), InputState()).placement
    assert placement is not None
    assert (bool(placement.timeline), bool(placement.moves)) == (timed, not timed)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([("  x: {at: 0x23, offset: -32, divide: 8} # pixels\n", "")], "lacks the values x for player 1.*: add them"),
        (
            [("cells: [[0, 0], [1, 0], [0, 1], [1, 1]]", "cells: [[0, 0], [1, 0], [0, 1], [2, 2]]")],
            "no piece of falling",
        ),
        ([("clockwise: 122", "clockwise: 110")], "orientation 123 turns into 110, which is another piece"),
        ([SOFT_BLOCK], "has no solid kind of cell"),
        ([("empty: 0x20", "empty: learn"), PIECE_LESS], "lacks the values piece for player 1.*nothing can be learnt"),
        ([("empty: 0x20", "empty: learn"), SOFT_BLOCK], "has no solid kind of cell: name one"),
        ([("  columns: 10", "  columns: 3")], "has 20 rows, 3 columns and 0 hidden rows.*falling blocks have 20, 10"),
        ([("timing: {}", "timing: {profile: nes-ntsc}")], "pieces of its own beside the timing profile nes-ntsc"),
        (
            [("timing: {}", "timing: {profile: nes-dendy}")],
            "names the profile 'nes-dendy'; the tetris family has nes-ntsc, nes-pal",
        ),
        (
            [("profile: plain", "profile: odd")],
            "names the profile 'odd'; the tetris family has nes-ntsc, nes-pal, plain",
        ),
    ],
)
def test_a_map_the_family_cannot_play_by_is_refused_in_a_sentence(changes: list[tuple[str, str]], message: str) -> None:
    ram_map = stranger_map(*changes)
    for use in (
        lambda: GAME.open(ram_map).decoder(),
        lambda: GAME.open(ram_map).thinker(load_weights(GAME.facts.default_weights), tempo_for_speed(10)),
    ):
        with pytest.raises(MapError, match=message):
            use()


def test_the_nes_profile_needs_its_registers_and_hidden_rows() -> None:
    without = parse_map(NES.replace("  das: [0x66, 0x86]\n", ""), "nes")
    with pytest.raises(MapError, match="lacks the values das for player 1"):
        check_map(without)
    unknown = parse_map(NES.replace("empty: 0xEF", "empty: learn"), "nes")
    with pytest.raises(MapError, match="leaves empty to be learnt"):
        check_map(unknown)
    lower = parse_map(NES.replace("    - [0x04EC, 0x05EC]\n", ""), "nes")
    with pytest.raises(MapError, match=r"1 hidden rows.*falling blocks have 20, 10 and 2"):
        check_map(lower)


@pytest.mark.jit
def test_the_nes_map_without_its_timing_is_played_by_single_moves() -> None:
    assert "timing:\n  profile: nes-ntsc" in NES
    ram_map = parse_map(NES.replace("  profile: nes-ntsc # the", "  das_initial: 16 # the"), "nes")
    machine = whole_edition(load_map(GAME.facts.default_map)).simulator.machine(np.random.default_rng(2))
    bridge = SimulatedBridge(machine)
    pilot = Pilot(bridge, Goal(60, games=None, menu_choices={"level": 5}), GAME.open(ram_map))
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (60, 0, 0)


@pytest.mark.parametrize(
    ("slack", "fall", "press", "most"),
    [
        (0, None, 1, 2),  # in the highest row of a full board the next fall locks the piece
        (0, None, 4, 1),
        (1, None, 1, 5),
        (4, None, 1, 9),  # with the usual slack all ways are open
        (0, Fall(20, 2), 1, 4),
        (0, Fall(4, 2), 1, 0),
        (3, Fall(20, 2), 1, 9),
    ],
)
def test_moves_are_over_before_the_piece_falls_further_than_they_were_tried(
    slack: int, fall: Fall | None, press: int, most: int
) -> None:
    ways = [Placement(0, 0, 0, moves=(Step(Pad.LEFT, 0, 0, 0),) * moves) for moves in range(10)]
    kept = [*in_time(ways, slack, fall, Tempo(0, 2, das=False, name="t"), press)]
    assert [len(place.moves) for place in kept] == [*range(most + 1)]


@pytest.mark.parametrize(
    ("held", "press", "slack", "most"),
    [(Pad.DOWN, 4, 0, 0), (Pad.DOWN, 4, 3, 0), (Pad.DOWN, 4, 4, 9), (Pad.NONE, 4, 0, 1), (Pad.DOWN, 1, 0, 2)],
)
def test_a_soft_drop_that_a_slow_game_still_sees_leaves_no_time_for_moves(
    held: Pad, press: int, slack: int, most: int
) -> None:
    ways = [Placement(0, 0, 0, moves=(Step(Pad.LEFT, 0, 0, 0),) * moves) for moves in range(10)]
    sinks = sinking(held, stranger_map().buttons.model_copy(update={"soft_drop": Pad.DOWN}), press)
    kept = [*in_time(ways, slack, None, Tempo(0, 2, das=False, name="t"), press, sinks)]
    assert [len(place.moves) for place in kept] == [*range(most + 1)]
