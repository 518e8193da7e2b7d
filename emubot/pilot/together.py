"""Notices that one of the players of a game for two plays alone, as in a game for one; knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Final

from emubot.errors import UsageError
from emubot.snapshot import Phase

if TYPE_CHECKING:
    from emubot.pilot.pilot import Pilot

_ALONE: Final = 3  # pieces of one player during which nothing of the other moves: no game for two has that


class Together:
    """The pilots of one console. Call `check` after each frame."""

    def __init__(self, pilots: Sequence[Pilot]) -> None:
        self._pilots = pilots
        # For each player the other one's pieces when this one was last seen in play.
        self._since = dict.fromkeys(permutations(range(len(pilots)), 2), 0)

    def check(self) -> None:
        """Raise UsageError if a player has placed some pieces since another one was last in play."""
        for one, other in self._since:
            player, missing = self._pilots[one], self._pilots[other]
            pieces = player.tally.pieces
            if missing.finished or (missing.in_game and missing.phase is not Phase.PAUSED):
                self._since[one, other] = pieces
            elif pieces - self._since[one, other] >= _ALONE:
                raise UsageError(
                    f"AIvsAI needs the game for two, and in {player.bridge.facts.emulator} player {one + 1} plays "
                    "alone: end that game, or choose the game for two there, and start emubot again; or leave out "
                    "AIvsAI."
                )
