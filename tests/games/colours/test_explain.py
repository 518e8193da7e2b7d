"""Explained decisions of pairs: chains cell by cell as a slow field pops them, values that add up, drawn fields."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.explanation import DrawnPosition, ExplainedPlacement, ExplainOptions, Explanation
from emubot.games.colours.board.anyboard_field import field_of
from emubot.games.colours.board.resolve import links_of
from emubot.games.colours.board.words import board_of
from emubot.games.colours.evaluation.building import chain_value
from emubot.games.colours.explain.built import steps_of, triggers_on
from emubot.games.colours.explain.by_worth import FIRED
from emubot.games.colours.explain.notation import lines_of, lock_row, pair_name, pairs_of, placement_name
from emubot.games.colours.explain.pair_board import PairBoard
from emubot.games.colours.explain.rollouts import PIECES
from emubot.games.colours.explain.valued import LOST
from emubot.games.colours.puyo import GAME
from emubot.games.colours.rules import BIG, CARBUNCLE, COLUMNS, DOWN, LEFT, NUISANCE, RIGHT, UP, Rules, rules_of
from emubot.games.colours.scoring import LINKING_AT, table_of
from emubot.games.colours.search.engine import Budget, building_vector, search_for
from emubot.games.colours.search.search import Position
from emubot.games.colours.search.two_plies import DEAD
from emubot.session.positions import explainer_of
from emubot.snapshot import Piece
from emubot.tempo import parse_taps
from emubot.weights import Weights, load_weights
from tests.games.colours import building_twins as slow
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, RULES, TSU, random_stacks, stacks

FOURS = tuple(rules for rules in RULES if rules.group_size == 4)
CHAINS, BUILDER = load_weights("chains"), load_weights("builder")
TAPS = parse_taps("12hz")
FEW = ExplainOptions(nodes=2000, top=3, games=0)
FIELD = ("R.....", "RGB...", "RGB...", "GBYR..", "GBYRY.", "GBYGR.")
DRAWN = DrawnPosition(FIELD, "RB", "GGYR", rules="tsu")


def explained(drawn: DrawnPosition = DRAWN, weights: Weights = CHAINS, options: ExplainOptions = FEW) -> Explanation:
    edition, snapshot = GAME.position(drawn)
    return explainer_of(edition).explain(snapshot, weights, TAPS, options)


# Chains.


def numbered_slowly(columns: twin.Stacks, rules: Rules) -> tuple[int, dict[tuple[int, int], int]]:
    """The steps of a chain, and the step in which each (column, height above the floor) pops."""
    kinds = [list(stack) for stack in columns]
    places = [list(range(len(stack))) for stack in columns]
    rows = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    found: dict[tuple[int, int], int] = {}
    step = 0
    while groups := twin.groups(kinds, rules):
        step += 1
        gone = set().union(*groups)
        gone |= {
            (x, y)
            for cell in gone
            for x, y in twin.neighbours(*cell)
            if 0 <= x < COLUMNS and 0 <= y < min(rows, len(kinds[x])) and kinds[x][y] == NUISANCE
        }
        found |= {(x, places[x][y]): step for x, y in gone}
        for x in range(COLUMNS):
            kinds[x] = [kind for y, kind in enumerate(kinds[x]) if (x, y) not in gone]
            places[x] = [place for y, place in enumerate(places[x]) if (x, y) not in gone]
    return step, found


def check_chain(columns: twin.Stacks, rules: Rules) -> int:
    cells, board = twin.cells_of(columns, rules), PairBoard(rules)
    steps = board.steps(cells)
    chain, points = board.chain(*field_of(cells, rules))
    expected, places = numbered_slowly(columns, rules)
    assert {(x, rules.stored_rows - 1 - y): int(steps[y, x]) for y, x in np.argwhere(steps)} == places
    assert chain == expected == steps.max()
    assert (chain, points) == twin.resolve([list(stack) for stack in columns], rules)
    assert (cells == twin.cells_of(columns, rules)).all(), "the field stays"
    return expected


@settings(deadline=None)
@given(st.data(), st.sampled_from(RULES))
def test_a_chain_is_numbered_as_a_slow_field_pops_it(data: st.DataObject, rules: Rules) -> None:
    check_chain(data.draw(stacks(rules)), rules)


@pytest.mark.jit
def test_so_it_is_on_many_fields() -> None:
    rng = np.random.default_rng(1)
    lengths = [check_chain(random_stacks(rng, rules), rules) for rules in RULES * 40]
    assert max(lengths) > 2


@pytest.mark.jit
def test_triggers_are_those_of_a_slow_field() -> None:
    rng = np.random.default_rng(2)
    seen = 0
    for rules in RULES * 12:
        columns = random_stacks(rng, rules)
        twin.resolve(columns, rules)
        found = triggers_on(twin.cells_of(columns, rules), PairBoard(rules))
        assert [(one.height, one.puyos, one.steps, one.color) for one in found] == slow.triggers(columns, rules)
        for one in found[:3]:
            after = [list(stack) for stack in columns]
            after[one.column] += [one.color] * one.puyos
            steps = steps_of(twin.cells_of(columns, rules), one, PairBoard(rules))
            assert (steps > 0).sum() == len(numbered_slowly(after, rules)[1])
            assert twin.resolve(after, rules) == (one.steps, one.points)
        seen += len(found)
    assert seen


@pytest.mark.jit
def test_a_built_chain_is_drawn_on_its_field() -> None:
    """Red on blue: a blue puyo beside the three sets off two steps."""
    shown = explained(replace(DRAWN, next_piece=None), options=replace(FEW, top=20))
    one = next(one for one in shown.placements if one.name == "R on B, column 2, rows 6-7")
    assert one.after is not None
    assert one.after.lines[-7:] == (".R....", "RB....", *FIELD[1:])
    chain = one.after.chain
    assert chain is not None
    assert (chain.steps, chain.points, chain.color, chain.trigger) == (2, 360, "B", ((2, 6),))
    assert dict(zip(chain.cells, chain.popped_in, strict=True)) == {
        **{(1, 6): 1, (2, 7): 1, (2, 8): 1},
        **{(1, 5): 2, (0, 6): 2, (0, 7): 2, (0, 8): 2},
    }


# Values.


def parts_of(one: ExplainedPlacement) -> dict[str, float]:
    return {part.name: part.value for part in one.parts}


@pytest.mark.jit
@pytest.mark.parametrize("weights", [CHAINS, BUILDER], ids=["beam", "two plies"])
@pytest.mark.parametrize("following", [None, "GG", "GGYRBB"])
def test_the_parts_add_up_and_one_placement_is_played(weights: Weights, following: str | None) -> None:
    shown = explained(replace(DRAWN, next_piece=following), weights)
    assert len(shown.placements) == 3
    assert sum(one.chosen for one in shown.placements) == 1
    values = [one.value for one in shown.placements]
    assert values == sorted(values, reverse=True)
    for one in shown.placements:
        assert sum(part.value for part in one.parts) == pytest.approx(one.value)
        assert one.depths[-1].value == one.value


@pytest.mark.jit
def test_a_placement_is_worth_what_the_beam_alone_on_it_finds() -> None:
    shown = explained()
    search = search_for(CHAINS, rules_of("tsu"), "score", Budget(2000))
    cells = twin.cells_of([list(stack) for stack in _columns(FIELD)], TSU)
    position = Position(cells, (1, 3), ((2, 2), (4, 1)))
    for one in shown.placements:
        places = np.array([[one.placement.orientation, one.placement.column]])
        assert one.value == search.rank(position, places)[0][0]
    assert (shown.unit, shown.settings["search"], shown.settings["aim"]) == ("points", "beam", "score")


@pytest.mark.jit
def test_the_features_of_a_field_add_up_to_its_own_value() -> None:
    """The chains' part is that of the kernel of the search."""
    vector, tried = building_vector(CHAINS), np.zeros((COLUMNS, 3), dtype=np.int64)
    names = ("chain", "trigger_height", "second_puyo", "third_puyo", "second_chain", "chain_sum", "triggers")
    table = table_of(rules_of("tsu"))
    for one in explained(options=replace(FEW, top=20)).placements:
        assert one.after is not None
        field = {part.name: part for part in one.after.parts}
        for part in one.after.parts:
            assert part.amount is not None
            assert part.value == pytest.approx(CHAINS.values[CHAINS.features.names.index(part.name)] * part.amount)
        columns = _columns(one.after.lines)
        board = board_of(twin.cells_of(columns, TSU))
        chains = chain_value(board, links_of(board, int(table[LINKING_AT])), table, vector, tried)
        assert sum(field[name].value for name in names) == pytest.approx(chains)
        assert {name: field[name].amount for name in slow.shape(columns, TSU) if name in field} == pytest.approx(
            {name: amount for name, amount in slow.shape(columns, TSU).items() if name in field}
        )


