"""What can be chosen: games with their rules, and bots from gentle to full; reads maps, loads no family."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from emubot.errors import UsageError
from emubot.games.variety import MARGIN
from emubot.rammap import RamMap, load_map

# Choices of a cartridge's menus that the arena decides by itself.
_OURS: Final = frozenset({"mode", "type", "height"})


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A game on our own simulator: the map gives rules and choices, and tells where its bytes are."""

    id: str
    title: str
    family: str
    map: str
    has_versus: bool  # whether its own machine has a game for two, which two sides of it then play
    margin: float = MARGIN  # of two equal bots, so that their games differ soon (games/variety.py)

    def load(self) -> RamMap:
        """Returns the game's map."""
        return _map(self.map)

    @property
    def rules(self) -> dict[str, dict[str, Any]]:
        """The choices before a game, by name: `low`, `high`, `default` and the names of the numbers, if they have."""
        return {
            name: {"low": one.low, "high": one.high, "default": one.default, "names": list(one.names)}
            for name, one in self.load().menu_choices.items()
            if name not in _OURS and one.low < one.high
        }

    def check_rules(self, chosen: dict[str, int]) -> None:
        """Raise UsageError for a rule that the game does not have, or a number outside its range."""
        rules = self.rules
        for name, number in chosen.items():
            if name not in rules:
                raise UsageError(f"{self.title} has no rule {name!r}; it has: {', '.join(rules) or 'none'}.")
            if not rules[name]["low"] <= number <= rules[name]["high"]:
                raise UsageError(
                    f"{self.title}: {name} is {rules[name]['low']} to {rules[name]['high']}, not {number}."
                )


@dataclass(frozen=True, slots=True)
class Preset:
    """A bot by name. `speed` is that of `emubot play`; `nodes` are None for the search's own number.

    `weights` names each family's evaluation; a family that is not in it plays with its own.
    """

    id: str
    title: str
    about: str
    speed: int
    nodes: int | None
    weights: MappingProxyType[str, str]


GAMES: Final = {
    one.id: one
    for one in (
        GameOffer("blocks", "Falling blocks", "tetris", "nes_tetris_usa", has_versus=False, margin=0.05),
        GameOffer("blocks-pal", "Falling blocks, 50 Hz", "tetris", "nes_tetris_europe", has_versus=False, margin=0.05),
        GameOffer("pairs", "Pairs", "puyo", "demo_pairs", has_versus=True),
        GameOffer("pairs-tsu", "Pairs, tsu rules", "puyo", "simulated_pairs_tsu", has_versus=True),
    )
}
PRESETS: Final = {
    one.id: one
    for one in (
        Preset(
            "gentle",
            "Gentle",
            "presses slowly and looks at heights only",
            0,
            0,
            MappingProxyType({"tetris": "lowest", "puyo": "pairs-lowest"}),
        ),
        Preset(
            "easy",
            "Easy",
            "takes its time, and makes few holes",
            3,
            0,
            MappingProxyType({"tetris": "lowest-holes-bumps", "puyo": "reference"}),
        ),
        Preset(
            "middle", "Middle", "a person's pace, two pieces ahead", 5, 0, MappingProxyType({"puyo": "famicom_puyo"})
        ),
        Preset("strong", "Strong", "quick, with the full search", 8, None, MappingProxyType({})),
        Preset("full", "Full", "the pad's limit, with the full search", 10, None, MappingProxyType({})),
    )
}


CHALLENGES: Final = {
    "free": "Free: no limit",
    "easy": "Easy: 10 seconds a piece",
    "hard": "Hard: 5 seconds a piece",
    "extreme": "Extremely hard: 2 seconds a piece",
    "arcade": "Arcade: 2 seconds falling to 0.7, clears send garbage",
}


def game_offer(name: str) -> GameOffer:
    """Returns an offered game. Raises UsageError if there is none of this name."""
    if name not in GAMES:
        raise UsageError(f"There is no game {name!r} here; there are: {', '.join(GAMES)}.")
    return GAMES[name]


def preset(name: str) -> Preset:
    """Returns a bot. Raises UsageError if there is none of this name."""
    if name not in PRESETS:
        raise UsageError(f"There is no bot {name!r} here; there are: {', '.join(PRESETS)}.")
    return PRESETS[name]


def offers() -> dict[str, Any]:
    """Returns everything that the page's form offers, as plain data."""
    return {
        "games": [
            {"id": one.id, "title": one.title, "family": one.family, "rules": one.rules} for one in GAMES.values()
        ],
        "bots": [
            {"id": one.id, "title": one.title, "about": one.about, "speed": one.speed} for one in PRESETS.values()
        ],
        "challenges": [{"id": name, "title": title} for name, title in CHALLENGES.items()],
    }


@cache
def _map(name: str) -> RamMap:
    return load_map(name)
