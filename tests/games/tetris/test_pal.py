"""The PAL release: table, simulator and reach as in the facts; a map that differs from the other one in these alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.bridges.simulated import connect
from emubot.errors import RomError
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode.map_checks import profile_of
from emubot.games.tetris.family import GAME
from emubot.games.tetris.reach import Start, gravity_at, locks_of, reach
from emubot.games.tetris.rules import NES_PAL, PIECE_OF, SPAWN_ORIENTATION
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.timing import timing_of
from emubot.machine import FRAME_RATE_PAL
from emubot.pad import Pad
from emubot.rammap import load_map, map_for_identity
from emubot.tempo import parse_taps
from tests.families import whole_edition
from tests.games.tetris.test_reach import OUTERMOST, flat, lands_by_holding
from tests.paths import ROOT

PAL = timing_of(NES_PAL)
SHA1 = "66883B9EDDEC933E36B6BFF0479CEFD2434FFB40"
# Frames per row, from level to level: NES Tetris facts 3.1.
GRAVITY = (
    *((level, level, frames) for level, frames in enumerate((36, 32, 29, 25, 22, 18, 15, 11, 7, 5))),
    *((10, 12, 4), (13, 15, 3), (16, 18, 2), (19, 28, 1), (29, 40, 1)),
)


def in_control(level: int, **values: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """An O under control on an empty page."""
    state = np.zeros(len(reg.FIELDS), dtype=np.uint8)
    defaults = {"game_mode": 4, "game_mode_state": 2, "play_state": 1, "x": 5, "piece": 10, "next_piece": 10}
    for name, value in {**defaults, "vram_row": 32, "level": level, **values}.items():
        state[reg.FIELDS.index(name)] = value
    return state, np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)


@pytest.mark.jit
@pytest.mark.parametrize(("low", "high", "frames"), GRAVITY)
def test_gravity_is_that_of_the_table(low: int, high: int, frames: int) -> None:
    for level in range(low, high + 1):
        assert gravity_at(level, NES_PAL) == frames
        state, page = in_control(level)
        rows = []
        for _ in range(3 * frames):
            sim.step_frame(state, page, 0, 0, PAL)
            rows.append(int(state[reg.Y]))
        assert rows == [(frame + 1) // frames for frame in range(3 * frames)]


@pytest.mark.jit
def test_a_held_direction_moves_on_frames_1_13_17_21() -> None:
    state, page = in_control(0, x=9)
    moved = []
    for frame in range(1, 23):
        before = int(state[reg.X])
        sim.step_frame(state, page, 0x02 if frame == 1 else 0, 0x02, PAL)
        if state[reg.X] != before:
            moved.append(frame)
    assert moved == [1, 13, 17, 21]


@pytest.mark.jit
def test_the_first_piece_waits_76_frames_of_a_fiftieth_of_a_second() -> None:
    ram_map = load_map("nes_tetris_europe")
    machine = whole_edition(ram_map).simulator.machine(None)
    assert connect(machine=machine).facts.frame_rate == FRAME_RATE_PAL
    (autorepeat,), (row,) = ram_map.addresses("autorepeat_y"), ram_map.addresses("y")
    decode, frames = GAME.open(ram_map).decoder(), 0
    while decode(machine.ram.tobytes()).state != "playing":
        machine.step((Pad.START if frames % 8 == 0 else Pad.NONE, Pad.NONE))
        frames += 1
    assert machine.ram[autorepeat] == 180
    waited = 0
    while machine.ram[row] == 0:
        machine.step((Pad.NONE, Pad.NONE))
        waited += 1
    # The wait ends in the 76th frame; the piece falls in the next one, for its timer has long passed 36.
    assert waited == 77


@pytest.mark.jit
def test_prediction_repeats_a_held_direction_as_the_machine_does() -> None:
    ram_map = load_map("nes_tetris_europe")
    machine, decode, frames = whole_edition(ram_map).simulator.machine(None), GAME.open(ram_map).decoder(), 0
    while decode(machine.ram.tobytes()).state != "playing":
        machine.step((Pad.START if frames % 8 == 0 else Pad.NONE, Pad.NONE))
        frames += 1
    start = decode(machine.ram.tobytes())
    ahead = GAME.open(ram_map).predict(start, [Pad.LEFT] * 13).current
    for _ in range(13):
        machine.step((Pad.LEFT, Pad.NONE))
    assert ahead == decode(machine.ram.tobytes()).current
    assert start.current is not None
    assert ahead is not None
    assert ahead.column == start.current.column - 2, "in frames 1 and 13"


@pytest.mark.parametrize("kind", OUTERMOST)
@pytest.mark.parametrize("level", [15, 18, 19])
@pytest.mark.parametrize(("text", "every"), [("12hz", 5), ("30hz", 2)])
def test_tap_rates_are_frames_here_too(kind: tuple[int, int], level: int, text: str, every: int) -> None:
    """Facts 7: before its drop in frame f the piece is in row (f - 1) // gravity; shift k is in frame 1 + (k - 1) P."""
    shifts, below = kind
    for orientation, column in OUTERMOST[kind]:
        start = Start(int(SPAWN_ORIENTATION[PIECE_OF[orientation]]))

        def lands(height: int, start: Start = start, place: tuple[int, int] = (orientation, column)) -> bool:
            found = reach(flat(height), start, gravity_at(level, NES_PAL), parse_taps(text), NES_PAL)
            return any((one[0], one[1]) == place for one in locks_of(found, start.piece))

        expected = 19 - below - (shifts - 1) * every // gravity_at(level, NES_PAL)
        assert highest(lands) == max(-1, expected)