@pytest.mark.jit
def test_a_pair_that_is_torn_apart_says_so() -> None:
    shown = explained(options=replace(FEW, top=20))
    torn = {one.name: part.amount for one in shown.placements if one.after for part in one.after.parts[-1:]}
    assert torn["B R, columns 4-5, rows 3-4"] == 1
    assert torn["R on B, column 2, rows 6-7"] == 0


@pytest.mark.jit
def test_two_plies_are_the_search_of_play() -> None:
    edition, snapshot = GAME.position(DRAWN)
    shown = explained(weights=BUILDER, options=replace(FEW, top=20))
    search = search_for(BUILDER, rules_of("tsu"), "score")
    cells = np.concatenate((snapshot.hidden[::-1], snapshot.playfield))
    for one in shown.placements:
        places = np.array([[one.placement.orientation, one.placement.column]])
        expected = search.rank(Position(cells, (1, 3), ((2, 2),)), places)[0][0]
        assert one.value == pytest.approx(expected)
        assert one.next_name is not None
        assert [depth.pieces for depth in one.depths] == [1, 2]
    assert (shown.placements[0].chosen, shown.settings["search"]) == (True, "two plies")
    assert explainer_of(edition).explain(snapshot, CHAINS, TAPS, FEW).settings["search"] == "beam"


