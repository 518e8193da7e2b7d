"""Explained decisions: values add up, agree with the search of play, and say what a reader can check by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.explanation import DepthValue, DrawnPosition, ExplainedPlacement, ExplainOptions, Explanation
from emubot.games.tetris.board.board import Rows, rows_from
from emubot.games.tetris.bounds import NEUTRAL, SCORE
from emubot.games.tetris.evaluation.layout import ENTRIES, LINES_AT, PHASE
from emubot.games.tetris.evaluation.names import FEATURE_NAMES
from emubot.games.tetris.explain import rollouts
from emubot.games.tetris.explain.by_feature import BEYOND, NO_LOCK
from emubot.games.tetris.explain.explain import placement_name
from emubot.games.tetris.explain.rollouts import Afterstate, TetrisRollouts
from emubot.games.tetris.explain.tables import TABLE_NAMES, WHOLE, table_of
from emubot.games.tetris.explain.valued import ValuedLock, best_of
from emubot.games.tetris.family import GAME
from emubot.games.tetris.release_engine import position_of
from emubot.games.tetris.rules import NES_NTSC, TYPE_B
from emubot.games.tetris.search.engine import engine_for, features_engine
from emubot.games.tetris.search.search import Search
from emubot.session.positions import explainer_of
from emubot.snapshot import Piece, Snapshot
from emubot.tempo import InputState, Tempo, parse_taps
from emubot.weight_parts import FeatureSet, NetworkLayer
from emubot.weights import Weights, load_weights
from tests.families import whole_edition
from tests.games.tetris.points_twin import Steps
from tests.games.tetris.random_cartridges import stranger_map

TEMPO = parse_taps("12hz")
STEPS = ("#.........", "##.....##.", "#########.", "#########.", "########..")
FEW = ExplainOptions(top=2, games=0)


def drawn(*board: str, piece: str | None = "T", following: str | None = "L", level: int = 18) -> DrawnPosition:
    return DrawnPosition(board, piece, following, level, 30)


def explained(
    position: DrawnPosition,
    weights: str | Weights = "nes_tetris",
    options: ExplainOptions = FEW,
    tempo: Tempo = TEMPO,
) -> Explanation:
    edition, snapshot = GAME.position(position)
    own = load_weights(weights) if isinstance(weights, str) else weights
    return explainer_of(edition).explain(snapshot, own, tempo, options)


def parts_of(one: ExplainedPlacement) -> dict[str, float]:
    return {part.name: part.value for part in one.parts}


# Boards in text.


def test_a_drawn_board_is_the_position() -> None:
    edition, snapshot = GAME.position(replace(drawn(*STEPS), rules="nes-pal"))
    ram_map = edition.ram_map
    assert (ram_map.name, snapshot.counters["level"], snapshot.counters["lines"]) == (
        "nes_tetris_europe",
        18,
        30,
    )
    assert snapshot.current == Piece(2, 5, 0)
    assert snapshot.next == (14,)
    assert ["".join(".#"[cell] for cell in row) for row in snapshot.playfield[-5:]] == list(STEPS)
    assert not snapshot.playfield[:-5].any()


def test_the_piece_may_be_drawn_where_it_is() -> None:
    board = ("..........", "......o...", ".....oo...", ".....o....", *STEPS)
    _, snapshot = GAME.position(drawn(*board, piece=None, following=None))
    assert snapshot.current == Piece(9, 5, 13)
    assert snapshot.next == ()


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (drawn("#........"), r"Line 1 of the board is '#\.\.\.\.\.\.\.\.': draw 10 cells"),
        (drawn("#........x"), "# for filled, . for empty and o for the piece in the air"),
        (drawn(), "1 to 20 lines of 10 cells, not 0"),
        (drawn(*[".........."] * 21), "1 to 20 lines of 10 cells, not 21"),
        (drawn("##########", ".........#"), "Row 2 from the floor is full"),
        (drawn(*STEPS, piece=None), "Name it with --piece"),
        (drawn(*STEPS, piece="Q"), "There is no piece 'Q': pieces are T, J, Z, O, S, L, I"),
        (drawn(*STEPS, following="TT"), "There is no piece 'TT'"),
        (drawn("...oo.....", *STEPS), "The 2 cells drawn as o are no whole piece"),
        (drawn("...oooo...", *STEPS, piece="T"), "The piece drawn is I, not T"),
        (drawn(*STEPS, level=256), "level from 0 to 255, not 256"),
        (replace(drawn(*STEPS), rules="tgm"), "no rules 'tgm' to explain; known: nes, nes-ntsc, nes-pal"),
    ],
)
def test_a_board_that_no_game_has_is_refused(position: DrawnPosition, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        GAME.position(position)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ((2, 5, 18), "T down, columns 5-7, rows 1-2"),
        ((17, 9, 18), "I vertical, column 10, rows 1-4"),
        ((18, 5, 19), "I horizontal, columns 4-7, row 1"),
        ((10, 1, 18), "O, columns 1-2, rows 1-2"),
    ],
)
def test_a_placement_in_words(place: tuple[int, int, int], words: str) -> None:
    assert placement_name(*place) == words


def test_every_entry_is_in_a_table() -> None:
    names = [table_of(entry) for entry in (*range(0, PHASE, 7), LINES_AT, ENTRIES - 1)]
    assert list(dict.fromkeys(names)) == list(TABLE_NAMES)
    assert table_of(3 * PHASE + 5) == "surfaces", "the same in every phase"


# Values.

POSITIONS = [
    ("flat", drawn(*STEPS)),
    ("the next piece not known", drawn(*STEPS, following=None)),
    ("a lock that clears lines", drawn(*["#########."] * 4, piece="I", following="O")),
    ("high", drawn(*["#########."] * 15, piece="J", following="S")),
    ("beyond the tables' game", replace(drawn(*STEPS), lines=400, level=40)),
]


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("weights", ["nes_tetris", "dt10", "pso"])
@pytest.mark.parametrize("position", [position for _, position in POSITIONS], ids=[name for name, _ in POSITIONS])
def test_the_parts_add_up_to_the_value(position: DrawnPosition, weights: str) -> None:
    shown = explained(position, weights)
    assert shown.placements
    for one in shown.placements:
        assert sum(part.value for part in one.parts) == pytest.approx(one.value, rel=1e-9, abs=1e-6)
        assert one.depths[-1].value == one.value
        assert [depth.pieces for depth in one.depths] == sorted(depth.pieces for depth in one.depths)
    assert [one.value for one in shown.placements] == sorted((one.value for one in shown.placements), reverse=True)


@pytest.mark.slow
@pytest.mark.jit
def test_the_tables_of_the_best_line_are_those_of_the_board_after_it() -> None:
    """Played by hand: both locks, then each table's entries from the slow twin."""
    edition, snapshot = GAME.position(drawn(*STEPS))
    weights = load_weights("nes_tetris")
    best = explainer_of(edition).explain(snapshot, weights, TEMPO, FEW).placements[0]
    steps = Steps(engine_for(weights, TEMPO, NES_NTSC).look.player)
    first = (best.placement.orientation, best.placement.column, best.placement.row)
    rows, gained, lines, level = steps.after(_rows(snapshot), first, 30, 18)
    seconds = {placement_name(*place): place for place in steps.locks(rows, 5, level)}
    assert best.next_name is not None
    last, more, lines, level = steps.after(rows, seconds[best.next_name], lines, level)
    parts = parts_of(best)
    assert parts[WHOLE], "a network stands beside these tables"
    assert sum(parts[name] for name in (*TABLE_NAMES, WHOLE)) == pytest.approx(1000 * steps.value(last, lines, level))
    assert (parts["this lock"], parts["the next lock"]) == (1000 * gained, 1000 * more)
    assert best.depths[0].value == pytest.approx(1000 * (gained + more + steps.value(last, lines, level)))


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(("aim", "aggression"), [(None, None), ("survive", None), ("score", 0.8)])
def test_a_search_of_play_with_a_large_budget_finds_the_same_value(aim: str | None, aggression: float | None) -> None:
    edition, snapshot = GAME.position(drawn(*STEPS))
    weights, nodes = load_weights("nes_tetris"), 2_000_000
    options = ExplainOptions(nodes, top=20, games=0, aim=aim, aggression=aggression)
    shown = explainer_of(edition).explain(snapshot, weights, TEMPO, options)
    risk = NEUTRAL if aggression is None else aggression
    search = Search(engine_for(weights, TEMPO, NES_NTSC, nodes, aim=aim or SCORE, aggression=risk), TEMPO, NES_NTSC)
    found, _ = search.rank(position_of(snapshot, InputState()))
    best = shown.placements[0]
    assert (best.chosen, [depth.pieces for depth in best.depths]) == (True, [2, 3, 4])
    assert best.placement == found[0]
    assert best.value == pytest.approx(1000 * found[0].value)


