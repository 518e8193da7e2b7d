"""Published results of self-play, to print beside ours; figures only, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from emubot.trials.selfplay.ledger import Settings


@dataclass(frozen=True, slots=True)
class Published:
    """One run as its author reports it. Odds are decimal logarithms, by the author's Gaussian fit."""

    source: str
    pieces: int
    deaths: int
    all_clears: int
    mean: float  # "about"
    highest: int
    odds: tuple[tuple[int, float], ...]  # (puyos, log10 of the probability)

    def as_dict(self) -> dict[str, Any]:
        """Returns the figures by name."""
        figures = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return figures | {"odds": {str(count): log10 for count, log10 in self.odds}}


_REFERENCE: Final = "95ab7fed984fb40e991f802fa488f1c223f16d844dcbea89f26398c1af5ca8f2"  # of weights/reference.json
# (game, SHA-256 of the weights, rules, colours) -> the published run. The number of colours is not reported; six are
# assumed.
_KNOWN: Final[dict[tuple[str, str, str, int | None], Published]] = {
    ("puyo", _REFERENCE, "famicom-1991", 6): Published(
        source="meatfighter.com, article on the Puyo Puyo AI plug-in (2017); no items, number of colours not reported",
        pieces=50_000_000,
        deaths=0,
        all_clears=3_326,
        mean=10.0,
        highest=37,
        odds=((42, -17.0), (84, -89.0)),
    )
}


def published(settings: Settings) -> Published | None:
    """Returns the published run of exactly these weights under these rules, whatever the file's name, or None."""
    if set(settings.options) - {"colors"}:
        return None
    return _KNOWN.get((settings.game, settings.weights_sha256, settings.rules, settings.options.get("colors")))
