"""Snapshots of pairs cartridges: canonical kinds and orientations, unknown codes, predictions, refused maps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import MapError
from emubot.games.colours.decode.decode import Decoder, predict
from emubot.games.colours.decode.map_checks import check_pairs
from emubot.games.colours.rules import BIG, CARBUNCLE, FAMICOM_1991, NUISANCE, OBSTACLE
from emubot.games.colours.timing import PAIRS
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase, Piece
from tests.games.colours.playing import PADS, running, seen, started
from tests.games.colours.puyo_maps import DEMO, demo_map, strange_map

NOTHING = (Pad.NONE, Pad.NONE)


@cache
def learning() -> RamMap:
    """The demo's layout of which no code and no orientation is known."""
    head, _, tail = DEMO.partition("pieces:")
    tail = tail[tail.index("phases:") :]
    lines = [
        f"{line.partition(':')[0]}: learn" if line.startswith(("      ", "    empty")) else line
        for line in head.splitlines()
    ]
    return parse_map("\n".join([*lines, "pieces: learn", "piece_codes: learn", tail]), "learning_pairs")


def with_bytes(ram: bytes, **changes: int) -> bytes:
    changed = bytearray(ram)
    for place, byte in changes.items():
        changed[int(place[1:], 16)] = byte
    return bytes(changed)


@pytest.fixture(scope="module")
def ram() -> bytes:
    return started(demo_map(), seed=3).ram.tobytes()


@pytest.mark.parametrize(("raw", "orientation"), [(0, 2), (1, 3), (2, 0), (3, 1)])
def test_the_orientation_is_where_the_satellite_is(ram: bytes, raw: int, orientation: int) -> None:
    snapshot = Decoder(demo_map())(with_bytes(ram, a6D5=raw, a66D=5))
    assert snapshot.current == Piece(orientation, 2, 4)


def test_a_map_may_turn_about_the_top_half() -> None:
    """There the top half is the pivot, and the bottom half its satellite."""
    ram_map = strange_map()
    raw = bytearray(started(ram_map).ram.tobytes())
    ram_map.encode(raw, {"current_bottom": 0x40, "current_top": 0x00, "next_bottom": 0x81, "next_top": 0xC0})
    for number, orientation in ((4, 2), (8, 3), (7, 0), (5, 1)):
        ram_map.encode(raw, {"orientation": number, "y": 5})
        snapshot = Decoder(ram_map)(bytes(raw))
        assert snapshot.current == Piece(orientation, 2, 5)
        assert (snapshot.counters["pivot"], snapshot.counters["satellite"]) == (1, 2)
        assert snapshot.next == (4, 3)


def test_where_no_half_stays_the_pivot_is_the_bottom_half(ram: bytes) -> None:
    """x and y are then the corner of the box around the pair."""
    text = DEMO
    for cells, other in {
        "[[0, 0], [0, 1]]": "[[0, 0], [0, 1]]",
        "[[0, 0], [-1, 0]]": "[[1, 0], [0, 0]]",
        "[[0, 0], [0, -1]]": "[[0, 1], [0, 0]]",
    }.items():
        text = text.replace(cells, other)
    decode = Decoder(parse_map(text, "boxed"))
    found = [decode(with_bytes(ram, a6D5=raw, a66D=5)).current for raw in range(4)]
    assert found == [Piece(2, 2, 4), Piece(3, 3, 4), Piece(0, 2, 5), Piece(1, 2, 4)]


def test_kinds_are_the_familys_own(ram: bytes) -> None:
    changes = {f"a{0x313 + 2 * column:03X}": code for column, code in enumerate([1, 6, 7, 8, 0x0A, 0x77])}
    snapshot = Decoder(demo_map())(with_bytes(ram, **changes, a303=5))
    assert snapshot.playfield[0].tolist() == [1, 6, NUISANCE, OBSTACLE, OBSTACLE, OBSTACLE]
    assert snapshot.hidden[0].tolist() == [5, 0, 0, 0, 0, 0]
    assert snapshot.playfield.dtype == np.uint8
    assert snapshot.playfield.shape == (13, 6)
    assert snapshot.hidden.shape == (1, 6)


