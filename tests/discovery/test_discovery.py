"""Experiments find where a toy keeps its board and its piece; with what is learnt then, the bot plays it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main
from emubot.discovery import board
from emubot.discovery.arriving import reach_play
from emubot.discovery.axes import Axis
from emubot.discovery.draft import draft, value_of
from emubot.discovery.geometry import step_of
from emubot.discovery.lab import Lab
from emubot.discovery.screens import Teller
from emubot.discovery.survey import Survey, surveys
from emubot.errors import NotDiscovered, UsageError
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map, parse_map
from emubot.rammap.spaces import address_of
from tests.bridges.cores import require_core
from tests.cli.refusals import sentence
from tests.learn.remembering import RememberingBridge
from tests.toys import addresses as ram
from tests.toys.cartridge import build
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS
from tests.toys.toy import CLEARING, LOCKED, OVER, PLAYING, TITLE, Toy

# What experiments cannot find: a game whose pieces are on the floor in less than a second.
BEYOND = {"fast"}
FOUND = [name for name in TOYS if name not in BEYOND]
QUICK = ("upward",)  # its y counts upwards
MANY_PIECES = {"small", "sprite_board", "pentominoes"}  # up to 63 orientations: 100 pieces do not show them all


def found(name: str) -> Survey:
    return survey(ToyMachine(TOYS[name]))


def survey(machine: ToyMachine) -> Survey:
    lab = Lab(RememberingBridge(machine))
    first = next(surveys(lab, reach_play(lab, lambda _: None), lambda _: None))
    if isinstance(first, NotDiscovered):
        raise first
    return first


def drafted(name: str, made: Survey) -> RamMap:
    return parse_map(draft(made, name, "0" * 40), name)


def grid_of(toy: Toy) -> tuple[int, int, int, int, int]:
    lowest_first = toy.row_stride < 0
    corner = toy.address(toy.rows - 1 if lowest_first else 0, 0)
    return corner, toy.rows, toy.columns, abs(toy.row_stride), toy.column_stride


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in FOUND]
)
def test_a_toys_board_piece_and_screens_are_found(name: str) -> None:
    toy, made = TOYS[name], found(name)
    document = drafted(name, made).document
    grid = document.grid
    assert grid.at is not None
    assert (*grid.at, grid.rows, grid.columns, grid.row_stride, grid.column_stride) == grid_of(toy)
    assert grid.first_row == ("bottom" if toy.row_stride < 0 else "top")
    assert made.geometry.empty == toy.empty
    if not toy.sprites:
        indices = (made.column.index, made.row.index, *made.name.bytes)
        assert [address_of(each) for each in indices] == [ram.X, ram.Y, ram.PIECE]
        assert made.row.step == (-1 if toy.upward else 1)
    assert made.next_name is not None
    assert made.next_name.bytes == (ram.NEXT,)
    assert made.turns == [Pad.A, Pad.B]
    shown = made.phases
    assert shown.playing.whole
    assert shown.playing.numbers == {ram.STATE: (PLAYING,)}
    assert set(shown.between.numbers[ram.STATE]) <= {LOCKED, CLEARING}
    assert {screen.told.numbers[ram.STATE] for screen in shown.screens} >= {(OVER,), (TITLE,)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BEYOND))
def test_what_is_beyond_experiments_is_said(name: str) -> None:
    with pytest.raises(NotDiscovered, match=r"come to rest|Nothing moves|No bytes|do not hang together"):
        found(name)


def test_a_bridge_without_save_states_is_refused() -> None:
    with pytest.raises(UsageError, match="has no save states"):
        Lab(SimulatedBridge(ToyMachine(TOYS["plain"])))


class Lifting(ToyMachine):
    """A toy whose row goes up by two where a piece lies on its side, as its cells are told from elsewhere then."""

    def _write(self) -> None:
        super()._write()
        self.ram[[ram.Y, ram.OWN_Y]] = self.y + 10 - 2 * (self.shape % 2)


@pytest.mark.slow
def test_pieces_that_a_turn_lifts_are_collected_too() -> None:
    made = survey(Lifting(TOYS["narrow"]))
    assert len(made.shapes.orientations) == len(TOYS["narrow"].shapes)


class Noise(ToyMachine):
    """A machine of whose bytes some are noise, some stand still, and some follow the pad without being a piece."""

    def __init__(self, seed: int) -> None:
        super().__init__(TOYS["plain"])
        self._noise = seed
        self._x = self._y = 0

    def step(self, pads: Sequence[Pad]) -> None:
        self._noise = self._noise * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        rng = np.random.default_rng(self._noise)
        self.ram[0x100:] = rng.integers(256, size=0x700, dtype=np.uint8)
        held = pads[0]
        self._x += bool(held & Pad.RIGHT) - bool(held & Pad.LEFT)  # pixels, without walls
        self._y += 3 if held & Pad.DOWN else 1
        self.ram[1:4] = self._x % 256, self._y % 256, self._y // 4 % 256


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_noise_is_no_cartridge(seed: int) -> None:
    with pytest.raises(NotDiscovered, match=r"come to rest|Nothing moves|No bytes"):
        survey(Noise(seed))


@pytest.mark.jit
@pytest.mark.parametrize(("name", "pieces"), [pytest.param(name, 200, marks=pytest.mark.slow) for name in FOUND])
@pytest.mark.core("fceumm")
def test_an_unknown_cartridge_is_played_after_three_commands(
    name: str, pieces: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image, core = build(TOYS[name], tmp_path), str(require_core("fceumm"))
    first, whole = tmp_path / "draft.yaml", tmp_path / "whole.yaml"
    source = ["--rom", str(image), "--core", core]
    assert main(["maps", "discover", *source, "--out", str(first), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["rows"], facts["columns"]) == (TOYS[name].rows, TOYS[name].columns)
    many = ["--pieces", "600" if name in MANY_PIECES else "100"]
    assert main(["maps", "learn", *source, "--map", str(first), "--out", str(whole), "--probe", *many]) == 0
    capsys.readouterr()
    play = ["--map", str(whole), "--pieces", str(pieces), "--view", "none", "--emu-speed", "max"]
    assert main(["play", *source, *play, "--json"]) == 0
    tally = json.loads(capsys.readouterr().out)
    assert (tally["pieces"], tally["misplaced"]) == (pieces, 0)


@pytest.mark.slow
@pytest.mark.core("fceumm")
def test_a_game_of_colours_is_drafted_too(tmp_path: Path) -> None:
    out = tmp_path / "draft.yaml"
    core = str(require_core("fceumm"))
    assert main(["maps", "discover", "--demo", "capsules", "--core", core, "--out", str(out), "--quiet"]) == 0
    assert load_map(out).family == "matching"


@pytest.mark.slow
@pytest.mark.core("fceumm")
def test_a_game_that_no_rule_foretells_is_not_drafted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "draft.yaml"
    core = str(require_core("fceumm"))
    assert main(["maps", "discover", "--demo", "puyo", "--core", core, "--out", str(out), "--quiet"]) == 1
    assert "no rule of a known family foretells" in sentence(capsys)
    assert not out.exists()


def test_the_cartridge_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "discover"]) == 2
    assert "--rom FILE" in sentence(capsys)


def test_a_square_alone_fits_several_steps_from_row_to_row() -> None:
    square = frozenset((0x85, 0x86, 0x95, 0x96))
    assert board.row_steps(1, 10, [square]) == [15, 16, 17]
    upright = frozenset((0x75, 0x85, 0x86, 0x95))
    assert board.row_steps(1, 10, [square, upright]) == [16]


def test_a_row_is_not_as_far_from_the_next_as_a_stray_bit() -> None:
    flat = frozenset(range(5000, 5004))
    assert board.row_steps(1, 4, [flat, flat | {2000}, flat | {2008}]) == []
    upright = frozenset((5000, 5016, 5032, 2000))
    assert board.row_steps(1, 4, [flat, upright, upright]) == [16]


@pytest.mark.parametrize(
    ("places", "step"),
    [
        ([(10, 1), (11, 2), (13, 4)], 1),
        ([(20, 1), (22, 2), (26, 4)], 2),
        ([(32, 8), (33, 8), (35, 9), (37, 10), (38, 11)], 2),  # some locked half a row higher than others
        ([(38, 8), (35, 9), (33, 10), (32, 11)], -2),
        ([(32, 8), (39, 9), (40, 10), (61, 11)], None),
    ],
)
def test_what_a_row_adds_is_told_by_where_pieces_lie(places: list[tuple[int, int]], step: int | None) -> None:
    pairs = Counter((number - other, row - below) for number, row in places for other, below in places if row > below)
    assert step_of(pairs) == step


def test_numbers_below_zero_and_falls_across_zero_are_no_new_piece() -> None:
    rows = Axis(0, 1)
    frames = np.array([[254], [255], [0], [1], [253]], np.uint8)
    assert rows.jumps(frames).tolist() == [False, False, False, True]
    upwards = Axis(0, -1)
    assert upwards.jumps(frames[::-1]).tolist() == [True, False, False, False]


def test_a_condition_takes_as_many_bytes_as_it_needs() -> None:
    # Byte 0 is 4 in a game and on one menu; byte 1 is 1 while a piece is under control and on another menu.
    control = np.array([[4, 1, 7], [4, 1, 8]], np.uint8)
    waits = np.array([[4, 2, 7]], np.uint8)
    menus = np.array([[4, 0, 7], [0, 1, 8]], np.uint8)
    over = np.array([[4, 10, 7]], np.uint8)
    teller = Teller([control, waits, menus, over], set(), set())
    playing = teller.tell(control, np.concatenate([waits, over, menus]), fixed=True)
    assert (playing.numbers, playing.apart) == ({1: (1,), 0: (4,)}, 1)
    assert teller.tell(waits, np.concatenate([control, menus, over]), first=[1]).numbers == {1: (2,)}
    other = Teller([control, waits, menus, over], {1}, set())
    assert 1 not in other.tell(waits, np.concatenate([control, menus, over])).numbers


@pytest.mark.parametrize(
    ("axis", "offset", "expected"),
    [
        (Axis(0x60, 1), 0, "{ at: 0x60, format: signed }"),
        (Axis(0x60, -1), 19, "{ at: 0x60, offset: -19, scale: -1, format: signed }"),
        (Axis(0x60, 8), -3, "{ at: 0x60, offset: -24, divide: 8 }"),
        (Axis(0x60, -8), 20, "{ at: 0x60, offset: -160, scale: -1, divide: 8 }"),
    ],
)
def test_a_byte_becomes_a_column_or_a_row(axis: Axis, offset: int, expected: str) -> None:
    assert value_of(axis, offset) == expected
