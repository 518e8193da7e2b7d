"""The engine that is measured is the one that plays: the demo cartridge in a core against the untimed games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from emubot.bridges.libretro import connect
from emubot.demos import image
from emubot.games.strength import Strength
from emubot.games.tetris.board.board import BOARD_ROWS, lock
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.generator import deal
from emubot.games.tetris.rules import LINE_POINTS, NES_NTSC, PIECE_OF
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import engine_for
from emubot.games.tetris.trials.untimed import place, scratch
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import load_map
from emubot.snapshot import Placement
from emubot.tempo import parse_taps
from emubot.weights import load_weights
from tests.bridges.cores import in_each_core, require_core

LEVEL = 18
TEMPO = parse_taps("12hz")
MAP = load_map("nes_tetris_usa")

pytestmark = pytest.mark.jit


class Placed(NamedTuple):
    """A piece, the one shown beside it, and where it was placed: orientation, column, row."""

    piece: int
    following: int
    place: tuple[int, int, int]


def in_the_core(name: str, pieces: int, nodes: int, wait: int = 0) -> list[Placed]:
    """The first pieces of a game on the cartridge, or all if it ends before."""
    decode, found = TetrisDecoder(MAP), list[Placed]()
    with connect(rom=image("tetris"), core=str(require_core(name)), emu_speed=None) as bridge:
        pilot = Pilot(
            bridge, Goal(pieces, 1, {"level": LEVEL}, wait), skill=Skill(tempo=TEMPO, strength=Strength(nodes))
        )

        def note(chosen: Placement) -> None:
            shown = decode(bridge.read("ram", 0, 2048))
            assert shown.current is not None
            piece, following = int(PIECE_OF[shown.current.orientation]), int(PIECE_OF[shown.next[0]])
            found.append(Placed(piece, following, (chosen.orientation, chosen.column, chosen.row)))

        pilot.on_plan.append(note)
        tally = pilot.run()
    assert (tally.misplaced, tally.replans) == (0, 0)
    return found


def points_of(placed: list[Placed]) -> int:
    """The points of the lines, without soft drop."""
    rows, level, lines, points = np.zeros(BOARD_ROWS, dtype=np.uint16), LEVEL, 0, 0
    for _, _, (orientation, column, row) in placed:
        cleared = int(lock(rows, orientation, column, row))
        level = int(level_after(level, lines, cleared))
        lines += cleared
        points += LINE_POINTS[cleared] * (level + 1)
    return points


@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize(("pieces", "nodes"), [(40, 1500), pytest.param(400, 25_000, marks=pytest.mark.slow)])
def test_the_same_pieces_get_the_same_places(name: str, pieces: int, nodes: int) -> None:
    """`evaluate` plays without frames; given the pieces that the cartridge dealt it builds the same board."""
    placed = in_the_core(name, pieces, nodes)
    assert len(placed) == pieces
    engine, memory = engine_for(load_weights("nes_tetris"), TEMPO, NES_NTSC, nodes), scratch()
    rows, expected = (np.zeros(BOARD_ROWS, dtype=np.uint16) for _ in range(2))
    level, lines, total = LEVEL, 0, 0
    for number, (piece, following, there) in enumerate(placed):
        cleared, level, points, _ = place(rows, piece, following, level, lines, engine, memory, 1)
        lock(expected, *there)
        assert rows.tolist() == expected.tolist(), f"piece {number}"
        lines += cleared
        total += points
    assert total == points_of(placed)


@pytest.mark.slow
@in_each_core("name", quick="fceumm")
def test_the_mean_in_the_core_is_in_the_simulators_interval(name: str) -> None:
    """Points of 250 pieces, some 100 lines: the 95 % interval for the mean of so many games."""
    games, pieces, nodes = 8, 250, 1500
    real = [points_of(in_the_core(name, pieces, nodes, wait=37 * number)) for number in range(games)]
    untimed = [untimed_points(seed, pieces, nodes) for seed in range(100)]
    spread = np.std(untimed, ddof=1) * np.sqrt(1 / games + 1 / len(untimed))
    assert abs(np.mean(real) - np.mean(untimed)) < 1.96 * spread


def untimed_points(seed: int, pieces: int, nodes: int) -> int:
    rng, rows = np.random.default_rng(seed), np.zeros(BOARD_ROWS, dtype=np.uint16)
    engine, memory = engine_for(load_weights("nes_tetris"), TEMPO, NES_NTSC, nodes), scratch()

    def dealt(before: int) -> int:
        return int(deal(before, int(rng.integers(0, 8)), int(rng.integers(0, 8))))

    piece = dealt(-1)
    following = dealt(piece)
    level, lines, total = LEVEL, 0, 0
    for _ in range(pieces):
        cleared, level, points, _ = place(rows, piece, following, level, lines, engine, memory, 1)
        if cleared < 0:
            break
        lines += cleared
        total += points
        piece, following = following, dealt(following)
    return total