@pytest.mark.jit
@pytest.mark.parametrize("kind", OUTERMOST)
@pytest.mark.parametrize("level", [15, 18, 19])
@pytest.mark.parametrize("charge", [12, 8, 0])
def test_a_held_direction_repeats_every_4_frames_after_12(kind: tuple[int, int], level: int, charge: int) -> None:
    """The same with DAS: a full charge shifts in frames 1, 5, 9, another one in 12 - charge and every 4 after it."""
    shifts, below = kind
    last = max(1, 12 - charge) + 4 * (shifts - 1)
    for orientation, column in OUTERMOST[kind]:
        expected = 19 - below - (last - 1) // gravity_at(level, NES_PAL)

        def lands(height: int, place: tuple[int, int] = (orientation, column)) -> bool:
            return lands_by_holding(flat(height), *place, charge, level, NES_PAL)

        assert highest(lands) == max(-1, expected)


def highest(lands: Callable[[int], bool]) -> int:
    """The height of the highest flat stack over which a piece lands, -1 if not even over an empty board."""
    return next((height for height in range(19, -1, -1) if lands(height)), -1)


def test_the_map_is_that_of_the_other_release_but_for_its_identity_and_timing() -> None:
    usa, europe = (load_map(f"nes_tetris_{name}").document.model_dump() for name in ("usa", "europe"))
    assert {key for key in usa if usa[key] != europe[key]} == {"title", "profile", "identities", "refuses", "timing"}
    texts = [(ROOT / "ram_maps" / f"nes_tetris_{name}.yaml").read_text(encoding="utf-8") for name in ("usa", "europe")]
    usa_values, europe_values = (text.partition("\nvalues:\n")[2] for text in texts)
    assert usa_values == europe_values != "", "and so are its comments"
    assert profile_of(load_map("nes_tetris_europe")) is NES_PAL


@pytest.mark.parametrize("digest", [SHA1, "FDFF80D5", "simulated:nes_tetris_europe"])
def test_the_cartridge_has_its_map(digest: str) -> None:
    assert map_for_identity(digest).name == "nes_tetris_europe"


def test_neither_map_can_be_forced_on_the_other_release() -> None:
    usa, europe = load_map("nes_tetris_usa"), load_map("nes_tetris_europe")
    for digest, ram_map, release in ((SHA1, usa, "PAL"), (usa.identities[0].sha1, europe, "NTSC")):
        with pytest.raises(RomError, match=re.escape(f"it is the {release} release, whose timing differs")):
            map_for_identity(digest, [ram_map])