def test_a_kind_that_is_not_solid_is_no_obstacle() -> None:
    ram_map = strange_map()
    raw = bytearray(started(ram_map).ram.tobytes())
    raw[0x0100] = 0xA0
    assert not Decoder(ram_map)(bytes(raw)).playfield.any()


def test_what_pops_is_an_obstacle_even_where_pieces_fall_through_it(ram: bytes) -> None:
    decode = Decoder(replaced("popping: 0x0A", "popping: {codes: 0x0A, solid: false}"))
    assert decode(with_bytes(ram, a313=0x0A)).playfield[0, 0] == OBSTACLE


def test_items_have_no_orientation(ram: bytes) -> None:
    for code, kind in ((9, BIG), (0x0A, CARBUNCLE)):
        snapshot = Decoder(demo_map())(with_bytes(ram, a679=code, a67D=code, a6D5=1, a66D=5))
        assert snapshot.current == Piece(0, 2, 4)
        assert (snapshot.counters["pivot"], snapshot.counters["satellite"]) == (kind, kind)


@pytest.mark.parametrize(
    "changes",
    [
        {"a679": 1, "a67D": 9},
        {"a679": 6, "a67D": 0x0A},
        {"a669": 0},
        {"a669": 7},
        {"a66D": 14},
        {"a669": 1, "a6D5": 1},
        {"a66D": 13, "a6D5": 0},
        {"a6D5": 4},
    ],
)
def test_a_piece_that_cannot_be_is_none(ram: bytes, changes: dict[str, int]) -> None:
    snapshot = Decoder(demo_map())(with_bytes(ram, **changes))
    assert (snapshot.phase, snapshot.current) == (Phase.PLAYING, None)


def test_a_big_puyo_at_the_right_wall_cannot_be(ram: bytes) -> None:
    decode = Decoder(demo_map())
    assert decode(with_bytes(ram, a679=9, a67D=9, a669=5)).current == Piece(0, 4, 0)
    assert decode(with_bytes(ram, a679=9, a67D=9, a669=6)).current is None


def test_a_next_pair_of_unknown_codes_is_no_pair(ram: bytes) -> None:
    assert Decoder(demo_map())(with_bytes(ram, a067=0x33)).next == ()


def test_snapshots_do_not_carry_the_generator_nor_counts_of_draws(ram: bytes) -> None:
    ram_map = demo_map()
    decode = Decoder(ram_map)
    before = decode(ram)
    for name in ("generator", "nuisance_generator", "pairs"):
        assert name not in before.counters
        for address in ram_map.addresses(name):
            after = decode(with_bytes(ram, **{f"a{address:03X}": ram[address] ^ 0x5A}))
            assert after.counters == before.counters
            assert (after.phase, after.current, after.next) == (before.phase, before.current, before.next)


def test_the_same_bytes_give_the_same_snapshot_and_nobody_can_change_it(ram: bytes) -> None:
    decode = Decoder(demo_map())
    first, second = decode(ram), decode(bytes(bytearray(ram)))
    np.testing.assert_array_equal(first.playfield, second.playfield)
    assert first.counters == second.counters
    with pytest.raises(ValueError, match="read-only"):
        first.playfield[0, 0] = 1


def test_what_is_still_to_be_learnt_is_unknown_and_never_a_guess(ram: bytes) -> None:
    snapshot = Decoder(learning())(ram)
    assert (snapshot.playfield == OBSTACLE).all()
    assert (snapshot.counters["pivot"], snapshot.counters["satellite"], snapshot.next) == (0, 0, ())
    assert snapshot.current == Piece(2, 2, 0), "the raw number, two bits of it"
    assert Decoder(learning())(with_bytes(ram, a6D5=7)).current == Piece(3, 2, 0)


