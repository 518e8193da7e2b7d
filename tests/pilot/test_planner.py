"""What a search of its own kind cannot be given is refused in one sentence, before anything is played."""

from __future__ import annotations

import pytest

from emubot.errors import UsageError
from emubot.games.strength import OWN, Strength
from emubot.rammap import load_map
from emubot.tempo import FULL_SPEED, tempo_for_speed
from emubot.weights import load_weights
from tests.games.toy_family.family import GAME


@pytest.mark.parametrize(
    ("strength", "said"),
    [
        (Strength(500), "The search of this game has no budget: leave out --nodes."),
        (Strength(milliseconds=5.0), "The search of this game has no budget: leave out --budget-ms."),
        (Strength(aim="lines"), "The search of this game has no aim to choose: leave out --aim."),
        (Strength(aggression=1.0), "The search of this game has no aim to choose: leave out --aggression."),
        (Strength(see_next=5), "The search of this game needs the next piece: leave out --see-next."),
    ],
    ids=["nodes", "time", "aim", "aggression", "see next"],
)
def test_a_search_without_these_modes_refuses_them(strength: Strength, said: str) -> None:
    edition, weights = GAME.open(load_map(GAME.facts.default_map)), load_weights(GAME.facts.default_weights)
    with pytest.raises(UsageError) as refused:
        edition.thinker(weights, tempo_for_speed(FULL_SPEED), strength)
    assert str(refused.value) == said
    edition.thinker(weights, tempo_for_speed(FULL_SPEED), OWN)
