"""Thinking ahead at pairs: the next decision is ready when its pair comes, and it is the one made without it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games import ahead as ahead_of_games
from emubot.games.colours.board.words import checked_cells
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.upcoming import at_spawn, coming_pairs, next_pairs, possible_pairs, unordered
from emubot.games.colours.rules import BIG, COLUMNS, FAMICOM_1991, NUISANCE
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.two_plies import lock_cells
from emubot.games.strength import Strength
from emubot.games.thinker import EngineThinker, Ranking
from emubot.pilot import Goal, Match, Pilot, Skill
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.tempo import InputState, tempo_for_speed
from emubot.weights import load_weights
from tests.families import whole_edition, whole_game
from tests.games.colours.puyo_maps import strange_map
from tests.games.colours.test_pilot import begin
from tests.games.watched import Watched, at_once, never

GAME = whole_game("puyo")
MAP = load_map(GAME.facts.default_map)
RULES = FAMICOM_1991
TEMPO = tempo_for_speed(10)
VERSUS = 2
Begin = Callable[[Callable[[], None]], None]


class Played(NamedTuple):
    """What is compared: each player's placements with their values and frames, and the fields made."""

    placements: list[tuple[float, ...]]
    nodes: list[int]


def play(pairs: int, ahead: bool, versus: bool = False, ram_map: RamMap = MAP, weights: str = "chains") -> Played:
    bridge = SimulatedBridge(whole_edition(ram_map).simulator.machine(np.random.default_rng(3)))
    choices = {"mode": VERSUS * versus, "level": 5}
    if ram_map is not MAP:  # it says nothing of the menus
        choices = {}
        begin(bridge)
    goal = Goal(None if versus else pairs, None, choices)
    pilots = [
        Pilot(
            bridge,
            goal,
            GAME.open(ram_map),
            Skill(load_weights(weights), TEMPO, Strength(300), ahead),
            port=port,
            leads=port == 0,
        )
        for port in range(1 + versus)
    ]
    found: list[tuple[float, ...]] = []

    def heard(port: int) -> Callable[[Placement], None]:
        return lambda p: found.append((port, p.orientation, p.column, p.row, len(p.timeline), p.value))

    for pilot in pilots:
        pilot.on_plan.append(heard(pilot.port))
    Match(pilots, pairs if versus else None).run()
    assert [(pilot.tally.misplaced, pilot.tally.replans) for pilot in pilots] == [(0, 0)] * len(pilots)
    return Played(found, [pilot.tally.nodes for pilot in pilots])


