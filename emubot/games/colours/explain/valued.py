"""What values the placements of a pair, and the field after each; knows no definition of a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from emubot.explanation import DepthValue, Part
from emubot.games.colours.explain.built import Trigger
from emubot.games.colours.explain.chosen import Place
from emubot.games.colours.explain.pair_board import After

LOST: Final = "the game ends"


@dataclass(frozen=True, slots=True)
class Valued:
    """What a value is made of; `next_name` is where it puts the next pair, None if nowhere."""

    parts: tuple[Part, ...]
    depths: tuple[DepthValue, ...]
    next_name: str | None = None


class Evaluator(Protocol):
    """What says how the search values placements. `unit` and `meaning` are those of Explanation.

    `search` names the search. `field_unit` is the unit of the values of fields.
    """

    search: str
    unit: str
    meaning: str
    field_unit: str

    def valued(self, place: Place, after: After) -> Valued:
        """Returns the value of a placement, and what it is made of."""

    def field_parts(self, after: After, place: Place, triggers: list[Trigger]) -> tuple[Part, ...]:
        """Returns what the value of the field after a placement is made of; nothing if it has no value of its own."""

    def chain_value(self, trigger: Trigger) -> float:
        """Returns how good a chain is that a field is ready for."""