@pytest.mark.jit
def test_values_by_features_are_those_of_the_search() -> None:
    edition, snapshot = GAME.position(drawn(*STEPS))
    weights = load_weights("dt10")
    shown = explainer_of(edition).explain(snapshot, weights, TEMPO, ExplainOptions(top=20, games=0))
    search = Search(engine_for(weights, TEMPO, NES_NTSC), TEMPO, NES_NTSC)
    ranked, nodes = search.rank(position_of(snapshot, InputState()))
    assert [one.value for one in shown.placements] == pytest.approx([one.value for one in ranked[:20]])
    assert shown.placements[0].placement == ranked[0]
    assert (shown.nodes, shown.unit, shown.settings["search"]) == (nodes, "", "features")
    value = dict(zip(weights.features.names, weights.values, strict=True))
    for part in shown.placements[0].parts:
        assert part.amount is not None
        assert part.value == pytest.approx(value[part.name] * part.amount)


@pytest.mark.jit
def test_what_a_network_adds_is_a_part_of_its_own() -> None:
    names = FEATURE_NAMES[8:11]
    layers = (
        NetworkLayer(weights=((0.5, -1.0, 0.25),) * 2, biases=(0.1, 0.2)),
        NetworkLayer(weights=((1.0, -2.0),), biases=(0.3,)),
    )
    weights = Weights(game="tetris", features=FeatureSet(version=1, names=tuple(names)), network=layers)
    shown = explained(drawn(*STEPS), weights)
    assert BEYOND in parts_of(shown.placements[0])