@pytest.mark.jit
def test_a_chain_that_is_fired_is_a_part() -> None:
    ready = DrawnPosition(("R.....", "R.....", "R....."), "RG", None, rules="tsu")
    shown = explained(ready, options=replace(FEW, top=20))
    fired = {one.name: parts_of(one)[FIRED] for one in shown.placements}
    assert fired["G on R, column 1, rows 4-5"] == 40
    assert fired["G on R, column 6, rows 1-2"] == 0


@pytest.mark.jit
@pytest.mark.parametrize("weights", [CHAINS, BUILDER], ids=["beam", "two plies"])
def test_a_placement_that_ends_the_game_says_so(weights: Weights) -> None:
    high = DrawnPosition((".GB...", *("RBRGRB", "GRGBGR") * 5, "RBRGRB"), "GG", None, rules="tsu")
    shown = explained(replace(high, board=("......", *high.board[1:])), weights, replace(FEW, top=20))
    lost = [one for one in shown.placements if one.value <= DEAD / 2]
    assert lost
    assert all(LOST in parts_of(one) for one in lost)


@pytest.mark.jit
def test_risks_are_those_of_seeded_games() -> None:
    high = DrawnPosition(("NNNNNN",) * 9, "RG", "BY", rules="tsu", colors=6)
    one, again, other = (
        explained(high, options=ExplainOptions(2000, 2, 20, seed)).placements[0].risk for seed in (0, 0, 1)
    )
    assert one is not None
    assert (one.pieces, one.games) == (PIECES, 20)
    assert 0 < one.deaths < 20
    assert one == again
    assert other is not None
    assert other.deaths != one.deaths
    low = explained(options=ExplainOptions(2000, 1, 5, 0)).placements[0].risk
    assert low is not None
    assert low.deaths == 0


# Inputs.


@pytest.mark.jit
def test_with_a_timing_a_placement_has_its_frames_else_moves() -> None:
    edition, snapshot = GAME.position(replace(DRAWN, rules=None))
    for one in explainer_of(edition).explain(snapshot, CHAINS, TAPS, FEW).placements:
        last = one.placement.timeline[-1]
        assert (last.orientation, last.column, last.row) == (
            one.placement.orientation,
            one.placement.column,
            one.placement.row,
        )
    for one in explained().placements:
        assert one.placement.moves
        assert not one.placement.timeline


# Fields in text.


def _columns(lines: tuple[str, ...]) -> twin.Stacks:
    kinds = [[".RGBYPON#".index(line[x]) for line in lines[::-1]] for x in range(COLUMNS)]
    return [[kind for kind in stack if kind] for stack in kinds]


def test_a_drawn_field_is_the_position() -> None:
    edition, snapshot = GAME.position(DrawnPosition(("N.....", *FIELD), "rb", "GGYR", level=3))
    ram_map = edition.ram_map
    assert (ram_map.name, ram_map.profile, snapshot.counters["level"]) == (
        "demo_pairs",
        "famicom-1991",
        3,
    )
    assert snapshot.current == Piece(UP, 2, 0)
    assert (snapshot.counters["pivot"], snapshot.counters["satellite"], snapshot.next) == (1, 3, (2, 2, 4, 1))
    cells = np.concatenate((snapshot.hidden[::-1], snapshot.playfield))
    assert lines_of(cells)[-7:] == ("N.....", *FIELD)
    assert not cells[:-7].any()
    assert (cells == twin.cells_of(twin.stacks_of(cells), FAMICOM)).all()
    tsu, shown = GAME.position(DRAWN)
    assert (tsu.ram_map.profile, shown.playfield.shape, dict(tsu.ram_map.timing)) == ("tsu", (12, 6), {})
    six, _ = GAME.position(DrawnPosition(FIELD, "OO", None, colors=6))
    assert six.ram_map.rules["colors"] == 6


