"""What can be chosen: games with their rules, as the families offer them, and bots from gentle to full."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from emubot import games
from emubot.errors import UsageError
from emubot.games.offers import Bot, GameOffer
from emubot.games.protocol import Game
from emubot.rammap import RamMap, load_map

# Choices of a cartridge's menus that the arena decides by itself.
_OURS: Final = frozenset({"mode", "type", "height"})


@dataclass(frozen=True, slots=True)
class Offered:
    """A game on the simulator of a family."""

    family: str
    game: GameOffer

    def load(self) -> RamMap:
        """Returns the game's map."""
        return _map(self.game.map)

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
        rules, title = self.rules, self.game.title
        for name, number in chosen.items():
            if name not in rules:
                raise UsageError(f"{title} has no rule {name!r}; it has: {', '.join(rules) or 'none'}.")
            if not rules[name]["low"] <= number <= rules[name]["high"]:
                raise UsageError(f"{title}: {name} is {rules[name]['low']} to {rules[name]['high']}, not {number}.")


@dataclass(frozen=True, slots=True)
class Preset:
    """A bot by name. `speed` is that of `emubot play`. How strong it is, each family says in its offers.

    `nodes` are those with which it plays a cartridge whose family is not known yet; None is the search's own number.
    """

    id: str
    title: str
    about: str
    speed: int
    nodes: int | None

    def strength(self, family: str) -> Bot:
        """Returns how strong it is in a family; "" if that is not known yet."""
        known = families()
        return known[family].offers.bots.get(self.id, Bot()) if family in known else Bot(nodes=self.nodes)


PRESETS: Final = {
    one.id: one
    for one in (
        Preset("gentle", "Gentle", "presses slowly and plays simply", 0, 0),
        Preset("easy", "Easy", "takes its time, and knows the basics", 3, 0),
        Preset("middle", "Middle", "a person's pace, two pieces ahead", 5, 0),
        Preset("strong", "Strong", "quick, with the full search", 8, None),
        Preset("full", "Full", "the pad's limit, with the full search", 10, None),
    )
}


CHALLENGES: Final = {
    "free": "Free: no limit",
    "easy": "Easy: 10 seconds a piece",
    "hard": "Hard: 5 seconds a piece",
    "extreme": "Extremely hard: 2 seconds a piece",
    "arcade": "Arcade: 2 seconds falling to 0.7, clears send garbage",
}


@cache
def families() -> dict[str, Game]:
    """Returns all families by name; an installed one that cannot be loaded is left out."""
    found = {}
    for name in games.names():
        with suppress(UsageError):  # `emubot doctor` and `play` say what is wrong with it
            found[name] = games.game(name)
    return found


@cache
def offered() -> dict[str, Offered]:
    """Returns the games of all families by their ids."""
    return {one.id: Offered(name, one) for name, game in families().items() for one in game.offers.games}


def first_games() -> list[str]:
    """Returns the first game of each family: those whose kernels are compiled before anybody asks."""
    return [game.offers.games[0].id for game in families().values() if game.offers.games]


@cache
def demos() -> dict[str, tuple[str, str]]:
    """Returns the family and the title of each demo, by its name."""
    return {one.name: (name, one.title) for name, game in families().items() for one in game.offers.demos}


def game_offer(name: str) -> Offered:
    """Returns an offered game. Raises UsageError if there is none of this name."""
    if name not in offered():
        raise UsageError(f"There is no game {name!r} here; there are: {', '.join(offered())}.")
    return offered()[name]


def preset(name: str) -> Preset:
    """Returns a bot. Raises UsageError if there is none of this name."""
    if name not in PRESETS:
        raise UsageError(f"There is no bot {name!r} here; there are: {', '.join(PRESETS)}.")
    return PRESETS[name]


def usual_nodes(family: str) -> int | None:
    """Returns the nodes of a family's bot that is told no number; None if its search has none."""
    usual = {one.name: one.usual for one in games.game(family).options.strength}.get("nodes")
    return int(usual) if usual else None


def offers() -> dict[str, Any]:
    """Returns everything that the page's form offers, as plain data."""
    return {
        "games": [
            {
                "id": name,
                "title": one.game.title,
                "family": one.family,
                "rules": one.rules,
                "frame_rate": one.game.frame_rate,
            }
            for name, one in offered().items()
        ],
        "bots": [
            {"id": one.id, "title": one.title, "about": one.about, "speed": one.speed} for one in PRESETS.values()
        ],
        "challenges": [{"id": name, "title": title} for name, title in CHALLENGES.items()],
        "looks": {name: game.looks.data() for name, game in families().items()},
    }


@cache
def _map(name: str) -> RamMap:
    return load_map(name)
