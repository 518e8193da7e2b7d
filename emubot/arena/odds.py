"""How likely each side of a match wins, if both play equally well from here on: from boards alone; knows no bot.

A side's standing is a weighted sum of its features, and the chance of the first side is the logistic function of the
difference of both. `odds.json` has the weights of each game, learnt from matches of equal bots:
benchmarks/arena_odds.py plays them, learns, and tells how often what was predicted came true.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.arena.catalogue import game_offer
from emubot.arena.request import MatchRequest
from emubot.arena.side import Side
from emubot.arena.wire import Board
from emubot.games.offers import worth_of
from emubot.machine import ROW
from emubot.snapshot import Snapshot

FEATURES: Final = ("game", "filled", "highest", "centre", "holes", "garbage", "strain", "danger", "threat")
OTHER: Final = "other"  # the weights of a game that nobody has learnt
_STRAINED: Final = 0.6  # share of the height from which on garbage is more than a nuisance
_MUCH: Final = 6 * ROW  # units of a threat that count as 1

Standing = NDArray[np.float64]  # (len(FEATURES),)


class Odds:
    """Watches the sides of a match; `chance` is for the frame that they show."""

    def __init__(self, games: Sequence[str], sides: Sequence[Side]) -> None:
        """`games` are the names of the games that two sides play."""
        self._games, self._sides = games, sides
        self._threats = [0.0 for _ in sides]

    def standings(self) -> list[Standing]:
        """Returns the features of each side. While no piece is in the air, what it threatened with still stands."""
        for number, side in enumerate(self._sides):
            threat = self._threat_of[number]
            if side.in_control and threat is not None:
                worth = game_offer(self._games[number]).game.worth
                self._threats[number] = float(worth_of(worth, threat(side.snapshot()))) / _MUCH
        return [standing(side.board, threat) for side, threat in zip(self._sides, self._threats, strict=True)]

    @cached_property
    def _threat_of(self) -> list[Callable[[Snapshot], int] | None]:
        """What tells a threat of each side: loaded when it is asked for, which is not without compiled kernels."""
        explainers = [side.console.edition.explainer for side in self._sides]
        return [None if one is None else one.threat() for one in explainers]

    def chance(self) -> float:
        """Returns the chance of the first side, from 0 to 1; at the end 1, 0, or a half for a draw."""
        if any(side.over for side in self._sides):
            stands = [not side.over for side in self._sides]
            return 0.5 + 0.5 * (stands[0] - stands[1])
        first, second = (float(weights_of(game) @ one) for game, one in zip(self._games, self.standings(), strict=True))
        return 1.0 / (1.0 + math.exp(second - first))


def odds_of(request: MatchRequest, sides: Sequence[Side]) -> Odds | None:
    """Returns what tells the chances in a match; None where two sides do not play at once."""
    if len(sides) != 2 or request.challenge is not None:
        return None
    return Odds([side.game for side in request.sides], sides)


def standing(board: Board, threat: float) -> Standing:
    """Returns the features of a side, in the order of FEATURES, each between 0 and about 1.

    A one; the share of cells that are filled; the heights of the highest column and of the two in the middle, as shares
    of the field; holes, as a share of its cells; the garbage on its way, in rows, as a share of its height; how far it
    and the mean height together exceed what is comfortable; the third power of the height in the middle; and what the
    field is ready to send at once (`threat`).
    """
    cells = np.frombuffer(board.cells, np.uint8).reshape(board.rows, board.columns) != 0
    heights = np.where(cells.any(axis=0), board.rows - cells.argmax(axis=0), 0) / board.rows
    middle = board.columns // 2
    filled, mean = float(cells.mean()), float(heights.mean())
    centre = float(heights[middle - 1 : middle + 1].max())
    garbage = min(1.0, board.garbage / ROW / board.rows)
    strain = max(0.0, mean + garbage - _STRAINED)
    return np.array([1.0, filled, heights.max(), centre, mean - filled, garbage, strain, centre**3, threat])


def weights_of(game: str) -> NDArray[np.float64]:
    """Returns the weights of a game's features."""
    known = _learnt()
    return known.get(game, known[OTHER])


@cache
def _learnt() -> dict[str, NDArray[np.float64]]:
    content = json.loads(files("emubot.arena").joinpath("odds.json").read_text(encoding="utf-8"))
    return {game: np.array([weights[name] for name in FEATURES]) for game, weights in content["weights"].items()}