@pytest.mark.jit
def test_a_lock_after_which_the_next_piece_has_no_place_says_so() -> None:
    high = drawn(*["#########."] * 19, piece="I", following="I", level=28)
    for weights, what in (("dt10", NO_LOCK), ("nes_tetris", "this lock")):
        shown = explained(high, weights)
        assert shown.placements[0].next_name is None
        assert what in parts_of(shown.placements[0])


@pytest.mark.jit
def test_a_piece_that_can_lock_nowhere_has_no_placement() -> None:
    assert explained(drawn(*["#########."] * 20)).placements == ()


def test_what_the_bot_plays_is_shown_even_if_it_is_not_among_the_best() -> None:
    valued = [
        ValuedLock((2, column, 18), None, (DepthValue(2, float(value)),), ()) for column, value in enumerate([5, 7, 5])
    ]
    low, best, other = valued
    assert best_of(valued, 1, other.place) == [best, other]
    assert best_of(valued, 1, best.place) == [best]
    assert best_of(valued, 3, other.place) == [best, other, low], "of equal ones it is first"


@pytest.mark.jit
def test_a_decision_of_few_boards_is_marked() -> None:
    shown = explained(drawn(*STEPS), options=ExplainOptions(nodes=1, top=1, games=0))
    assert [one.chosen for one in shown.placements].count(True) == 1
    assert shown.nodes < 2000
    assert shown.placements[0].depths[-1].pieces == 4, "explained as deeply as ever"


@pytest.mark.jit
@pytest.mark.parametrize(("weights", "search", "nodes"), [("nes_tetris", "points", 25_000), ("dt20", "features", 0)])
def test_garbage_is_explained_by_the_goal_and_without_its_tables_by_features(
    weights: str, search: str, nodes: int
) -> None:
    edition, snapshot = GAME.position(drawn(*STEPS))
    counters = {**snapshot.counters, "game_type": TYPE_B, "lines": 25}
    shown = explainer_of(edition).explain(replace(snapshot, counters=counters), load_weights(weights), TEMPO, FEW)
    assert (shown.settings["search"], shown.settings["nodes"]) == (search, nodes)
    assert ("worth 30 more" in shown.meaning) == (search == "points")


@pytest.mark.jit
@pytest.mark.parametrize("taps", ["30hz", "das", "..X...."])
def test_the_taps_lead_to_the_placement(taps: str) -> None:
    shown = explained(drawn(*STEPS), "dt10", tempo=parse_taps(taps))
    for one in shown.placements:
        last = one.placement.timeline[-1]
        assert (last.orientation, last.column, last.row) == (
            one.placement.orientation,
            one.placement.column,
            one.placement.row,
        )


# Risks.


def _rows(snapshot: Snapshot) -> Rows:
    return rows_from(snapshot.playfield, snapshot.hidden)


@pytest.mark.jit
def test_risks_are_those_of_seeded_games() -> None:
    engine = features_engine(load_weights("dt10").vector("tetris", FEATURE_NAMES, 1, (10, 20)), TEMPO, NES_NTSC)
    narrow = np.array([0] * 9 + [0x1FF] * 13, dtype=np.uint16)
    after = Afterstate(narrow, 0, 2, 30, 18)
    risk = TetrisRollouts(engine, 30, 7).risk(after)
    assert risk is not None
    assert (risk.pieces, risk.games) == (rollouts.PIECES, 30)
    assert 0 < risk.deaths < 30
    assert TetrisRollouts(engine, 30, 7).risk(after) == risk
    assert narrow.tolist() == [0] * 9 + [0x1FF] * 13, "the board itself stays"
    others = {TetrisRollouts(engine, 30, seed).risk(after) for seed in range(8, 14)}
    assert len(others) > 1
    empty = TetrisRollouts(engine, 10, 7).risk(Afterstate(np.zeros(22, dtype=np.uint16), 0, None, 0, 18))
    assert empty is not None
    assert empty.deaths == 0
    full = TetrisRollouts(engine, 10, 7).risk(Afterstate(np.full(22, 0x1FF, dtype=np.uint16), 0, 2, 0, 18))
    assert full is not None
    assert full.deaths == 10
    assert TetrisRollouts(engine, 0, 7).risk(after) is None


# Refusals.


def test_a_map_without_timing_is_refused() -> None:
    _, snapshot = GAME.position(drawn(*STEPS))
    with pytest.raises(UsageError, match="The map stranger does not state its cartridge's timing"):
        whole_edition(stranger_map()).explainer.explain(snapshot, load_weights("dt10"), TEMPO, FEW)


def test_without_a_piece_in_the_air_there_is_nothing_to_explain() -> None:
    edition, snapshot = GAME.position(drawn(*STEPS))
    with pytest.raises(UsageError, match=r"no piece in the air \(drawn\)"):
        explainer_of(edition).explain(replace(snapshot, current=None), load_weights("dt10"), TEMPO, FEW)
