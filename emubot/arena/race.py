"""A person beside a recorded game: both boards move frame by frame, and neither sends anything; knows no network."""

from __future__ import annotations

from typing import Any

from emubot.arena.apart import Apart
from emubot.arena.match import ArenaMatch
from emubot.arena.player import ReplayPlayer
from emubot.arena.replay import Replay
from emubot.arena.request import MatchRequest
from emubot.arena.wire import pack_frame


class Race(ArenaMatch):
    """A game alone; the second board shows a side of a recorded match, as far as that was after the same frames."""

    def __init__(
        self, request: MatchRequest, seed: int, apart: Apart | None, recorded: Replay, recorded_side: int
    ) -> None:
        """Raises UsageError if one of the two cannot be opened."""
        super().__init__(request, seed, apart)
        self._recorded = ReplayPlayer(recorded)
        self._ghost = self._recorded.sides[min(recorded_side, len(self._recorded.sides) - 1)]

    def frame(self) -> bytes:
        """Returns what is shown (wire.py): the ghost is the second board."""
        return pack_frame(self.ticks, self.stage, self._left, [self.sides[0].board, self._ghost.board])

    def result(self) -> dict[str, Any]:
        """Returns who had more when the game ended: points, or what the game counts if it has none."""
        result = super().result()
        board = self._ghost.board
        ghost = {"score": board.score, "count": self._ghost.count, "pieces": self._ghost.pieces}
        mine = result["sides"][0]
        by = "count" if mine["score"] is None or ghost["score"] is None else "score"
        winner = None if mine[by] == ghost[by] else int(mine[by] < ghost[by])
        return {**result, "winner": winner, "sides": [mine, ghost]}

    def replay(self) -> Replay:
        """Returns the game so far as a replay: of the person alone."""
        return self.log.replay(self.request, self.seed, super().result())

    def _play(self) -> None:
        super()._play()
        self._recorded.step()
