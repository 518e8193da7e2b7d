"""Explained decisions of matching games: values that add up to the search's, fields, drawn positions, words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.explanation import (
    DrawnPosition,
    ExplainedPlacement,
    ExplainOptions,
    Explanation,
    FieldAfter,
    Part,
    joined,
)
from emubot.games.colours.board.matching_cells import checked_field
from emubot.games.colours.decode.frame import field_of, kinds_of
from emubot.games.colours.decode.map_checks import check_matching
from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES
from emubot.games.colours.explain.matching import WON, explain
from emubot.games.colours.explain.matching_board import lock
from emubot.games.colours.explain.matching_notation import (
    field_of_lines,
    joints_of,
    lines_of,
    piece_of,
    placement_name,
)
from emubot.games.colours.explain.matching_remarks import remarks
from emubot.games.colours.explain.matching_ways import LOST_AT, WON_AT, follow, fresh_way
from emubot.games.colours.explain.rollouts import PIECES
from emubot.games.colours.explain.valued import LOST
from emubot.games.colours.matching import GAME
from emubot.games.colours.matching_rules import CAPSULES, COLUMNS, NO_LINK, Rules
from emubot.games.colours.search.matching_plies import DEAD
from emubot.games.colours.search.matching_search import Position, Search, straight_drops
from emubot.rammap import RamMap
from emubot.session.positions import explainer_of
from emubot.snapshot import Piece, Placement
from emubot.tempo import InputState, parse_taps
from emubot.weights import load_weights
from tests.games.colours.matching_board_twin import Cells, fields, twin_resolve
from tests.games.colours.test_matching_features import measured
from tests.games.colours.test_matching_search import TINY, TRIPLES, VECTOR
from tests.games.colours.test_matching_two_turns import KEEPING, LEANING, SWAPPING

WEIGHTS, TAPS = load_weights("capsules"), parse_taps("12hz")
BOTTLE = (". . R . . . . .", "yv. . . . . . .", "y^b>r<. . B . .", "R y . . r . Y b")
FULL = (
    *("yyrbybry", "yrybrryr", "byryyyby", "bbyryryb", "ybrybyyb", "bybrybyy", "yrbrbbrb", "rrbyrbrr", "yryrryrb"),
    *("bbrybrby", "ybyyybrb", "rbrbryrr", "brbrbrbb", "byyryryb", "yyyRyrbb"),
)
DRAWN = DrawnPosition(BOTTLE, "rb", "yy")
ROWS = ("b.....", "gg....", "ryb...", "bbyg..", "rbrgy.", "bgryyb")
THREES = DrawnPosition(ROWS, "rgb", "yyb", rules="columns", pace="fast")
FEW = ExplainOptions(top=3, games=0)
ALL = ExplainOptions(top=60, games=0)


def explained(drawn: DrawnPosition = DRAWN, options: ExplainOptions = FEW) -> Explanation:
    edition, snapshot = GAME.position(drawn)
    return explainer_of(edition).explain(snapshot, WEIGHTS, TAPS, options)


# Values.


@st.composite
def situations(draw: st.DrawFn) -> tuple[Rules, Cells, Cells, tuple[int, ...], tuple[int, ...]]:
    """A field at rest of a small game, a piece, and the next one, which may not be known."""
    rules = draw(st.sampled_from((TINY, TRIPLES)))
    cells, links = checked_field(*draw(fields(rules.stored_rows, rules.columns, rules.colors)))
    if not rules.joined:
        links[:] = NO_LINK
    cells[: rules.stored_rows // 2], links[: rules.stored_rows // 2] = 0, 0
    cells, links = checked_field(cells, links)
    twin_resolve(cells, links, rules.match, rules.match_size)
    piece = st.tuples(*[st.integers(1, rules.colors)] * rules.piece_cells)
    return rules, cells, links, draw(piece), draw(st.one_of(st.just(()), piece))


@pytest.mark.slow
@pytest.mark.jit
@settings(deadline=None, max_examples=60)
@given(situations(), st.sampled_from([0, 300, 3000]))
def test_the_parts_of_a_value_are_those_of_the_search(situation: Any, nodes: int) -> None:
    rules, cells, links, piece, following = situation
    search = Search(rules, VECTOR, nodes)
    position = Position(cells, links, piece, following)
    for place in straight_drops(cells, piece, rules):
        way = fresh_way()
        task, play = search.begin(position, np.array([place]), nodes)
        pieces, _ = follow(task, play, search.scratch, way)
        value = way.values[pieces - 1]
        assert value == search.rank(position, np.array([place]))[0][0], "as the search has it"
        after = lock(cells, links, tuple(place.tolist()), piece, rules)
        assert pieces == (1 if after.lost or after.won or not following else 2 if task.width == 0 else pieces)
        for depth in range(pieces):
            amounts = way.amounts[depth]
            total = VECTOR @ amounts[: len(VECTOR)] + amounts[LOST_AT] + amounts[WON_AT]
            assert total == pytest.approx(way.values[depth], rel=1e-9, abs=1e-6)
        assert bool(way.amounts[0, LOST_AT]) == after.lost
        assert bool(way.amounts[0, WON_AT]) == after.won
        own = measured(after.cells, rules)
        assert {name: way.amounts[0, FEATURE_NAMES.index(name)] for name in own} == pytest.approx(own)


@pytest.mark.jit
@pytest.mark.parametrize("drawn", [DRAWN, THREES], ids=["capsules", "columns"])
@pytest.mark.parametrize("nodes", [None, 0])
def test_the_parts_add_up_and_one_placement_is_played(drawn: DrawnPosition, nodes: int | None) -> None:
    shown = explained(drawn, replace(FEW, nodes=nodes))
    assert len(shown.placements) == 3
    assert sum(one.chosen for one in shown.placements) == 1
    values = [one.value for one in shown.placements]
    assert values == sorted(values, reverse=True)
    for one in shown.placements:
        assert sum(part.value for part in one.parts) == pytest.approx(one.value)
        assert one.depths[-1].value == one.value
        assert [depth.pieces for depth in one.depths] == ([1, 2] if nodes == 0 else [1, 2, 3])
        assert one.next_name is not None
        assert one.after is not None
        assert sum(part.value for part in one.after.parts) == pytest.approx(one.depths[0].value)
    assert shown.settings["search"] == ("two pieces" if nodes == 0 else "three pieces")


@pytest.mark.jit
def test_the_bot_plays_what_it_plays_without_being_asked() -> None:
    edition, snapshot = GAME.position(DRAWN)
    thinker = edition.thinker(WEIGHTS, TAPS)
    decided = thinker.decide(snapshot, InputState(rest=TAPS.reaction, turn_rest=TAPS.reaction))
    shown = explained(options=ALL)
    assert decided.placement is not None
    (chosen,) = [one.placement for one in shown.placements if one.chosen]
    assert replace(chosen, value=0.0) == replace(decided.placement, value=0.0)
    assert shown.nodes == decided.nodes


@pytest.mark.jit
def test_without_a_next_piece_one_piece_counts() -> None:
    shown = explained(replace(DRAWN, next_piece=None))
    assert shown.next_piece is None
    assert all([depth.pieces for depth in one.depths] == [1] for one in shown.placements)
    assert (shown.settings["search"], shown.placements[0].next_name) == ("one piece", None)


@pytest.mark.jit
def test_what_vanishes_is_counted_and_the_rest_is_drawn() -> None:
    three = DrawnPosition(("R......B", "r......Y", "r......y"), "rb", None)
    shown = explained(three, ALL)
    one = next(one for one in shown.placements if one.name == "b on r, column 1, rows 4-5")
    assert one.after is not None
    assert one.after.cleared == {"steps": 1, "lines": 1, "cells": 4, "targets": 1, "targets_left": 2}
    assert one.after.words == ("1 line", "1 target gone", "2 targets left")
    assert joined(one.after.lines, one.after.joints)[-2:] == [". . . . . . . Y ", "b . . . . . . y "]
    flat = next(one for one in shown.placements if one.name == "r b, columns 4-5, row 1")
    assert flat.after is not None
    assert flat.after.words == ("no line", "3 targets left")
    assert joined(flat.after.lines, flat.after.joints)[-1] == "r . . r>b<. . y "


@pytest.mark.jit
def test_a_won_stage_and_a_lost_game_say_so() -> None:
    last = DrawnPosition(("R.......", "r.......", "r......."), "rb", None)
    best = explained(last, ALL).placements[0]
    assert best.after is not None
    assert (best.parts[-1].name, best.after.words) == (WON, ("1 line", "1 target gone", WON))
    shown = explained(DrawnPosition(FULL, "rb", None), ALL)
    lost = [one for one in shown.placements if one.value <= DEAD / 2]
    assert lost
    assert all(LOST in {part.name for part in one.parts} for one in lost)
    assert all(one.after is not None and one.after.words[-1] == LOST for one in lost)


@pytest.mark.jit
def test_risks_are_those_of_seeded_games() -> None:
    high = DrawnPosition(FULL[1:], "rb", "yr", pace="fast")
    found = [
        [one.risk for one in explained(high, ExplainOptions(top=2, games=20, seed=seed)).placements]
        for seed in (0, 0, 1)
    ]
    assert found[0] == found[1]
    assert all(risk is not None and (risk.pieces, risk.games) == (PIECES, 20) for risk in found[0])
    assert any(risk is not None and risk.deaths for risk in found[0])
    low = explained(options=ExplainOptions(top=1, games=3)).placements[0].risk
    assert low is not None
    assert low.deaths == 0


@pytest.mark.jit
def test_without_a_timing_a_placement_has_its_moves() -> None:
    edition, snapshot = GAME.position(DRAWN)
    ram_map = edition.ram_map
    document = ram_map.document.model_copy(update={"timing": type(ram_map.document.timing)()})
    shown = explain(replace(ram_map, document=document), snapshot, WEIGHTS, TAPS, FEW)
    for one in shown.placements:
        assert not one.placement.timeline
        assert one.placement.moves or one.placement.column == 3
    for one in explained().placements:
        assert one.placement.timeline


@pytest.mark.jit
@pytest.mark.parametrize("ram_map", [KEEPING, LEANING, SWAPPING], ids=["keeping", "leaning", "swapping"])
def test_pieces_of_two_orientations_are_explained_by_the_turns_of_their_map(ram_map: RamMap) -> None:
    rules = check_matching(ram_map)
    edition, snapshot = GAME.position(DRAWN, ram_map)
    shown = explainer_of(edition).explain(snapshot, WEIGHTS, TAPS, ALL)
    assert {one.placement.orientation for one in shown.placements} <= {*rules.orientations}
    assert sum(one.chosen for one in shown.placements) == 1
    for one in shown.placements:
        assert sum(part.value for part in one.parts) == pytest.approx(one.value)
    _, falling = GAME.position(replace(DRAWN, board=("..r*.....", "..b*.....", *BOTTLE), piece=None), ram_map)
    assert falling.current is not None
    assert falling.current.orientation in rules.orientations
    assert kinds_of(falling, rules) == ((3, 1) if ram_map is LEANING else (1, 3))


# Fields in text.


def test_a_drawn_field_is_the_position() -> None:
    edition, snapshot = GAME.position(replace(DRAWN, level=4, pace="fast"))
    assert (edition.ram_map.name, snapshot.current, kinds_of(snapshot, CAPSULES)) == (
        "demo_capsules",
        Piece(0, 3, 0),
        (1, 3),
    )
    assert (snapshot.next, snapshot.counters["stage"], snapshot.counters["pace"]) == ((2, 2), 4, 2)
    cells, links = field_of(snapshot)
    rows = [line.replace(" ", "") for line in joined(lines_of(cells), joints_of(links))]
    assert rows[-4:] == [line.replace(" ", "") for line in BOTTLE]
    assert not cells[:-4].any()
    slow = GAME.position(DRAWN)[1].counters["drop_timer"]
    assert slow > snapshot.counters["drop_timer"]
    columns, shown = GAME.position(THREES)
    assert (columns.ram_map.profile, shown.current, kinds_of(shown, COLUMNS)) == ("columns", Piece(0, 2, 2), (1, 4, 3))
    assert GAME.position(replace(THREES, colors=4))[0].ram_map.rules["colors"] == 4


@given(fields(16, 8, 3))
def test_a_field_is_written_as_it_is_read(field: tuple[Cells, Cells]) -> None:
    cells, links = checked_field(*field)
    lines = joined(lines_of(cells), joints_of(links))
    read, joints, in_air = field_of_lines(tuple(lines), CAPSULES)
    assert (read == cells).all()
    assert (joints == links).all()
    assert in_air == []


@pytest.mark.parametrize(
    ("above", "named", "expected", "kinds"),
    [
        (". . r*b* . . . .", None, Piece(0, 2, 11), (1, 3)),
        (". . r*b* . . . .", "br", Piece(2, 2, 11), (3, 1)),
        (". . y*y* . . . .", None, Piece(0, 2, 11), (2, 2)),
        ("..r*.....\n..b*.....", None, Piece(1, 2, 11), (1, 3)),
        ("..r*.....\n..b*.....", "br", Piece(3, 2, 11), (3, 1)),
    ],
)
def test_the_piece_may_be_drawn_where_it_is(
    above: str, named: str | None, expected: Piece, kinds: tuple[int, ...]
) -> None:
    _, snapshot = GAME.position(replace(DRAWN, board=(*above.split("\n"), *BOTTLE), piece=named))
    assert (snapshot.current, kinds_of(snapshot, CAPSULES)) == (expected, kinds)


def test_a_piece_of_three_may_be_drawn_where_it_is() -> None:
    drawn = replace(THREES, board=("....r*.", "....g*.", "....b*.", *ROWS), piece=None)
    _, snapshot = GAME.position(drawn)
    assert (snapshot.current, kinds_of(snapshot, COLUMNS)) == (Piece(0, 4, 6), (1, 4, 3))
    _, turned = GAME.position(replace(drawn, piece="gbr"))
    assert (turned.current, kinds_of(turned, COLUMNS)) == (Piece(1, 4, 6), (4, 3, 1))


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (
            replace(DRAWN, board=("r......",)),
            "is 'r......': draw 8 cells, rybgpo for colours, RYBGPO",
        ),
        (
            replace(DRAWN, board=("x.......",)),
            "for their targets, # for a wall, . for empty, > < .{1,2} or v after a cell",
        ),
        (replace(DRAWN, board=("R>r<......",)), "Line 1 of the field"),
        (replace(DRAWN, board=("r><......",)), "Line 1 of the field"),
        (replace(THREES, board=("r>r<....",)), "draw 6 cells, rybgpo for colours, # for a wall, . for empty, and [*]"),
        (replace(DRAWN, board=()), "capsules has 1 to 16 lines of 8 cells, not 0"),
        (replace(DRAWN, board=("r>.......",)), "The cell in column 1, row 1, is marked >, and there is no cell"),
        (replace(DRAWN, board=(".<......R",)), "Line 1 of the field"),
        (replace(DRAWN, board=("r>b>r<.....",)), "Line 1 of the field|is marked >"),
        (replace(DRAWN, board=("r.......", "........")), "The cell in column 1, row 2, has nothing below it"),
        (replace(DRAWN, board=("Rrrr....",)), "The field has a line of 4 or more: it vanishes"),
        (replace(DRAWN, board=("...R....",) + ("........",) * 15), "A cell where the piece appears is filled"),
        (replace(DRAWN, board=("r.......",)), "A stage without targets is won: draw at least one, as a capital letter"),
        (replace(THREES, board=("R.....",)), "The rules columns have no targets: draw small letters only"),
        (replace(DRAWN, piece=None), r"Name it with --piece, or draw it with \* after each cell"),
        (replace(DRAWN, piece="r"), "'r' is no piece: name its 2 cells from left to right by the letters rybgpo"),
        (replace(THREES, piece="rb"), "name its 3 cells downwards"),
        (replace(DRAWN, next_piece="rx"), "'rx' is no piece"),
        (replace(DRAWN, board=("r*.......", *BOTTLE)), r"The cells r with \* are no piece"),
        (
            replace(DRAWN, board=("r*.b*.....", *BOTTLE), piece=None),
            "its 2 cells side by side or one on the other",
        ),
        (replace(DRAWN, board=("y*b*......", *BOTTLE)), "or not that of --piece"),
        (replace(DRAWN, piece="gr"), "The position has colour g, and the colours in play are ryb"),
        (replace(DRAWN, board=("G.......",)), "The position has colour g"),
        (replace(DRAWN, colors=4), "--colors is 2 to 3 under the rules capsules, not 4"),
        (replace(DRAWN, lines=3), "Matching games have no --lines"),
        (replace(DRAWN, level=256), "stages from 0 to 255, not 256"),
        (replace(DRAWN, pace="quick"), "There is no pace 'quick': --pace is one of slow, medium, fast"),
        (replace(DRAWN, rules="capsule"), r"There are no rules 'capsule' \(did you mean capsules\?\)"),
    ],
)
def test_a_field_that_no_game_has_is_refused(drawn: DrawnPosition, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        GAME.position(drawn)


@pytest.mark.parametrize(
    ("kinds", "place", "rules", "words"),
    [
        ((1, 3), (0, 1, 12), CAPSULES, "r b, columns 2-3, row 4"),
        ((1, 3), (2, 1, 12), CAPSULES, "b r, columns 2-3, row 4"),
        ((1, 3), (1, 0, 15), CAPSULES, "r on b, column 1, rows 1-2"),
        ((1, 3), (1, 0, 0), CAPSULES, "b, column 1, row 16"),
        ((1, 4, 3), (0, 5, 12), COLUMNS, "r on g on b, column 6, rows 1-3"),
        ((1, 4, 3), (1, 5, 12), COLUMNS, "b on r on g, column 6, rows 1-3"),
    ],
)
def test_a_placement_in_words(kinds: tuple[int, ...], place: tuple[int, ...], rules: Rules, words: str) -> None:
    assert placement_name(kinds, place, rules) == words


def test_pieces_are_letters() -> None:
    assert piece_of("Rb", CAPSULES) == (1, 3)
    assert piece_of("ryg", COLUMNS) == (1, 2, 4)


# Words.


def field_with(**amounts: float) -> ExplainedPlacement:
    """A placement whose field has these features, each worth its weight in the trained weights."""
    weights = dict(zip(WEIGHTS.features.names, WEIGHTS.values, strict=True))
    ends = {"lost": LOST, "won": WON}
    parts = tuple(
        Part(ends[name], amount) if name in ends else Part(name, weights[name] * amount, amount)
        for name, amount in amounts.items()
    )
    after = FieldAfter((), parts, "", None, {}, ())
    return ExplainedPlacement(Placement(0, 0, 0), "", 0.0, False, None, (), (), None, after)


@pytest.mark.parametrize(
    ("played", "best", "words"),
    [
        ({"lost": DEAD}, {}, ["shuts the entry: the game ends"]),
        ({"targets": 1.0}, {"won": -DEAD}, ["does not win the stage", "leaves 1 target that the other one clears"]),
        ({"targets": 3.0}, {"targets": 1.0}, ["leaves 2 targets that the other one clears"]),
        ({"filled": 9.0}, {"filled": 5.0, "lines": 1.0}, ["clears no line, where 1 can go"]),
        ({"covered": 2.0}, {"covered": 1.0}, ["buries a target"]),
        ({"covered": 3.0}, {"covered": 1.0}, ["buries 2 targets"]),
        ({"covered": 1.0, "buried": 3.0}, {"covered": 1.0, "buried": 2.0}, ["puts more on a buried target"]),
        ({"shut": 1.0, "sealed": 2.0}, {}, ["cuts off 2 targets"]),
        ({"closed": 1.0}, {}, ["closes a column"]),
        ({"brink": 4.0}, {"brink": 1.0}, ["leaves less room at the top"]),
        ({"entry": 9.0}, {"entry": 1.0}, ["stacks 8 rows higher below the entry"]),
        ({"ready": 1.0}, {"ready": 2.0, "target_ready": 1.0}, ["spoils 2 lines that lack one cell"]),
        ({}, {"begun": 1.0}, ["leaves less to build on"]),
        ({"changes_down": 2.0}, {"changes_down": 1.0}, ["puts different colours on each other"]),
        ({"changes_across": 2.0}, {}, ["puts different colours side by side"]),
        ({"holes": 1.0}, {}, ["makes a hole"]),
        ({"highest": 7.0}, {"highest": 5.0}, ["stacks 2 rows higher"]),
        ({"roughness": 7.0}, {"roughness": 5.0}, ["leaves a rougher surface"]),
        ({"holes": 1.0, "covered": 5.0, "shut": 1.0, "highest": 1.0}, {}, None),
        ({"covered": 1.0}, {"covered": 2.0}, []),
    ],
)
def test_words_for_what_is_worse(played: dict[str, float], best: dict[str, float], words: list[str] | None) -> None:
    said = remarks(field_with(**played), field_with(**best))
    if words is None:
        assert said == ["cuts off a target", "buries 5 targets", "makes a hole"], "what costs most first, at most three"
    else:
        assert said == words


# Refusals.


@pytest.mark.jit
def test_what_cannot_be_explained_is_refused() -> None:
    edition, snapshot = GAME.position(DRAWN)
    with pytest.raises(UsageError, match=r"no piece in the air \(drawn\)"):
        explain(edition.ram_map, replace(snapshot, current=None), WEIGHTS, TAPS, FEW)
    with pytest.raises(UsageError, match="Matching games have no --aim"):
        explained(options=replace(FEW, aim="survive"))
