"""What others have published of self-play, to print beside ours; figures only, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Published:
    """One run as its author reports it. Odds are decimal logarithms, by his Gaussian fit."""

    source: str
    pieces: int
    deaths: int
    all_clears: int
    mean: float  # "about"
    highest: int
    odds: tuple[tuple[int, float], ...]  # (puyos, log10 of the probability)

    def as_dict(self) -> dict[str, Any]:
        """The figures by name."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return told | {"odds": {str(count): log10 for count, log10 in self.odds}}


# (game, weights) -> who published what of them. The number of colours is not reported; items were off.
_KNOWN: Final = {
    ("puyo", "reference"): Published(
        source="meatfighter.com, article on the Puyo Puyo AI plug-in (2017)",
        pieces=50_000_000,
        deaths=0,
        all_clears=3_326,
        mean=10.0,
        highest=37,
        odds=((42, -17.0), (84, -89.0)),
    )
}


def published(game: str, weights: str) -> Published | None:
    """The published run of these weights in this game, if there is one."""
    return _KNOWN.get((game, weights))
