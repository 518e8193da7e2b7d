"""The search by beams: budget, samples, horizon, items and its choice among weights, rules and aims."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError, WeightsError
from emubot.games.colours.bounds import MOST_NODES
from emubot.games.colours.evaluation.puyo_names import BUILDING_NAMES
from emubot.games.colours.rules import BIG, COLUMNS, FAMICOM_1991, TSU, rules_of
from emubot.games.colours.search import beam_search as module
from emubot.games.colours.search.beam import Aim, grow
from emubot.games.colours.search.beam_search import BeamSearch, TimedBeam
from emubot.games.colours.search.engine import Budget, CarefulSearch, search_for
from emubot.games.colours.search.nodes import Layer
from emubot.games.colours.search.search import Position, Search, TwoPlies, placements
from emubot.games.colours.search.two_plies import DEAD
from emubot.games.pace import Pace
from emubot.weight_parts import FeatureSet, ValueSet
from emubot.weights import Weights, load_weights
from tests.games.colours import field_twin as twin

pytestmark = pytest.mark.jit

VALUES = {"chain": 100.0, "threes": 60.0, "link_pairs": 30.0, "wells": -40.0, "column_3": -30.0}
VECTOR = np.array([VALUES.get(name, 0.0) for name in BUILDING_NAMES])
ONE_CHAIN = Aim(1e6, 0.0, 0, 0.0)
EMPTY = np.zeros((TSU.stored_rows, COLUMNS), dtype=np.uint8)


def weights_of(**values: float) -> Weights:
    return Weights(game="puyo", features=FeatureSet(version=1, names=tuple(values)), values=tuple(values.values()))


def beam(nodes: int = 3000, seed: int = 0) -> BeamSearch:
    return BeamSearch(TSU, VECTOR, ONE_CHAIN, nodes, seed)


def ranked(search: Search, position: Position) -> tuple[NDArray[np.float64], int]:
    return search.rank(position, placements(position.cells, position.pair, TSU))


def test_a_decision_repeats_and_another_seed_samples_other_pairs() -> None:
    position = Position(EMPTY, (1, 2), ((3, 3),))
    search = beam()
    ranked(search, Position(EMPTY, (4, 4), ((1, 3),)))  # what was searched before changes nothing
    values, nodes = ranked(search, position)
    again, same = ranked(beam(), position)
    assert (values.tolist(), nodes) == (again.tolist(), same)
    assert ranked(beam(seed=1), position)[0].tolist() != values.tolist()


@pytest.mark.parametrize("nodes", [5_000, 20_000, 60_000])
def test_about_so_many_fields_are_made(nodes: int) -> None:
    """Fields early in a game are fewer than the branches that the number of samples counts on."""
    cells = twin.cells_of([[1, 2, 3], [2, 3], [4], [1, 1], [3, 2, 2], [4, 4, 1]], TSU)
    _, made = ranked(beam(nodes), Position(cells, (1, 2), ((3, 4),)))
    assert 0.6 * nodes < made < 1.3 * nodes


def test_the_next_decision_foresees_the_same_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples go on where the field goes on: two puyos more, one pair less ahead. A larger budget adds samples."""
    samples: list[list[list[list[int]]]] = []
    plain = grow

    def noted(start: Layer, count: int, pairs: NDArray[np.uint8], *rest: Any) -> tuple[int, int]:
        samples[-1].append(pairs.tolist())
        return plain(start, count, pairs, *rest)

    monkeypatch.setattr(module, "grow", noted)
    cells = twin.cells_of([[1, 2, 3], [2, 3], [4], [1, 1], [3, 2, 2], [4, 4, 1]], TSU)
    later = twin.cells_of([[1, 2, 3], [2, 3], [4, 1, 2], [1, 1], [3, 2, 2], [4, 4, 1]], TSU)
    for search, position in (
        (beam(), Position(cells, (1, 2), ((3, 4),))),
        (beam(), Position(later, (3, 4), ((2, 2),))),
        (beam(60_000), Position(cells, (2, 1), ((3, 3),))),
        (beam(), Position(cells, (1, 2), ((3, 4), (1, 1)))),
    ):
        samples.append([])
        ranked(search, position)
    now, after, more, known = (each[1:] for each in samples)  # the first is that of the known pairs
    assert len(now) == len(after) >= 4
    assert len({str(each) for each in now}) == len(now)
    for one, other, shown in zip(now, after, known, strict=True):
        assert other[:-1] == one[1:]
        assert shown == one[1:]
    assert len(more) > len(now)
    assert more[: len(now)] == now


def test_samples_of_a_full_field_are_as_deep_as_any() -> None:
    full = np.ones((TSU.stored_rows, COLUMNS), dtype=np.uint8)
    for cells in (EMPTY, full):
        samples = beam()._samples(Position(cells, (1, 2)), 0, 4)
        assert {len(each) for each in samples} == {module.DEPTH - 1}


def test_no_pair_after_the_last_is_searched() -> None:
    chances = []
    for left in (0, 1, 2, 8):
        values, nodes = ranked(beam(), Position(EMPTY, (1, 2), ((3, 3), (3, 3)), left=left))
        chances.append(nodes)
        assert left or (values < 1).all(), "one pair on an empty field is worth nothing"
    assert chances == sorted(chances)
    assert chances[0] == 22


def test_the_last_pair_fires_what_it_can() -> None:
    """Three of a colour are ready at the wall, and no pair comes any more."""
    cells = twin.cells_of([[1, 1, 1], [], [], [], [], [2]], TSU)
    places = placements(cells, (1, 3), TSU)
    choice = beam().decide(Position(cells, (1, 3), left=0), places)
    assert choice.value == pytest.approx(40, abs=1)


