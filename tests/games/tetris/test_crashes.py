"""The crashes of high levels: the two public documents against each other, locks against a slow count, games, pads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import UsageError
from emubot.games.strength import Strength
from emubot.games.tetris.board.board import Rows, legal_columns
from emubot.games.tetris.crashes import LockCount, count_of, crash_chance, cycles_of, fill_risks
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import DX, DY, HIDDEN_PIECE, NES_NTSC
from emubot.games.tetris.search.caution import FRAMES_DOWN, Caution, Way, taken
from emubot.games.tetris.search.search import Position
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import load_map
from emubot.snapshot import Placement, Step
from emubot.tempo import parse_taps
from emubot.weights import load_weights
from tests.families import whole_game

TABLES = (0, 60, 162, 222, 323, 383, 502, 562)  # cycles from the first jump table to each
WINDOW = [*range(29_739, 29_745), *range(29_750, 29_769)]
TEMPO = parse_taps("30hz")

# Of HydrantDude's sheet: the cycle, and what locks then. Lines (of 0: h is a Z that lies flat, v any piece but T, J and
# such a Z), + with the flash of a Tetris, T where the level rises, the level, C if a counter rolls over, P or p after a
# long or a short soft drop, N with the next piece hidden. Five entries are left out: the sheet has them twice, or they
# differ from their neighbours.
SHEET = {
    29731: "1-T156C 3-T168 2-T169 4-T169p 4+168C 0-250p 0-254P",
    29732: "4+169P 3-175N 2-176N 0h-255 0v-253",
    29733: "1-157p 1-158C 1-159P 1-T159 4-T165p 0v-247p",
    29734: "3-170C 2-171C 3-171P 3-171N 2-172P 2-172N 3-T171C 2-T172C 0v-250P 0h-253N",
    29735: "4-T167P 0-248P 0h-252P",
    29736: "1-161N 3-167P 2-168P 4-169p 3-T167C 2-T168C 4+T169p 0h-249 0v-255",
    29738: "4+T165p 0v-253N",
    29739: "4-169 4-T170 0h-250p 0v-252P 0h-254P",
    29740: "3-172N 2-173N 4+T167P 0v-249 0-254p",
    29741: "1-156C 4+169p 3-T173N 2-T174N",
    29742: "1-159p 3-T168C 2-T169C",
    29743: "3-T169P 2-T170P 3-171p 2-172p 0h-248P 0v-250p 0v-254P",
    29744: "1-159N 1-T159C 4-T167p 4+169 4+T170 0-248p 0h-252p",
    29745: "2-168p",
    29747: "1-157 1-T162N 4-T167 3-169P 2-170P 0v-248P",
    29748: "4-174N 0v-252p 0h-254p",
    29749: "4+T167p 0-254N",
    29750: "4-170P 4-169C 4-170N 4-T170C",
    29751: "1-T155 3-172 2-173",
    29752: "4-166P 4+T167 3-T169p 2-T170p 0v-254p",
    29753: "4-T166 3-168 2-169 4+174N",
    29755: "4+170P 4+169C 4+170N 4+T170C",
    29756: "3-169p 2-170p 4-171N 0v-248p",
    29757: "1-T156P 4+166P 4-T172N 0h-254N",
}
# The same sheet: the odds of a crash in percent, by that cycle.
ODDS = {
    **{29731: 1.67, 29732: 9.17, 29733: 23.33, 29734: 40.0, 29735: 56.67, 29736: 73.33, 29737: 86.67, 29738: 88.33},
    **{29739: 76.67, 29740: 60.0, 29741: 43.33, 29742: 28.33, 29743: 20.83, 29744: 25.83, 29745: 40.0, 29746: 56.67},
    **{29747: 73.33, 29748: 88.33, 29749: 97.5, 29750: 100.0, 29751: 100.0},
}


def counted(**more: int) -> LockCount:
    usual = dict.fromkeys(LockCount._fields, 0) | {"level": 100, "piece": 0, "block": -1, "shown": 1}
    return LockCount(**(usual | more))


def listed(entry: str) -> LockCount:
    found = re.fullmatch(r"(\d)([hv]?)([-+])(T?)(\d+)([CPpN]?)", entry)
    assert found is not None, entry
    lines, level, rises = int(found[1]), int(found[5]), int(found[4] == "T")
    return counted(
        cleared=lines,
        low_rows=lines,
        level=level,
        tens=rises,
        hundreds=int(rises and level % 10 == 6),  # 1,500 and 1,600 lines of a game from level 18 on
        risen=rises,
        carried=int(found[6] == "C"),
        piece=HIDDEN_PIECE if lines else {"": 0, "h": 8, "v": 9}[found[2]],
        shown=int(found[6] != "N"),
        dropped={"P": 8, "p": 2}.get(found[6], 0),
        flash=int(found[3] == "+"),
    )


@pytest.mark.parametrize(("cycle", "entry"), [(cycle, entry) for cycle in SHEET for entry in SHEET[cycle].split()])
def test_each_lock_of_the_sheet_is_as_late_as_it_says_at_one_of_the_tables(cycle: int, entry: str) -> None:
    assert cycle - cycles_of(listed(entry)) in TABLES


@pytest.mark.parametrize(("cycle", "percent"), ODDS.items())
def test_the_odds_of_a_crash_are_those_of_the_sheet(cycle: int, percent: float) -> None:
    assert round(100 * crash_chance(cycle), 2) == percent


@given(st.integers(25_000, 35_000))
def test_a_crash_needs_a_table_that_the_blank_can_meet(cycles: int) -> None:
    reached = {(table, cycles + offset + case) for table, offset in enumerate(TABLES) for case in range(9)}
    meets = {at for table, at in reached if at in WINDOW and not (at >= 29_763 and table in (1, 5))}
    assert (crash_chance(cycles) > 0) == bool(meets)


def slow_count(rows: Rows, place: Sequence[int], lines: int, level: int, shown: int, dropped: int) -> LockCount:
    """The count of a lock that fills no row 0, cell by cell."""
    orientation, column, row = place
    board = {(x, index - 2) for index in range(22) for x in range(10) if int(rows[index]) >> x & 1}
    fast = any(y == 5 for _, y in board)
    board |= {(column + int(x), row + int(y)) for x, y in zip(DX[orientation], DY[orientation], strict=True)}
    full = [y for y in range(20) if all((x, y) in board for x in range(10))]
    kept = {(x, y + sum(other > y for other in full) if y >= 0 else y) for x, y in board if y not in full}
    blocks = sorted(x for x, y in kept if y == 5)
    ten = (lines + len(full)) // 10 > lines // 10
    after = (lines + len(full)) // 10
    rises = ten and (level - (after // 10 * 16 + after % 10)) % 256 >= 128
    return counted(
        cleared=len(full),
        low_rows=sum(y >= 11 for y in full),
        level=(level + rises) % 256,
        tens=int(ten),
        hundreds=int((lines + len(full)) // 100 > lines // 100),
        risen=int(rises),
        piece=HIDDEN_PIECE if full else orientation,
        block=blocks[0] if blocks else -1,
        was_fast=int(fast),
        shown=shown,
        dropped=2 * dropped,
    )


def a_lock(rng: np.random.Generator) -> tuple[Rows, tuple[int, int, int]]:
    """A board with many cells, and a piece somewhere on it that fills no row 0."""
    while True:
        rows = np.zeros(22, dtype=np.uint16)
        for index in range(int(rng.integers(4, 22)), 22):
            rows[index] = 1023 & ~(1 << int(rng.integers(10))) & ~int(rng.integers(1024) if rng.random() < 0.3 else 0)
        orientation, row = int(rng.integers(19)), int(rng.integers(3, 20))
        columns = [x for x in range(10) if int(legal_columns(rows, orientation, row)) >> x & 1]
        if columns:
            return rows, (orientation, int(rng.choice(columns)), row)


@pytest.mark.few(1)
@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1), st.integers(0, 159), st.integers(120, 255), st.integers(0, 1), st.integers(0, 1))
def test_what_a_lock_makes_the_program_count(seed: int, tens: int, level: int, shown: int, dropped: int) -> None:
    rng = np.random.default_rng(seed)
    rows, place = a_lock(rng)
    lines = 10 * tens + int(rng.integers(10))
    before = rows.copy()
    assert LockCount(*count_of(rows, *place, lines, level, shown, dropped)) == slow_count(
        before, place, lines, level, shown, dropped
    )
    assert (rows == before).all()


def test_a_risk_is_the_worse_of_what_is_not_known() -> None:
    rng, seen = np.random.default_rng(3), 0
    for _ in range(400):
        rows, place = a_lock(rng)
        level, lines = int(rng.integers(150, 256)), int(rng.integers(1400, 3400))
        risks = np.zeros((1, 2, 2))
        fill_risks(rows, np.array([place]), lines, level, risks)
        for dropped, shown in np.ndindex(2, 2):
            count = slow_count(rows, place, lines, level, shown, dropped)
            carries = (0, 1) if count.cleared and not dropped else (0,)
            flashes = (0, 1) if count.cleared == 4 else (0,)
            cases = [count._replace(carried=carried, flash=flash) for carried in carries for flash in flashes]
            assert risks[0, dropped, shown] == max(crash_chance(cycles_of(case)) for case in cases)
            seen += risks[0, dropped, shown] > 0
    assert seen > 20


def a_z(level: int, row: int = 0) -> Position:
    """A Z in the air over an empty board."""
    return Position(np.zeros(22, dtype=np.uint16), Start(8, row=row), 10, level, 13 * level)


FLAT, UPRIGHT = (8, 5, 18), (9, 5, 18)


@pytest.mark.jit
@pytest.mark.parametrize(
    ("level", "place", "way"),
    [
        (153, FLAT, None),
        (200, FLAT, None),
        (249, FLAT, Way(hidden=True)),
        (253, FLAT, Way()),
        (253, UPRIGHT, Way(dropped=True)),
        (254, UPRIGHT, Way()),
    ],
)
def test_the_way_past_a_crash_is_the_one_that_does_least(level: int, place: Any, way: Way | None) -> None:
    assert Caution(TEMPO, NES_NTSC).way(a_z(level), place) == way


@pytest.mark.jit
def test_a_lock_that_may_crash_is_chosen_only_if_all_may() -> None:
    caution, locks = Caution(TEMPO, NES_NTSC), np.array([UPRIGHT, FLAT])
    values = np.array([2.0, 1.0])
    assert caution.choose(a_z(253), locks, values, 0) == 0, "there is time for a soft drop"
    assert values.tolist() == [2.0, 1.0]
    assert caution.choose(a_z(253, row=15), locks[:1], values[:1], 0) == 0, "there is no other"
    assert caution.choose(a_z(253, row=15), locks, values, 0) == 1
    assert values.tolist() == [2.0 + DEAD, 1.0]
    assert caution.choose(a_z(153, row=15), locks, np.array([1.0, 2.0]), 0) == 0, "what the search chose stays"


def test_the_buttons_of_a_way() -> None:
    steps = tuple(Step(pad, 8, 5, row) for row, pad in enumerate([Pad.LEFT] + [Pad.NONE] * 9))
    placement = Placement(8, 5, 9, steps)
    pads = [step.pad for step in taken(placement, Way(hidden=True, dropped=True), False).timeline]
    assert pads == [Pad.LEFT | Pad.SELECT, *[Pad.NONE] * 4, *[Pad.DOWN] * FRAMES_DOWN]
    assert taken(placement, Way(hidden=True), True).timeline == steps, "it is hidden already"
    assert taken(placement, Way(), True).timeline[0].pad == Pad.LEFT | Pad.SELECT, "shown again"
    assert taken(placement, Way(hidden=True), None).timeline == steps, "nobody knows whether it is hidden"


@pytest.mark.jit
def test_who_plays_to_survive_plays_around_the_crashes() -> None:
    options = {"taps": "30hz", "start_level": 154, "start_lines": 1480, "stop_lines": 1560, "nodes": 1}
    figures, results = {}, {}
    for aim in ("lines", "survive"):
        trial = nes_trial({**options, "crashes": True, "aim": aim})
        figures[aim], results[aim] = trial.figures, trial.play([load_weights("nes_tetris")], range(6))
    assert figures["lines"][-2:] == ("reborn", "crashed")
    assert results["lines"][:, -1].sum() >= 4, "without caution hardly a game gets by level 155"
    assert results["survive"][:, -1].sum() == 0
    plain = nes_trial({**options, "aim": "lines"})
    assert "crashed" not in plain.figures
    assert plain.play([load_weights("nes_tetris")], [0])[0, 1] > results["lines"][0, 1], "nothing crashes unasked"


@pytest.mark.jit
def test_level_0_comes_after_level_255() -> None:
    trial = nes_trial(
        {"taps": "30hz", "start_level": 254, "start_lines": 3280, "stop_lines": 3310, "nodes": 1, "crashes": True}
        | {"aim": "survive"}
    )
    results = trial.play([load_weights("nes_tetris")], range(3))
    assert results[:, -2].sum() >= 2
    assert results[:, -1].sum() == 0


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        ("nes-pal", {}, "The crashes of nes-pal are not known"),
        ("nes-ntsc", {"type": "b"}, "in B-type the level stays: leave out --crashes"),
    ],
)
def test_games_without_crashes_say_so(rules: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        nes_trial({"crashes": True, **options}, rules)


class Watched(TetrisMachine):
    """A simulated cartridge that notes what each count in its own bytes amounts to."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.counts: list[LockCount] = []
        self._fast = 0

    def step(self, pads: Sequence[Pad]) -> None:
        state, page = self._state.copy(), self._page.copy()
        sim.nmi_part(state)
        super().step(pads)
        if state[reg.PLAY_STATE] != 5 or self._state[reg.PLAY_STATE] != 6:
            return
        s, cleared = self._state, int(state[reg.COMPLETED_LINES])
        blocks = [x for x in range(10) if page[50 + x] < reg.EMPTY]
        self.counts.append(
            counted(
                cleared=cleared,
                low_rows=int((state[reg.COMPLETED_ROW : reg.COMPLETED_ROW + 4] >= 11).sum()),
                level=int(s[reg.LEVEL]),
                tens=int(s[reg.LINES_LO] >> 4 != state[reg.LINES_LO] >> 4),
                hundreds=int(s[reg.LINES_HI] != state[reg.LINES_HI]),
                risen=int(s[reg.LEVEL] != state[reg.LEVEL]),
                carried=int(any(s[reg.SINGLES + kind] & 15 < state[reg.SINGLES + kind] & 15 for kind in range(4))),
                piece=int(state[reg.PIECE]),
                block=blocks[0] if blocks else -1,
                was_fast=self._fast,
                shown=1 - self._next_hidden,
                dropped=int(state[reg.HOLD_DOWN]),
                flash=int(cleared == 4),
            )
        )
        self._fast = int(bool(blocks))


