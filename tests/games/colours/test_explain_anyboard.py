"""Explained decisions of pairs on fields of any size: the same values as the search's, chains, names, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.explanation import DrawnPosition, ExplainOptions, Explanation
from emubot.games.colours.board.anyboard_bounds import limits_of
from emubot.games.colours.explain.by_feature import THIRD
from emubot.games.colours.explain.explain import explain
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.puyo import GAME
from emubot.games.colours.search.anyboard_search import AnySearch
from emubot.rammap import RamMap
from emubot.session.positions import explainer_of
from emubot.snapshot import Snapshot
from emubot.tempo import parse_taps
from emubot.weights import load_weights
from tests.games.colours.test_anyboard_maps import map_of, seen
from tests.games.colours.toy_pairs import Narrow, Tall, ToyPairs, Untimed, Wide

WEIGHTS, TAPS = load_weights("famicom_puyo"), parse_taps("12hz")
ALL = ExplainOptions(top=60, games=0)
SIZES = [Narrow, Wide, Tall, Untimed]


def on_a_field(toy: type[ToyPairs], lowest: str = "") -> tuple[RamMap, Snapshot]:
    """A pair in the air above a row of these colours, and a next one."""
    snapshot = seen(toy, (1, 3), 0, (1, 2))
    field = snapshot.playfield.copy()
    for column, kind in enumerate(lowest):
        field[-1, column] = int(kind)
    return map_of(toy.text), replace(snapshot, playfield=field)


def explained(toy: type[ToyPairs], lowest: str = "", options: ExplainOptions = ALL) -> Explanation:
    ram_map, snapshot = on_a_field(toy, lowest)
    return explain(ram_map, snapshot, WEIGHTS, TAPS, options)


@pytest.mark.jit
@pytest.mark.parametrize("toy", SIZES)
def test_a_placement_is_worth_what_the_search_says(toy: type[ToyPairs]) -> None:
    ram_map, snapshot = on_a_field(toy, "1231")
    shown = explained(toy, "1231")
    rules = rules_of_map(ram_map)
    cells = np.concatenate((snapshot.hidden[::-1], snapshot.playfield))
    pair = (snapshot.counters["pivot"], snapshot.counters["satellite"])
    following = tuple(zip(snapshot.next[::2], snapshot.next[1::2], strict=True))
    places = np.array([[one.placement.orientation, one.placement.column] for one in shown.placements])
    values, _ = AnySearch(rules, WEIGHTS).rank(cells, pair, following, places)
    assert [one.value for one in shown.placements] == pytest.approx(values.tolist())
    assert [one.chosen for one in shown.placements] == [True] + [False] * (len(places) - 1)
    assert len(places) > rules.columns
    for one in shown.placements:
        assert sum(part.value for part in one.parts) == pytest.approx(one.value)
        assert one.depths[-1].value == one.value
        assert one.after is not None
        assert len(one.after.lines) == rules.stored_rows
        assert {len(line) for line in one.after.lines} == {rules.columns}
        filled = sum(letter != "." for line in one.after.lines for letter in line)
        assert filled == 6 or one.after.cleared["steps"]


@pytest.mark.jit
def test_the_chain_that_a_wide_field_is_ready_for_is_drawn() -> None:
    rules = rules_of_map(map_of(Wide.text))
    assert rules.columns > 6
    row = "." * (rules.columns - 3) + "111"
    shown = explained(Wide, row.replace(".", "0"))
    left = next(one for one in shown.placements if one.name.startswith("G on R, column 1"))
    assert left.after is not None
    chain = left.after.chain
    assert chain is not None
    assert (chain.steps, chain.color, chain.trigger) == (1, "R", ((rules.columns - 4, rules.visible_rows - 1),))
    assert left.after.words == ("1 step", f"{chain.points} points")


@pytest.mark.jit
def test_risks_are_those_of_seeded_games() -> None:
    one, again = (explained(Narrow, "1", ExplainOptions(top=2, games=3, seed=4)).placements for _ in range(2))
    assert one == again
    assert all(placed.risk is not None and placed.risk.games == 3 for placed in one)


def test_an_aim_is_refused() -> None:
    with pytest.raises(UsageError, match="searched in one way, whatever the aim: leave out --aim"):
        explained(Narrow, "", replace(ALL, aim="chain"))


@pytest.mark.jit
@pytest.mark.parametrize("toy", [Narrow, Wide])
def test_with_nodes_a_third_pair_is_a_part(toy: type[ToyPairs]) -> None:
    ram_map, snapshot = on_a_field(toy, "1231")
    shown = explained(toy, "1231", replace(ALL, nodes=6_000, top=4))
    search = AnySearch(rules_of_map(ram_map), WEIGHTS, 6_000)
    cells = np.concatenate((snapshot.hidden[::-1], snapshot.playfield))
    following = tuple(zip(snapshot.next[::2], snapshot.next[1::2], strict=True))
    limits = limits_of(rules_of_map(ram_map), TAPS, 16) if "gravity" in ram_map.timing else None
    for one in shown.placements:
        place = np.array([[one.placement.orientation, one.placement.column]])
        assert one.value == search.rank(cells, (1, 2), following, place, limits=limits)[0][0]
        assert one.parts[-1].name == THIRD
        assert sum(part.value for part in one.parts) == pytest.approx(one.value)
        assert [depth.pieces for depth in one.depths] == [1, 2, 3]
    assert (shown.settings["search"], shown.settings["nodes"]) == ("three plies", 6_000)
    assert sum(one.chosen for one in shown.placements) == 1


@pytest.mark.jit
def test_a_field_of_any_size_may_be_drawn_for_its_map() -> None:
    drawn = DrawnPosition(("R......B", "RYGGYRBB"), "RG", "BB")
    edition, snapshot = GAME.position(drawn, map_of(Wide.text))
    assert snapshot.playfield.shape == (Wide.rows, Wide.columns)
    shown = explainer_of(edition).explain(snapshot, WEIGHTS, TAPS, ALL)
    assert sum(one.chosen for one in shown.placements) == 1
    assert shown.settings["colors"] == Wide.colors
    with pytest.raises(UsageError, match="1 to 13 lines of 8 cells, not 14"):
        GAME.position(replace(drawn, board=("........",) * 14), map_of(Wide.text))
    with pytest.raises(UsageError, match="draw 8 cells"):
        GAME.position(replace(drawn, board=("......",)), map_of(Wide.text))
