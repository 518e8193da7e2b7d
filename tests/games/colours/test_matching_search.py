"""The search of matching games against a slow twin, and choices that anyone can check by eye."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import WeightsError
from emubot.games.colours.board.control import fits
from emubot.games.colours.board.matching_cells import checked_field, put_piece, resolve_field, targets_in
from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.matching_rules import CAPSULES, COLUMNS, Rules
from emubot.games.colours.search.matching_plies import DEAD, SOONER, WON
from emubot.games.colours.search.matching_search import Position, Search, TimedSearch, search_for, straight_drops
from emubot.games.colours.search.ways import futures_of
from emubot.games.pace import Pace
from emubot.snapshot import Piece
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights, load_weights
from tests.games.colours.matching_board_twin import Cells, drawn, fields
from tests.games.colours.test_matching_features import measured

TINY = replace(CAPSULES, columns=4, visible_rows=6, colors=2, spawn=Piece(0, 1, 0), targets=(1,), target_rows=(2,))
TRIPLES = replace(COLUMNS, columns=4, visible_rows=6, colors=2, spawn=Piece(0, 1, 2))
LEFT_OUT = ("chance",)
WEIGHTS = {name: float((7 * index) % 11 - 5) for index, name in enumerate(FEATURE_NAMES) if name not in LEFT_OUT}
VECTOR = np.array([WEIGHTS.get(name, 0.0) for name in FEATURE_NAMES])


class Field:
    """A field with what vanished on the way to it: the twin's node."""

    def __init__(self, cells: Cells, links: Cells, moved: tuple[int, int, int] = (0, 0, 0), depth: int = 0) -> None:
        self.cells, self.links, self.moved, self.depth = cells, links, moved, depth
        self.ended = 0.0

    def after(self, place: list[int], kinds: tuple[int, ...], rules: Rules) -> Field:
        made = Field(self.cells.copy(), self.links.copy(), depth=self.depth + 1)
        orientation, column, row = place
        put_piece(made.cells, made.links, rules, (orientation, column, row), kinds)
        done = resolve_field(made.cells, made.links, rules)
        found = (done.removed, max(done.chain - 1, 0), done.lines)
        made.moved = tuple(one + other for one, other in zip(self.moved, found, strict=True))
        spawn = rules.spawn
        if rules.targets and done.removed and not targets_in(made.cells):
            made.ended = WON - SOONER * made.depth
        elif not fits(made.cells, rules.hidden_rows, rules.shapes[spawn.orientation], spawn.column, spawn.row):
            made.ended = DEAD
        return made

    def value(self, rules: Rules) -> float:
        values = measured(self.cells, rules) | dict(zip(("cleared", "chain", "lines"), self.moved, strict=True))
        return self.ended + sum(WEIGHTS[name] * value for name, value in values.items())


def best(field: Field, kinds: tuple[int, ...], rules: Rules) -> float:
    """The best value of a piece's straight drops."""
    places = straight_drops(field.cells, kinds, rules).tolist()
    return max((field.after(place, kinds, rules).value(rules) for place in places), default=DEAD + field.value(rules))


def expected(field: Field, following: tuple[int, ...], rules: Rules, deep: bool) -> float:
    """The value of a field before the next piece: two pieces deep, or with the mean over the third."""
    if field.ended or not following:
        return field.value(rules)
    places = straight_drops(field.cells, following, rules).tolist()
    leaves = [field.after(place, following, rules) for place in places]
    if not leaves:
        return DEAD + field.value(rules)
    if not deep:
        return max(leaf.value(rules) for leaf in leaves)
    futures = futures_of(rules.colors, rules.piece_cells)
    pieces = [tuple(kinds) for kinds in futures.kinds.tolist()]
    return max(
        leaf.value(rules)
        if leaf.ended
        else sum(weight * best(leaf, kinds, rules) for kinds, weight in zip(pieces, futures.weights, strict=True))
        for leaf in leaves
    )


def settle(cells: Cells, links: Cells, rules: Rules, free: int) -> None:
    """Empty the highest rows and let the rest fall: no field is decided on while its cells fall."""
    cells[:free], links[: free + 1] = 0, 0
    links[:] = checked_field(cells, links)[1]
    resolve_field(cells, links, rules)