@pytest.mark.jit
@pytest.mark.parametrize(
    ("level", "lines"),
    [
        pytest.param(155, 1490, marks=pytest.mark.slow),
        pytest.param(168, 1620, marks=pytest.mark.slow),
        (253, 3270),
        pytest.param(255, 3290, marks=pytest.mark.slow),
    ],
)
def test_on_the_cartridge_buttons_bring_each_piece_past_the_crash(level: int, lines: int) -> None:
    game = whole_game("tetris")
    ram_map, pieces = load_map(game.facts.default_map), 25
    risks = {}
    for aim in ("lines", "survive"):
        machine = Watched(ram_map, np.random.default_rng(level))
        machine.begin(level)
        machine._state[reg.LINES_HI], machine._state[reg.LINES_LO] = lines // 100, lines // 10 % 10 << 4
        skill = Skill(load_weights(game.facts.default_weights), TEMPO, Strength(nodes=20, aim=aim))
        pilot = Pilot(SimulatedBridge(machine), Goal(pieces, games=1), game.open(ram_map), skill)
        pilot.run()
        assert (pilot.tally.pieces, pilot.tally.misplaced, pilot.tally.replans) == (pieces, 0, 0)
        assert len(machine.counts) >= pieces - 1
        risks[aim] = [crash_chance(cycles_of(count)) for count in machine.counts]
    assert sum(risks["survive"]) == 0, [n for n, risk in enumerate(risks["survive"]) if risk]
    assert sum(risks["lines"]) > 0 or level < 200, "what clears no line crashes at the highest levels alone"
