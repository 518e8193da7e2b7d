"""Pairs cartridges nobody knows: random codes, looks and habits over the simulator, and a hand that plays them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.decode.codes import PieceCodes
from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.rules import SATELLITE
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase
from tests.games.colours.puyo_maps import DEMO_VALUES, PHASES

Words = NDArray[np.uint16]
COLORS = [f"color_{number}" for number in range(1, 7)]
KINDS = ["empty", *COLORS, "nuisance", "wall", "popping"]
HEAD = f"""\
title: pairs of seed SEED
family: puyo
profile: famicom-1991
players: 2
rules: RULES
timing: TIMING
values:
{DEMO_VALUES}
game_counter: game_counter
grid:
  at: [0x0312, 0x0412]
  rows: 13
  columns: 6
  row_stride: 16
  column_stride: 2
  hidden: [[0x0302, 0x0402]]
  cell:
    bytes: 2
"""
TAIL = f"""\
{PHASES}
buttons: {{left: LEFT, right: RIGHT, rotate_clockwise: A, rotate_counterclockwise: B, soft_drop: DOWN, start: START}}
"""


@dataclass
class Stranger:
    """What is true of one cartridge."""

    seed: int
    mask: int
    codes: dict[str, list[int]]
    halves: dict[str, int]
    ids: list[int]  # raw orientation of each canonical one
    pivot: int  # 0 bottom, 1 top
    spawn: tuple[int, int, int]
    links: int  # bits of the word that show links, 0 for none
    moving: int  # bits of the word that an animation changes
    dirty: bool  # whether what vanishes leaves its looks behind
    restless: bool  # whether the animation moves empty cells as well
    gravity: Sequence[int] = (30, 27, 24, 21, 18, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2)
    rules: dict[str, Any] = field(default_factory=dict)
    waits: dict[str, int] = field(default_factory=dict)

    @property
    def truth(self) -> RamMap:
        """The map with everything."""
        return parse_map(self.truth_text, self.name)

    @property
    def truth_text(self) -> str:
        """Its text."""
        kinds = "\n".join(f"      {name}: {codes_text(self.codes[name])}" for name in KINDS[1:])
        cells = [[[0, 0], list(SATELLITE[turn])][:: -1 if self.pivot else 1] for turn in range(4)]
        pieces = "\n".join(
            f"  - {{id: {self.ids[turn]}, piece: pair, cells: {cells[turn]}, "
            f"clockwise: {self.ids[(turn + 1) % 4]}, counterclockwise: {self.ids[turn - 1]}}}"
            for turn in range(4)
        )
        halves = ", ".join(f"{name}: 0x{code:02X}" for name, code in self.halves.items())
        return self._text(
            f"    mask: 0x{self.mask:04X}\n    empty: {codes_text(self.codes['empty'])}\n    kinds:\n{kinds}\n"
            f"pieces:\n{pieces}\npiece_codes: {{{halves}}}\n",
            {"spawn": list(self.spawn), "death_cells": list(self.spawn[1:]), **self.rules},
            {"gravity": list(self.gravity), **self.waits},
        )

    @property
    def name(self) -> str:
        return f"pairs_{self.seed}"

    @property
    def open(self) -> RamMap:
        """The map as somebody would write it who knows the addresses only."""
        return parse_map(self.open_text, self.name)

    @property
    def open_text(self) -> str:
        kinds = "\n".join(f"      {name}: learn" for name in KINDS[1:] if name != "wall")
        text = f"    mask: learn\n    empty: learn\n    kinds:\n{kinds}\n"
        return self._text(text + "      wall: 0xFFFF\npieces: learn\npiece_codes: learn\n", {}, {})

    def _text(self, middle: str, rules: dict[str, Any], timing: dict[str, Any]) -> str:
        head = HEAD.replace("SEED", str(self.seed)).replace("RULES", text_of(rules)).replace("TIMING", text_of(timing))
        return head + middle + TAIL


def codes_text(codes: Sequence[int]) -> str:
    return "[" + ", ".join(f"0x{code:04X}" for code in codes) + "]"


def text_of(settings: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{key}: {str(value).lower()}" for key, value in settings.items()) + "}"


def stranger(seed: int) -> Stranger:
    """A cartridge by its seed."""
    rng = Random(seed)
    byte = 8 * rng.randrange(2)
    nibble = rng.choice([None, 0, 4])  # where the kind is within its byte; None: the whole byte
    if nibble is None:
        mask, links = 0xFF << byte, 0x0F << (8 - byte)
        values = rng.sample(range(256), 11)
    else:
        mask, links = 0x0F << byte + nibble, 0x0F << byte + (4 - nibble)
        values = [value << nibble for value in rng.sample(range(16), 11)]
    moving = rng.choice([0, 0x30, 0xC0]) << (8 - byte)
    words = [value << byte for value in values]
    codes = {name: [word] for name, word in zip(KINDS, words, strict=False)}
    codes["popping"].append(words[10])
    halves = dict(zip([*COLORS, "big", "carbuncle"], rng.sample(range(1, 256), 8), strict=True))
    origin, step = rng.randrange(4), rng.choice([1, 3])
    ids = [(origin + step * turn) % 4 for turn in range(4)]
    spawn = (rng.choice([0, 0, 2]), rng.randrange(1, 5), rng.choice([0, 0, 1]))
    steep = rng.randrange(1, 4)
    gravity = [max(2, 32 - rng.randrange(3) - steep * level) for level in range(16)]
    pivot, dirty, restless = rng.randrange(2), rng.random() < 0.3, rng.random() < 0.2
    return Stranger(seed, mask, codes, halves, ids, pivot, spawn, links, moving, dirty, restless, gravity)


MENUS = """\
menu:
  pace: 6
  asked:
    level: {from: 0, to: 15, default: 0}
    colors: {from: 4, to: 6, default: 5}
    items: {from: 0, to: 1, default: 1}
  steps:
    - {state: [title, over], tap: START}
    - {state: menu, tap: UP, until: {colors: {from: {asked: colors}}}}
    - {state: menu, tap: DOWN, until: {colors: {to: {asked: colors}}}}
    - {state: menu, tap: RIGHT, until: {start_level: {from: {asked: level}}}}
    - {state: menu, tap: LEFT, until: {start_level: {to: {asked: level}}}}
    - {state: menu, tap: A, until: {items: {asked: items}}}
    - {state: menu, tap: START}