def watched(monkeypatch: pytest.MonkeyPatch, prepare: Begin | None) -> Watched[Any, Ranking]:
    made = Watched[Any, Ranking](prepare)
    monkeypatch.setattr(ahead_of_games, "Ahead", made.ahead)
    return made


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("versus", [False, True], ids=["endless", "battle"])
@pytest.mark.parametrize("pairs", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_a_whole_game_is_the_same_with_and_without(pairs: int, versus: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs that may be shown are prepared in time, or none is, or a thread prepares what it can."""
    alone = play(pairs, ahead=False, versus=versus)
    assert len(alone.placements) >= pairs
    for prepare, in_time in ((at_once, True), (never, False), (None, None)):
        seen = watched(monkeypatch, prepare)
        assert play(pairs, ahead=True, versus=versus) == alone
        assert len(seen.ready) == len(alone.placements), "the first pair of a game too"
        if in_time is False:
            assert not any(seen.ready)
        elif in_time:  # but for items and new levels, see below
            assert sum(seen.ready) >= len(seen.ready) - pairs // 20


@pytest.mark.jit
def test_a_map_without_timing_or_pending_nuisance_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    ram_map = strange_map()
    assert "gravity" not in ram_map.timing
    alone = play(12, ahead=False, ram_map=ram_map)
    seen = watched(monkeypatch, at_once)
    assert play(12, ahead=True, ram_map=ram_map) == alone
    assert seen.ready.count(True) >= 11


def frame(
    cells: Any = None, pair: tuple[int, int] = (1, 2), following: tuple[int, ...] = (3, 4), **counters: int
) -> Snapshot:
    """A pair at its spawn, alone or, with `pending`, in a battle."""
    empty = GAME.open(MAP).decoder()(bytes(2048))
    stored = np.zeros((RULES.stored_rows, COLUMNS), np.uint8) if cells is None else cells
    snapshot = replace(empty, next=following, counters=dict(empty.counters) | counters)
    return at_spawn(snapshot, stored, pair, RULES, MAP.timing["gravity"][0])


def between(snapshot: Snapshot, cells: Any, **counters: int) -> Snapshot:
    """A frame after its lock."""
    later = frame(cells, following=snapshot.next)
    return replace(later, phase=Phase.LOCKED, current=None, counters=dict(snapshot.counters) | counters)


def thinker_of() -> EngineThinker[Any, Any]:
    thinker = GAME.open(MAP).thinker(load_weights("chains"), TEMPO, Strength(100))
    assert isinstance(thinker, EngineThinker)
    return thinker


class Watch:
    """A thinker that has placed a pair on the floor of the first column, at once ready for the next one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, first: Snapshot) -> None:
        self.watched = watched(monkeypatch, at_once)
        self.thinker = thinker_of()
        self.thinker.decide(first, InputState())
        self.thinker.prepare(first, Placement(0, 0, RULES.visible_rows - 1))
        self.after = checked_cells(cells_of(first))
        pair = first.counters["pivot"], first.counters["satellite"]
        lock_cells(self.after, 0, 0, *pair, table_of(RULES))

    def ready(self, snapshot: Snapshot, input_state: InputState | None = None) -> bool:
        """Whether the decision was ready; it is the one that a thinker makes without preparing."""
        plain = thinker_of()
        plain.decide(frame(), InputState())
        input_state = input_state or InputState()
        assert self.thinker.decide(snapshot, input_state) == plain.decide(snapshot, input_state)
        return bool(self.watched.ready) and self.watched.ready[-1]


def nuisance_on(cells: Any, row: int) -> Any:
    """The cells with nuisance fallen on a column that has this many puyos less than rows."""
    fallen = cells.copy()
    fallen[row, 3] = NUISANCE
    return fallen


@pytest.mark.jit
@pytest.mark.parametrize("shown", [(5, 1), (1, 5), (2, 2), (4, 5)])
def test_whatever_pair_is_shown_is_ready(shown: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch, frame())
    assert watch.ready(frame(watch.after, (3, 4), shown))


FLOOR = RULES.stored_rows - 1
CHANGES: dict[str, Callable[[Any], tuple[Snapshot, InputState]]] = {
    "nuisance has come": lambda after: (frame(after, (3, 4), (1, 1), pending=6), InputState()),
    "nuisance has fallen": lambda after: (frame(nuisance_on(after, FLOOR), (3, 4), (1, 1)), InputState()),
    "an item follows": lambda after: (frame(after, (3, 4), (BIG, BIG)), InputState()),
    "the pair is another one": lambda after: (frame(after, (4, 3), (1, 1)), InputState()),
    "pairs fall faster": lambda after: (frame(after, (3, 4), (1, 1), level=15, drop_timer=2), InputState()),
    "few places can be reached": lambda after: (frame(after, (3, 4), (1, 1)), InputState(rest=350, turn_rest=350)),
    "nothing follows": lambda after: (frame(after, (3, 4), ()), InputState()),
}


@pytest.mark.jit
@pytest.mark.parametrize("change", CHANGES)
def test_what_came_otherwise_is_decided_anew(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch, frame(pending=0))
    assert not watch.ready(*CHANGES[change](watch.after))
    assert watch.ready(frame(watch.after, (3, 4), (1, 1), pending=0))


@pytest.mark.jit
def test_nothing_is_prepared_while_nuisance_is_on_its_way_but_once_it_has_fallen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = frame(pending=1)
    watch = Watch(monkeypatch, first)
    fallen = nuisance_on(watch.after, FLOOR)
    watch.thinker.prepare_between(between(first, watch.after))
    assert watch.thinker._ahead is None
    watch.thinker.prepare_between(between(first, fallen, pending=0))
    assert watch.ready(frame(fallen, (3, 4), (1, 1), pending=0))


@pytest.mark.jit
def test_nuisance_that_comes_after_the_chain_is_prepared_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It falls after the pair that comes next."""
    first = frame(pending=0)
    watch = Watch(monkeypatch, first)
    watch.thinker.prepare_between(between(first, watch.after, pending=6))
    assert watch.ready(frame(watch.after, (3, 4), (1, 1), pending=6))
    assert not watch.ready(frame(watch.after, (3, 4), (1, 1), pending=0))


@pytest.mark.jit
def test_frames_of_the_chain_begin_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What will have popped is not waited for, and what is shown popping is no field."""
    cells = np.zeros((RULES.stored_rows, COLUMNS), np.uint8)
    cells[FLOOR, :3] = 2
    first = frame(cells, (2, 1))
    watch = Watch(monkeypatch, first)
    begun: list[object] = []
    monkeypatch.setattr(watch.thinker.engine, "_coming", lambda *given: begun.append(given))
    landed = cells.copy()
    landed[FLOOR - 2 : FLOOR, 0] = 1, 2
    watch.thinker.prepare_between(between(first, landed))
    watch.thinker.prepare_between(replace(between(first, cells), phase=Phase.CLEARING))
    watch.thinker.prepare_between(between(first, watch.after))
    assert not begun
    watch.thinker.prepare_between(between(first, nuisance_on(watch.after, FLOOR)))
    assert len(begun) == 1


@pytest.mark.jit
def test_a_game_that_shows_early_what_follows_leaves_one_pair_to_prepare(monkeypatch: pytest.MonkeyPatch) -> None:
    first = frame()
    watch = Watch(monkeypatch, first)
    tasks: list[Any] = []
    monkeypatch.setattr(watch.thinker._ahead, "prepare", tasks.extend)
    moved = replace(between(first, watch.after, pivot=3, satellite=4), next=(5, 1))
    watch.thinker.prepare_between(moved)
    assert [(task.position.pair, task.position.following) for task in tasks] == [((3, 4), ((1, 5),))]


def test_pairs_that_may_come() -> None:
    """Both orders are one, the likely ones come first, colours that were not seen last."""
    pairs = possible_pairs(frame(pair=(1, 2), following=(4, 4)), RULES)
    assert list(pairs[:3]) == [(1, 2), (1, 4), (2, 4)]
    assert list(pairs[3:6]) == [(1, 1), (2, 2), (4, 4)]
    assert pairs[-1] == (3, 5)
    assert len(pairs) == 15
    assert len(possible_pairs(frame(following=(6, 1)), RULES)) == 21, "the game has six colours"


def test_the_pair_that_comes_and_what_is_known_of_the_next() -> None:
    assert next_pairs(frame(following=(3, 4, 5, 1))) == ((3, 4), (5, 1))
    assert coming_pairs(frame(pair=(3, 4), following=(5, 1)), (3, 4), RULES) == ((3, 4), [((5, 1),)])
    many = possible_pairs(frame(following=(5, 1)), RULES)
    for shown in ((5, 1), (3, 4)):  # not yet another one, or that of another game
        assert coming_pairs(frame(following=(5, 1)), shown, RULES) == ((5, 1), [(one,) for one in many])
    two_shown = coming_pairs(frame(following=(5, 1, 2, 3)), (), RULES)
    assert two_shown == ((5, 1), [((2, 3), one) for one in possible_pairs(frame(following=(5, 1, 2, 3)), RULES)])
    assert unordered(((4, 3), (BIG, BIG), (BIG, 1))) == ((3, 4), (BIG, BIG), (BIG, 1))


def test_at_its_spawn_the_pair_is_where_the_machine_puts_it() -> None:
    cells = np.arange(RULES.stored_rows * COLUMNS, dtype=np.uint8).reshape(-1, COLUMNS) % 6
    made = at_spawn(frame(), cells, (5, 1), RULES, 30)
    assert made.current == RULES.spawn
    assert (cells_of(made) == cells).all()
    assert (made.counters["pivot"], made.counters["satellite"], made.counters["drop_timer"]) == (5, 1, 30)
    assert at_spawn(frame(), cells, (BIG, BIG), RULES, None).current == Piece(0, RULES.spawn.column, RULES.spawn.row)


WARM = """
from emubot.games.colours import puyo_engine
from tests.games.colours.test_ahead import play

for _, job, *_ in puyo_engine.kernels():
    job()
kernels = [value for value in vars(puyo_engine).values() if hasattr(value, "signatures")]
compiled = [len(kernel.signatures) for kernel in kernels]
assert compiled and all(compiled)
play(3, ahead=True)
assert [len(kernel.signatures) for kernel in kernels] == compiled
"""


@pytest.mark.jit
def test_nothing_is_compiled_while_frames_wait() -> None:
    subprocess.run([sys.executable, "-c", WARM], check=True, timeout=600)
