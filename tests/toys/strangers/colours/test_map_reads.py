"""The map of a stranger of colours reads in each frame what its generator knows: so a wrong truth is noticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emubot import games
from emubot.bridges.libretro import connect
from emubot.games.colours.board.turning import pair_cells, piece_cells
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase, Snapshot
from tests.bridges.cores import require_core
from tests.toys.strangers.colours import build, colour_stranger, map_text
from tests.toys.strangers.colours.reading import TARGET, Field, Reading
from tests.toys.strangers.colours.stranger import PAIRS, Stranger
from tests.toys.strangers.colours.watched import watched

PHASES = {"menu": Phase.MENU, "demo": Phase.MENU, "over": Phase.OVER, "paused": Phase.PAUSED, "won": Phase.CLEARING}


class Compared:
    """Compares a player's snapshot of each frame with the reading of it."""

    def __init__(self, stranger: Stranger, ram_map: RamMap, player: int) -> None:
        edition = games.game(ram_map.document.family).open(ram_map)
        self.stranger, self.player, self.controlled = stranger, player, 0
        self._decode: Callable[[bytes], Snapshot] = edition.decoder(player)
        self._names = [name for name in ("score", "chain") if name in ram_map.reader(player).scalars]
        self._numbers = ram_map.reader(player).select(tuple(self._names))

    def see(self, reading: Reading) -> None:
        """One frame."""
        snapshot = self._decode(reading.memory)
        if reading.mode in PHASES:
            assert snapshot.phase is PHASES[reading.mode]
            return
        assert (snapshot.phase is Phase.PLAYING) == reading.is_controlled
        if not reading.is_controlled:
            assert snapshot.phase in (Phase.LOCKED, Phase.CLEARING)
            return
        self.controlled += 1
        assert self._cells(snapshot) == {(cell, kind) for cell, kind in reading.piece.cells(self.stranger)}
        assert _field(snapshot) == {cell: _value(self.stranger, *value) for cell, value in reading.field.items()}
        assert sorted(snapshot.next) == sorted(reading.next)
        known = {"score": reading.score, "chain": reading.byte("P_CHAIN")}
        assert self._numbers(reading.memory) == tuple(known[name] for name in self._names)

    def _cells(self, snapshot: Snapshot) -> set[tuple[tuple[int, int], int]]:
        counters, piece = snapshot.counters, snapshot.current
        assert piece is not None
        if self.stranger.play.kind == PAIRS:
            cells = pair_cells((counters["pivot"], counters["satellite"]), piece)
        else:
            parts = range(1, 1 + self.stranger.play.parts)
            cells = piece_cells(tuple(counters[f"kind_{part}"] for part in parts), piece)
        return {((cell.row, cell.column), cell.kind) for cell in cells}


def _field(snapshot: Snapshot) -> Field:
    """Returns the filled cells of a snapshot."""
    links = getattr(snapshot, "links", None), getattr(snapshot, "hidden_links", None)
    found: Field = {}
    for kinds, sides, first, step in ((snapshot.playfield, links[0], 0, 1), (snapshot.hidden, links[1], -1, -1)):
        for (row, column), kind in [(place, int(kinds[place])) for place in zip(*kinds.nonzero(), strict=True)]:
            link = 0 if sides is None else int(sides[row, column])
            found[first + step * int(row), int(column)] = (kind, link)
    return found


def _value(stranger: Stranger, kind: int, link: int) -> tuple[int, int]:
    """Returns a kind of the engine as the family has it."""
    return (kind + 2 if kind > TARGET else kind), (link if stranger.play.joined else 0)


@pytest.mark.core("fceumm")
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] if seed >= 8 else []) for seed in range(120)]
)
def test_the_map_reads_what_the_generator_knows(seed: int, tmp_path: Path) -> None:
    stranger = colour_stranger(seed)
    ram_map = parse_map(map_text(stranger), stranger.name)
    compared = [Compared(stranger, ram_map, player) for player in range(stranger.play.players)]
    with connect(rom=build(stranger, tmp_path), core=str(require_core("fceumm")), emu_speed=None) as bridge:
        watched(stranger, bridge, frames=900, listeners=compared)
    assert compared[0].controlled
