"""What a search of its own kind cannot be given is refused in one sentence, before anything is played."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games.thinking import Decision
from emubot.pilot.planner import adopt, limit
from emubot.pilot.style import Style
from emubot.snapshot import Snapshot
from emubot.tempo import InputState


class PlainThinker:
    """A search that takes no budget, no aim and no late next piece."""

    def decide(self, snapshot: Snapshot, input_state: InputState) -> Decision:
        return Decision(None, -np.inf, 0)


@pytest.mark.parametrize(
    ("nodes", "milliseconds", "option"), [(500, None, "--nodes"), (None, 5.0, "--budget-ms")], ids=["nodes", "time"]
)
def test_a_search_without_a_budget_refuses_one(nodes: int | None, milliseconds: float | None, option: str) -> None:
    with pytest.raises(UsageError, match=f"^The search of this game has no budget: leave out {option}.$"):
        limit(PlainThinker(), nodes, milliseconds)
    limit(PlainThinker(), None, None)


@pytest.mark.parametrize(
    ("style", "said"),
    [
        (Style(aim="lines"), "The search of this game has no aim to choose: leave out --aim."),
        (Style(aggression=1.0), "The search of this game has no aim to choose: leave out --aggression."),
        (Style(see_next=5), "The search of this game needs the next piece: leave out --see-next."),
    ],
    ids=["aim", "aggression", "see next"],
)
def test_a_search_without_these_modes_refuses_them(style: Style, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        adopt(PlainThinker(), style)
    assert str(refused.value) == said
    adopt(PlainThinker(), Style())