@settings(deadline=None, max_examples=25)
@given(fields(rows=6, columns=4, colors=2), st.sampled_from((TINY, TRIPLES)), st.booleans())
def test_two_pieces_are_valued_as_by_the_twin(field: tuple[Cells, Cells], rules: Rules, known: bool) -> None:
    cells, links = field
    settle(cells, links, rules, 3)
    kinds, following = (1, 2, 1)[: rules.piece_cells], (2, 1, 1)[: rules.piece_cells] if known else ()
    places = straight_drops(cells, kinds, rules)
    found, nodes = Search(rules, VECTOR, 0).rank(Position(cells, links, kinds, following), places)
    start = Field(cells, links)
    twin = [expected(start.after(place, kinds, rules), following, rules, False) for place in places.tolist()]
    assert found == pytest.approx(twin)
    assert nodes >= len(places) > 0


@settings(deadline=None, max_examples=3)
@given(fields(rows=6, columns=4, colors=2))
def test_the_mean_over_the_third_piece_is_that_of_the_twin(field: tuple[Cells, Cells]) -> None:
    cells, links = field
    settle(cells, links, TINY, 4)
    places = straight_drops(cells, (1, 2), TINY)
    found, _ = Search(TINY, VECTOR, 1_000_000).rank(Position(cells, links, (1, 2), (1, 1)), places)
    start = Field(cells, links)
    twin = [expected(start.after(place, (1, 2), TINY), (1, 1), TINY, True) for place in places.tolist()]
    assert found == pytest.approx(twin)


def test_a_stage_that_is_won_at_once_is_worth_more_than_any_that_is_won_later() -> None:
    cells = np.zeros((6, 4), dtype=np.uint8)
    cells[5] = 0, 1, 1, 11  # a target beside two halves of its colour
    places = straight_drops(cells, (1, 2), TINY)
    found, _ = Search(TINY, VECTOR, 1_000_000).rank(Position(cells, np.zeros_like(cells), (1, 2), (1, 1)), places)
    assert found.max() > WON - 2 * SOONER, "the others win one piece later, and were looked at more deeply"


def test_the_last_target_is_taken_at_once() -> None:
    cells = drawn(*["........"] * 13, "R.......", "R.......", "r......Y")
    search = search_for(load_weights("capsules"), CAPSULES)
    places = straight_drops(cells, (1, 3), CAPSULES)
    choice = search.decide(Position(cells, np.zeros_like(cells), (1, 3), (2, 2)), places)
    orientation, column, _ = places[choice.index].tolist()
    assert column == 0
    assert orientation in (0, 3), "half 1, the red one, comes to lie on the stack"
    assert choice.value > WON / 2


def test_a_set_for_the_rules_plays_instead_of_the_files_own_values() -> None:
    weights = load_weights("capsules")
    cells = drawn(*["......"] * 13)
    position, places = Position(cells, cells.copy(), (1, 2, 3), (1, 1, 1)), straight_drops(cells, (1, 2, 3), COLUMNS)
    by_set, _ = search_for(weights, COLUMNS).rank(position, places)
    [given_set] = weights.sets
    alone = Weights(game="matching", features=given_set.features, values=given_set.values)
    by_values, _ = search_for(alone, COLUMNS).rank(position, places)
    assert by_set.tolist() == by_values.tolist()
    own = weights.model_copy(update={"sets": ()})
    assert by_set.tolist() != search_for(own, COLUMNS).rank(position, places)[0].tolist()


def test_weights_of_other_features_are_refused() -> None:
    other = Weights(game="matching", features=FeatureSet(version=FEATURE_VERSION, names=("holiness",)), values=(1.0,))
    with pytest.raises(WeightsError, match="holiness"):
        search_for(other, CAPSULES)
    with pytest.raises(ValueError, match="rows of 8"):
        Search(CAPSULES, VECTOR).rank(Position(np.zeros((3, 8)), np.zeros((3, 8)), (1, 2)), np.zeros((0, 3)))


def test_more_time_values_more_fields() -> None:
    cells = drawn(*["........"] * 12, *["R.Y.B.R."] * 4)
    places = straight_drops(cells, (1, 2), CAPSULES)
    position = Position(cells, np.zeros_like(cells), (1, 2), (2, 3))
    pace = Pace(200.0, 100_000, clock=count(0.0, 0.001).__next__)  # each decision takes a millisecond
    timed = TimedSearch(CAPSULES, VECTOR, pace)
    first, later = timed.rank(position, places)[1], timed.rank(position, places)[1]
    assert later > first, "the first decision measures how long a field takes"