@pytest.mark.parametrize(
    ("above", "named", "expected", "pair"),
    [
        (("..b...", "..r..."), None, Piece(UP, 2, 5), (1, 3)),
        (("..b...", "..r..."), "BR", Piece(DOWN, 2, 4), (3, 1)),
        (("..rb..",), None, Piece(RIGHT, 2, 5), (1, 3)),
        (("..rb..",), "BR", Piece(LEFT, 3, 5), (3, 1)),
        (("..gg..",), None, Piece(RIGHT, 2, 5), (2, 2)),
    ],
)
def test_the_pair_may_be_drawn_where_it_is(
    above: tuple[str, ...], named: str | None, expected: Piece, pair: tuple[int, int]
) -> None:
    _, snapshot = GAME.position(DrawnPosition((*above, *FIELD), named, None, rules="tsu"))
    assert snapshot.current == expected
    assert (snapshot.counters["pivot"], snapshot.counters["satellite"]) == pair


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (
            replace(DRAWN, board=("R....",)),
            r"Line 1 of the field is 'R\.\.\.\.': draw 6 cells, R G B Y P O for colours",
        ),
        (replace(DRAWN, board=("X.....",)), "N for nuisance, # for a wall"),
        (replace(DRAWN, board=()), "tsu has 1 to 13 lines of 6 cells, not 0"),
        (replace(DRAWN, board=("......",) * 14), "1 to 13 lines of 6 cells, not 14"),
        (replace(DRAWN, board=("R.....", "......")), "has an empty cell below it"),
        (replace(DRAWN, board=("RRRR..",)), "a group of 4 or more: it pops before"),
        (replace(DRAWN, board=("..R...", "..G...") * 6), "The cell where the pair appears is filled"),
        (replace(DRAWN, piece=None), "Name it with --piece, or draw it in small letters"),
        (replace(DRAWN, piece="R"), "'R' is no pair: name it by two of the letters RGBYPO"),
        (replace(DRAWN, piece="RX"), "'RX' is no pair"),
        (replace(DRAWN, piece="RGBB"), "Name one pair with --piece"),
        (replace(DRAWN, next_piece=""), "'' is no pair"),
        (replace(DRAWN, next_piece="RGRGRGRG"), "At most 3 next pairs are known, not 4"),
        (replace(DRAWN, board=("..r...",)), "The cells R drawn in the air are no pair"),
        (replace(DRAWN, board=("r.b...",)), "The cells R, B drawn in the air are no pair"),
        (replace(DRAWN, board=("..gb..",)), "or not that of --piece"),
        (replace(DRAWN, piece="PP"), "The position has colour 5 of 6: give --colors 5 or more"),
        (replace(DRAWN, colors=7), "--colors is 1 to 6, not 7"),
        (replace(DRAWN, lines=3), "Pairs have no --lines"),
        (replace(DRAWN, level=256), "level from 0 to 255, not 256"),
        (replace(DRAWN, rules="ts"), r"There are no rules 'ts' \(did you mean tsu\?\): known are famicom-1991, tsu"),
    ],
)
def test_a_field_that_no_game_has_is_refused(drawn: DrawnPosition, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        GAME.position(drawn)


@pytest.mark.parametrize(
    ("pair", "place", "words"),
    [
        ((1, 3), (UP, 0), "B on R, column 1, rows 7-8"),
        ((1, 3), (DOWN, 5), "R on B, column 6, rows 1-2"),
        ((1, 3), (RIGHT, 3), "R B, columns 4-5, rows 3-4"),
        ((1, 3), (LEFT, 5), "B R, columns 5-6, rows 1 and 3"),
        ((BIG, 0), (UP, 3), "Big Puyo, columns 4-5, rows 3-5"),
        ((CARBUNCLE, 0), (UP, 5), "carbuncle, column 6, row 1"),
    ],
)
def test_a_placement_in_words(pair: tuple[int, int], place: tuple[int, int], words: str) -> None:
    cells = twin.cells_of(_columns(FIELD), TSU)
    assert placement_name(cells, pair, place, TSU) == words


def test_a_half_above_the_stored_rows_is_not_named() -> None:
    cells = twin.cells_of([[1, 2] * 6, [], [], [], [], []], TSU)
    assert placement_name(cells, (3, 4), (UP, 0), TSU) == "Y on B, column 1, row 13"
    assert lock_row(cells, 3, DOWN, 0, TSU) == -2


def test_pairs_are_letters() -> None:
    assert pairs_of("rgOP") == ((1, 2), (6, 5))
    assert pair_name((6, 5)) == "OP"
    assert pair_name((BIG, 0)) == "Big Puyo"


# Refusals.


@pytest.mark.jit
def test_what_cannot_be_explained_is_refused() -> None:
    edition, snapshot = GAME.position(DRAWN)
    with pytest.raises(UsageError, match=r"no pair in the air \(drawn\)"):
        explainer_of(edition).explain(replace(snapshot, current=None), CHAINS, TAPS, FEW)
    with pytest.raises(UsageError, match="--aim is one of score, chain, survive, battle"):
        explainer_of(edition).explain(snapshot, CHAINS, TAPS, replace(FEW, aim="lines"))