"""


def open_with_menus(made: Stranger, known: bool = False) -> RamMap:
    """The map of somebody who knows the addresses and the menus; `known`: and all codes, but no rules and no clock."""
    if not known:
        return parse_map(made.open_text + MENUS, made.name)
    plain = replace(made, rules={}, waits={})
    text = re.sub(r"^timing: .*$", "timing: {}", plain.truth_text, flags=re.MULTILINE)
    return parse_map(text + MENUS, made.name)


class Looks:
    """The simulated cartridge with what a map does not tell: links, animation, popping codes that alternate."""

    def __init__(self, made: Stranger, rng: np.random.Generator | None = None) -> None:
        self.truth = made.truth
        self.machine = PuyoMachine(self.truth, rng)
        self.frame_rate = self.machine.frame_rate
        self.made = made
        self._frame = 0
        self._linked: list[tuple[bytes, Words]] = [(b"", np.zeros((0, 6), dtype=np.uint16))] * 2

    @property
    def ram(self) -> NDArray[Any]:
        return self.machine.ram

    @property
    def identity(self) -> str:
        return self.machine.identity

    def step(self, pads: Sequence[Pad]) -> None:
        self.machine.step(pads)
        self._frame += 1
        game = self.machine.game
        for player, base in enumerate((0x302, 0x402)):
            words: Words = self.ram[base : base + 14 * 16].view("<u2").reshape(14, 8)[:, :6]
            cells = np.zeros((14, 6), dtype=np.uint8) if game is None else game.players[player].cells
            self._row(player, cells, words, self._frame % 14)
            if self._frame % 4 == 0:
                self._alternate(words)

    def _row(self, player: int, cells: NDArray[np.uint8], words: Words, row: int) -> None:
        """One row of looks a frame, so that they lag behind the kinds."""
        made = self.made
        kinds, looks = cells[row], self._links(player, cells)[row]
        colored = (kinds >= 1) & (kinds <= 6)
        if made.moving:
            lifted = np.arange(6) % 3 == self._frame // 14 % 3
            looks = looks | np.where(lifted & (colored | made.restless), made.moving, 0).astype(np.uint16)
        shown = (kinds != 0) | (not made.dirty)
        own = made.links | made.moving
        words[row, shown] = (words[row, shown] & (0xFFFF ^ own)) | looks[shown]

    def _links(self, player: int, cells: NDArray[np.uint8]) -> Words:
        """The bits of each cell that show which neighbours are of its colour."""
        if self._linked[player][0] != (now := cells.tobytes()):
            framed = np.pad(cells, 1)
            looks = np.zeros(cells.shape, dtype=np.uint16)
            for bit, (dx, dy) in enumerate(SATELLITE):
                beside = framed[1 + dy : 15 + dy, 1 + dx : 7 + dx]
                looks |= ((beside == cells) & (cells >= 1) & (cells <= 6)).astype(np.uint16) << bit
            links = self.made.links
            low = max((links & -links).bit_length() - 1, 0)
            self._linked[player] = now, (looks << low & links).astype(np.uint16)
        return self._linked[player][1]

    def _alternate(self, words: Words) -> None:
        mask, (first, second) = self.made.mask, self.made.codes["popping"]
        popping = (words & mask == first) | (words & mask == second)
        words[popping] ^= np.uint16(first ^ second)


class Hand:
    """Plays one port by a learner: explores while it is blind, else takes some placement; checks every reading."""

    def __init__(self, looks: Looks, learner: Any, player: int = 0, seed: int = 0) -> None:
        self.looks, self.learner, self.player = looks, learner, player
        self.truth = looks.truth.reader(player)
        self.read = Decoder(looks.truth, player)
        self.rng = Random(seed)
        self.pairs = self.blind_pairs = 0
        self.moves: list[Pad] = []
        self.phase = Phase.UNKNOWN
        self.maps: list[RamMap] = []
        self.on_spawn: list[Callable[[bytes], None]] = []

    def pad(self) -> Pad:
        """The pad for the next frame, from this one's memory."""
        ram = self.looks.ram.tobytes()
        if (better := self.learner.observe(ram)) is not None:
            self.maps.append(better)
        before, (self.phase, _) = self.phase, self.truth.phase(ram)
        if self.phase in (Phase.MENU, Phase.OVER):
            return Pad.START if self.looks._frame % 8 == 0 and self.player == 0 else Pad.NONE
        if self.phase is not Phase.PLAYING:
            return Pad.NONE
        if before is not Phase.PLAYING:
            self._spawned(ram)
        if self.moves:
            return self.moves.pop(0)
        return Pad.DOWN

    def _spawned(self, ram: bytes) -> None:
        self.pairs += 1
        if self.learner.blind:
            self.blind_pairs += 1
            turns, column = self.learner.explore(self.read(ram))
        else:
            check_reading(self.learner.ram_map, self.looks.truth, ram, self.player)
            turns, column = self.rng.randrange(4), self.rng.choice([0, 1, 2, 3, 4, 5])
            turns, column = self._quiet(ram, turns, column)
        x = self.truth.value(ram, "x")
        presses = [Pad.A] * turns + [Pad.LEFT if column < x else Pad.RIGHT] * abs(column - x)
        self.moves = [pad for press in presses for pad in (press, Pad.NONE)]
        for hear in self.on_spawn:
            hear(ram)

    def _quiet(self, ram: bytes, turns: int, column: int) -> tuple[int, int]:
        """The lowest columns, so that games last."""
        heights = (self.truth.playfield(ram) != 0).sum(axis=0)
        if self.rng.random() < 0.8:
            column = int(np.argmin(heights))
        return turns, column