@pytest.mark.parametrize("made", [demo_map, strange_map, learning])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_no_bytes_make_it_fail(made: Callable[[], RamMap], data: st.DataObject) -> None:
    ram_map = made()
    ram = data.draw(st.binary(min_size=2048, max_size=2048))
    ram = with_bytes(ram, a14=data.draw(st.integers(0, 5)), a92=2, a615=0, a99=3)
    for player in (0, 1):
        snapshot = Decoder(ram_map, player)(ram)
        assert snapshot.playfield.max() <= OBSTACLE
        assert len(snapshot.next) in (0, 2)
        if snapshot.current is not None:
            assert 0 <= snapshot.current.column < 6
            assert -1 <= snapshot.current.row < 13
            predict(snapshot, [Pad.A, Pad.LEFT, Pad.DOWN], FAMICOM_1991)


def test_each_player_is_decoded_apart() -> None:
    machine = started(demo_map(), players=2)
    machine.step((Pad.LEFT, Pad.RIGHT))
    pieces = [seen(machine, Decoder(demo_map(), player)).current for player in (0, 1)]
    assert [piece.column for piece in pieces if piece] == [1, 3]


def test_prediction_is_what_the_machine_does_with_the_same_pads() -> None:
    """For every number of frames in flight until the lock: piece, clocks and phase."""
    rng = np.random.default_rng(3)
    machine, decode = started(demo_map(), seed=8), Decoder(demo_map())
    checked = locked = 0
    for _ in range(700):
        start = seen(machine, decode)
        pads = [PADS[rng.integers(len(PADS))] for _ in range(rng.integers(1, 5))]
        ahead = predict(start, pads, FAMICOM_1991, PAIRS)
        for pad in pads:
            machine.step((pad, Pad.NONE))
        now = seen(machine, decode)
        if start.phase is not Phase.PLAYING or now.phase not in (Phase.PLAYING, Phase.LOCKED):
            continue
        assert (ahead.current, ahead.phase) == (now.current, now.phase)
        for name in ("drop_timer", "repeat", "held_buttons"):
            assert ahead.counters[name] == now.counters[name], name
        checked += 1
        locked += now.phase is Phase.LOCKED
    assert checked > 200
    assert locked > 10
    assert running(machine).players[0].pairs > 10


def test_nothing_in_flight_and_no_piece_in_the_air_change_nothing(ram: bytes) -> None:
    snapshot = Decoder(demo_map())(ram)
    assert predict(snapshot, (), FAMICOM_1991) is snapshot
    waiting = Decoder(demo_map())(with_bytes(ram, a615=5))
    assert predict(waiting, [Pad.LEFT], FAMICOM_1991) is waiting


def test_prediction_does_without_clocks() -> None:
    ram_map = strange_map()
    snapshot = seen(started(ram_map), Decoder(ram_map))
    ahead = predict(snapshot, [Pad.LEFT, Pad.NONE, Pad.LEFT], FAMICOM_1991)
    assert ahead.current == Piece(0, 0, 0)
    assert ahead.counters == snapshot.counters


def replaced(old: str, new: str) -> RamMap:
    assert old in DEMO
    return parse_map(DEMO.replace(old, new), "mine")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "  next_top: [0x68, 0x6A]\n",
            "",
            "The map mine lacks next_top for player 1: a pairs game needs these",
        ),
        ("[0x68, 0x6A]", "[0x68, none]", "The map mine lacks next_top for player 2: a pairs game needs these values."),
        (
            "  rows: 13",
            "  rows: 12",
            "The grid of the map mine has 12 rows, 6 columns and 1 hidden rows, but its",
        ),
        ("color_2: 0x02\n", "red: 0x02\n", "The map mine has no kinds color_2: name the colours of the cells so."),
        ("[[0, 0], [-1, 0]]", "[[0, 0], [-2, 0]]", "Orientation 1 in the map mine is no pair:"),
        ("[[0, 0], [-1, 0]]", "[[0, 0], [1, 0]]", "has no orientation whose other half is left of the pivot: a pairs"),
    ],
)
def test_a_map_the_family_cannot_read_is_refused_in_one_sentence(old: str, new: str, sentence: str) -> None:
    ram_map = replaced(old, new)
    with pytest.raises(MapError) as refused:
        check_pairs(ram_map)
    assert sentence in str(refused.value)
    with pytest.raises(MapError):
        Decoder(ram_map)


def test_maps_that_the_family_can_read() -> None:
    for ram_map in (demo_map(), strange_map(), learning()):
        check_pairs(ram_map)