def test_an_item_is_placed_but_not_searched_ahead() -> None:
    cells = np.zeros((FAMICOM_1991.stored_rows, COLUMNS), dtype=np.uint8)
    search = BeamSearch(FAMICOM_1991, VECTOR, ONE_CHAIN, 2000)
    for position in (Position(cells, (BIG, BIG), ((1, 2),)), Position(cells, (1, 2), ((BIG, BIG),))):
        places = placements(cells, position.pair, FAMICOM_1991)
        values, _ = search.rank(position, places)
        assert len(values) == len(places) > 0
        assert np.isfinite(values).all()


def test_where_every_place_ends_the_game_all_are_lost() -> None:
    cells = twin.cells_of([[1, 2] * 6, [3, 4] * 6, [1, 2] * 5 + [3], [3, 4] * 6, [1, 2] * 6, [3, 4] * 6], TSU)
    places = np.array([[0, 2], [2, 2]])
    values, _ = beam().rank(Position(cells, (1, 2)), places)
    assert values.tolist() == [DEAD, DEAD]
    assert beam().decide(Position(cells, (1, 2)), places[:0]).index == -1


def test_by_the_clock_a_decision_gets_the_fields_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "boards", property(lambda _: 3000))
    timed = TimedBeam(TSU, VECTOR, ONE_CHAIN, Pace(5.0, MOST_NODES))
    position = Position(EMPTY, (1, 2), ((3, 3),))
    assert ranked(timed, position)[0].tolist() == ranked(beam(3000), position)[0].tolist()


SETS = Weights(
    game="puyo",
    features=FeatureSet(version=1, names=("links",)),
    values=(1.0,),
    sets=tuple(
        ValueSet(
            rules=rules,
            colors=colors,
            aim=aim,
            features=FeatureSet(version=1, names=("chain",)),
            values=(value,),
            settings=settings,
        )
        for rules, colors, aim, value, settings in (
            ("tsu", (4,), "chain", 1.0, {}),
            ("famicom-1991", (4, 5), "score", 2.0, {"pair_price": 100.0}),
            ("famicom-1991", (6,), "score", 3.0, {"pair_price": 50.0}),
        )
    ),
)


def test_the_set_for_rules_colors_and_aim_plays() -> None:
    def chosen(name: str, colors: int, aim: str) -> float | None:
        search = search_for(SETS, rules_of(name, {"colors": colors}), aim)
        if isinstance(search, CarefulSearch):
            search = search.chosen(Position(EMPTY, (1, 2)))
        return float(search._weights[0]) if isinstance(search, BeamSearch) else None

    assert chosen("tsu", 4, "chain") == chosen("tsu", 5, "chain") == 1.0, "the nearest number of colours"
    assert chosen("famicom-1991", 5, "score") == 2.0
    assert chosen("famicom-1991", 6, "score") == 3.0
    assert chosen("tsu", 4, "battle") is None, "no set: two plies by the file's own values"
    search = search_for(SETS, rules_of("famicom-1991", {"colors": 6}), "score")
    assert isinstance(search, CarefulSearch)
    beam = search.chosen(Position(EMPTY, (1, 2)))
    assert isinstance(beam, BeamSearch)
    assert beam._aim == Aim(20_000.0, 50.0, 1, 0.03)


def test_a_full_field_is_left_to_the_files_own_values() -> None:
    search = search_for(SETS, rules_of("famicom-1991", {"colors": 6}), "score")
    assert isinstance(search, CarefulSearch)
    cells = np.zeros((FAMICOM_1991.stored_rows, COLUMNS), dtype=np.uint8)
    places = placements(cells, (1, 2), FAMICOM_1991)
    for filled, kind in ((43, BeamSearch), (44, TwoPlies)):
        cells.reshape(-1)[-filled:] = 1 + np.arange(filled) % 3
        position = Position(cells, (1, 2), ((3, 4),))
        assert isinstance(search.chosen(position), kind)
        assert np.array_equal(search.rank(position, places)[0], search.chosen(position).rank(position, places)[0])
    assert isinstance(search_for(weights_of(**VALUES), FAMICOM_1991, "score"), BeamSearch), "it has no careful values"


def test_without_fields_to_make_two_plies_play() -> None:
    assert isinstance(search_for(SETS, TSU, "chain", Budget(0)), TwoPlies)
    assert isinstance(search_for(SETS, TSU, "chain", Budget(0, 5.0)), TimedBeam)
    assert isinstance(search_for(load_weights("builder"), TSU, "chain"), TwoPlies)
    assert isinstance(search_for(SETS, replace(TSU, group_size=5), "chain"), TwoPlies)


def test_what_cannot_play_is_refused() -> None:
    building = weights_of(**VALUES)
    with pytest.raises(UsageError, match="two plies do not"):
        search_for(building, TSU, "chain", Budget(0))
    with pytest.raises(UsageError, match="groups of 4, not of 5"):
        search_for(building, replace(TSU, group_size=5), "chain")
    with pytest.raises(WeightsError, match="mix features"):
        search_for(weights_of(links=1.0, chain=1.0), TSU, "chain")
    with pytest.raises(WeightsError, match="for tetris, not for puyo"):
        search_for(load_weights("pso"), TSU, "chain")
    (first, *rest) = SETS.sets
    for wrong in (
        first.model_copy(update={"aim": "glory"}),
        first.model_copy(update={"settings": {"luck": 1.0}}),
        first.model_copy(update={"features": FeatureSet(version=1, names=("unheard-of",))}),
    ):
        with pytest.raises(WeightsError):
            search_for(SETS.model_copy(update={"sets": (wrong, *rest)}), TSU, "chain")
