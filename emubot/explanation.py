"""The content of an explained position: placements, values and their parts, risks; knows no game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emubot.snapshot import Placement, Snapshot


@dataclass(frozen=True, slots=True)
class Part:
    """A summand of a value. `amount` is the feature's own value before its weight; None if the part is no feature."""

    name: str
    value: float
    amount: float | None = None


@dataclass(frozen=True, slots=True)
class DepthValue:
    """The value of a placement if this number of pieces is looked at, the one in the air included."""

    pieces: int
    value: float


@dataclass(frozen=True, slots=True)
class Risk:
    """The rollouts of a placement: of `games` games, `deaths` ended within the next `pieces` pieces."""

    pieces: int
    games: int
    deaths: int


@dataclass(frozen=True, slots=True)
class ExplainedPlacement:
    """One placement of the piece in the air.

    `placement` has its timeline, `name` says in words where it is. `chosen` is true for the placement that the bot
    plays. `next_name` says where the value puts the next piece; None if it puts it nowhere. `parts` add up to `value`.
    `depths` are ordered, and the last one is `value`. `risk` is None without rollouts.
    """

    placement: Placement
    name: str
    value: float
    chosen: bool
    next_name: str | None
    depths: tuple[DepthValue, ...]
    parts: tuple[Part, ...]
    risk: Risk | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A position, and its best placements, best first; none if the piece in the air can lock nowhere.

    `next_piece` is None if it is not known. `settings` are rules and search. `unit` is the unit of the values, empty if
    they have none. `meaning` is a sentence that says what a value is, and `rollouts` one that says how the games of the
    rollouts are played. `nodes` are the boards that the bot's own decision valued.
    """

    snapshot: Snapshot
    piece: str
    next_piece: str | None
    settings: Mapping[str, Any]
    unit: str
    meaning: str
    rollouts: str
    nodes: int
    placements: tuple[ExplainedPlacement, ...]


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """How to explain: `nodes` of the bot's decision (None: the game's own number), and how many placements.

    Each placement gets `games` rollouts, which depend on `seed`.
    """

    nodes: int | None = None
    top: int = 5
    games: int = 100
    seed: int = 0


@dataclass(frozen=True, slots=True)
class DrawnPosition:
    """A position as a person draws it: the lines of the board, top line first, and what no board shows.

    `piece` and `next_piece` are the family's names of pieces. `rules` names a release; None means the usual one.
    """

    board: tuple[str, ...]
    piece: str | None
    next_piece: str | None
    level: int
    lines: int
    rules: str | None = None
