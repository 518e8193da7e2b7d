"""What a chain is worth in a battle: no more than wins it, and the sooner the less room there is."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.colours.rules import FAMICOM_1991, TSU
from emubot.games.colours.search.battle_sense import MOST_ROOM, battle_aim, room_of
from emubot.games.colours.search.beam import Aim
from emubot.games.colours.search.beam_search import BeamSearch
from emubot.games.colours.search.engine import Budget, search_for
from emubot.games.colours.search.search import Position, placements
from emubot.weights import load_weights
from tests.games.colours import field_twin as twin

AIM = Aim(most=2_100.0, price=100.0, whole=1, doubt=0.0)


def test_points_that_win_are_enough() -> None:
    """A row of nuisance is six puyos of 70 points; five rows are all that one attack can be."""
    most = [battle_aim(AIM, TSU, 0, room).most for room in (None, 5, 4, 2, 1, 0)]
    assert most == [2_100, 2_100, 1_680, 840, 420, 420]
    assert battle_aim(AIM._replace(most=500.0), TSU, 0, 4).most == 500


def test_each_pair_costs_more_where_there_is_little_room() -> None:
    assert [battle_aim(AIM, TSU, height, None).price for height in (0, 6, 7, 10)] == [100, 100, 125, 200]


def test_the_room_is_that_above_the_spawn_column() -> None:
    heights = (0, 7, 8, 11, 12, 13)
    assert [room_of(height, TSU) for height in heights] == [MOST_ROOM, 5, 4, 1, 0, 0]
    assert [room_of(height, FAMICOM_1991) for height in heights] == [MOST_ROOM, 5, 5, 2, 1, 0], "thirteen rows"


@pytest.mark.jit
def test_a_chain_that_wins_now_is_fired_now() -> None:
    """Four puyos are ready on a field with more to build; against a full field they are enough, else they wait."""
    weights = load_weights("chains")
    cells = twin.cells_of([[1, 1, 1, 2], [2, 2, 3], [3, 3], [4, 4, 2], [2, 3], []], TSU)
    places = placements(cells, (1, 4), TSU)
    search = search_for(weights, TSU, "battle", Budget(3_000))
    assert isinstance(search, BeamSearch)

    def worth(room: int | None) -> float:
        values, _ = search.rank(Position(cells, (1, 4), ((4, 3),), opponent_room=room), places)
        return float(values.max())

    assert worth(1) < worth(4) < worth(None)
    plain = BeamSearch(TSU, search._weights, search._aim, 3_000, 0, search._eagerness)
    values = [plain.rank(Position(cells, (1, 4), opponent_room=room), places)[0] for room in (None, 1)]
    assert np.array_equal(values[0], values[1]), "only in battles"
