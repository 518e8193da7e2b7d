"""Findings of colour games: images are read by them as the generator's own reading has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emubot.bridges.libretro import connect
from emubot.discovery.colours.findings import EMPTY, UNKNOWN
from emubot.discovery.lab import Lab
from tests.bridges.cores import require_core
from tests.discovery.colours.known import known_findings
from tests.toys.strangers.colours import build, colour_stranger
from tests.toys.strangers.colours.reading import Reading
from tests.toys.strangers.colours.stranger import Stranger
from tests.toys.strangers.colours.watched import mash

# Links; half bytes and pixels; half bytes in another order; a place of cells; turns that exchange the halves.
SEEDS = [pytest.param(seed, marks=[pytest.mark.slow] if seed not in (1, 3) else []) for seed in range(40)]


@pytest.mark.core("fceumm")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_generator_knows_reads_a_game_as_it_does(seed: int, tmp_path: Path) -> None:
    stranger = colour_stranger(seed)
    with connect(rom=build(stranger, tmp_path), core=str(require_core("fceumm")), emu_speed=None) as bridge:
        lab = Lab(bridge)
        findings = known_findings(stranger, lab)
        pads = mash(np.random.default_rng(seed))
        images = lab.replay(findings.play, [next(pads) for _ in range(700)])
    field, piece = findings.field, findings.piece
    numbers, cells, kinds, sides = piece.numbers(images), piece.cells(images), field.kinds(images), field.sides(images)
    compared, entering = 0, False
    for at, image in enumerate(images):
        reading = Reading(stranger, image.tobytes())
        entered, entering = entering, reading.mode == "play" and not reading.is_controlled
        if reading.mode != "play" or not reading.is_controlled:
            continue
        compared += 1
        own = reading.piece.cells(stranger)
        assert [tuple(cell) for cell in cells[at]] == [(x, y + stranger.play.hidden) for (y, x), _ in own]
        assert piece.kinds(images)[at].tolist() == [kind for _, kind in own]
        if reading.next:
            assert piece.kinds(images, upcoming=True)[at].tolist() == [*reading.next]
        if entered:
            assert (numbers[at], int(piece.column.of(images)[at]), int(piece.row.of(images)[at])) == piece.spawn
        if not field.drawn:
            _same_field(stranger, reading, kinds[at], sides[at])
    assert compared > 100


def _same_field(stranger: Stranger, reading: Reading, kinds: np.ndarray, sides: np.ndarray) -> None:
    for (row, column), kind in np.ndenumerate(kinds):
        expected, side = reading.field.get((row - stranger.play.hidden, column), (EMPTY, 0))
        assert kind == (expected if expected <= stranger.play.colors else UNKNOWN)
        assert sides[row, column] == side