def check_reading(ram_map: RamMap, truth: RamMap, ram: bytes, player: int = 0) -> None:
    """What a map that was learnt says of a frame of play is true, up to the names of the colours, or not said."""
    own, real = PieceCodes(ram_map), PieceCodes(truth)
    halves = {own.kind(code): real.kind(code) for codes in truth.piece_codes.values() for code in codes}
    learnt = [kind for kind in halves if kind]
    assert len({halves[kind] for kind in learnt}) == len(learnt)
    reader, judge = ram_map.reader(player), truth.reader(player)
    names, truths = reader.kinds, judge.kinds
    number = {name: position for position, name in enumerate(truths)}
    meant = {name: name for name in ("empty", "nuisance")}
    for name, codes in ram_map.piece_codes.items():
        real_name = next(other for other, found in truth.piece_codes.items() if codes[0] in found)
        meant[name] = real_name
    for got, want in (
        (reader.playfield(ram), judge.playfield(ram)),
        (reader.hidden(ram), judge.hidden(ram)),
    ):
        for read, true in zip(got.ravel(), want.ravel(), strict=True):
            if read < len(names) and names[read] in meant:
                assert number[meant[names[read]]] == true, (names[read], truths[true])
    raw = judge.value(ram, "orientation")
    assert own.place(raw) is not None
    assert {entry.id: entry.cells for entry in ram_map.pieces} == {entry.id: entry.cells for entry in truth.pieces}
