"""Games of NES Tetris, decision by decision: next pieces shown late, crashes; knows no weights and no file.

Each piece sets out before the next one is shown, and may change course then. The search, the way of the piece and the
state of the pad are those that play a cartridge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from emubot.games.tetris.board.board import Rows, lock
from emubot.games.tetris.crashes import CRASHES_FROM, LockCount, count_of, crash_chance, cycles_of
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.reach import Start, gravity_at, underway
from emubot.games.tetris.rules import LINE_POINTS, SPAWN_ORIENTATION, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.caution import Way
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.trials.nes_games import GameBounds, is_ended
from emubot.snapshot import Placement
from emubot.tempo import Tempo


@dataclass(slots=True)
class Progress:
    """What a game has reached so far.

    `adjustments` are the pieces that changed course when the next one was shown. `reborn` says whether level 0 has come
    after level 255.
    """

    level: int
    lines: int = 0
    score: int = 0
    pieces: int = 0
    tetrises: int = 0
    highest_level: int = 0
    nodes: int = 0
    adjustments: int = 0
    reborn: bool = False
    crashed: bool = False


class UnseenGame:
    """One game. `see_next` is the number of frames before the next piece is shown, 0 for at once."""

    def __init__(
        self,
        rng: np.random.Generator,
        rows: Rows,
        begun: Progress,
        search: Search,
        tempo: Tempo,
        profile: Profile,
        crashes: bool = False,
    ) -> None:
        """`rows` is changed in place. The search must be for this tempo and this release.

        With `crashes` a lock may crash the game, as on the original (crashes.py).
        """
        self.progress = begun
        self._rng, self._rows, self._search, self._tempo, self._profile = rng, rows, search, tempo, profile
        self._crashes = crashes

    def play(self, see_next: int, bounds: GameBounds) -> Progress:
        """Play to a top-out, or to where these bounds end the game."""
        reached = self.progress
        piece = self._dealt(-1)
        following = self._dealt(piece)
        while not is_ended(reached.lines, reached.level, bounds):
            lines = reached.lines
            target, decided = self._target(piece, following, lines, see_next)
            if target is None:
                break
            if self._crashes and self._does_crash(decided, target):
                reached.crashed = True
                break
            cleared = int(lock(self._rows, target.orientation, target.column, target.row))
            # The cartridge counts lines before points, so these are for the level reached.
            if bounds.levels_rise:
                before, reached.level = reached.level, int(level_after(reached.level, lines, cleared))
                reached.reborn |= reached.level < before
            reached.highest_level = max(reached.highest_level, reached.level)
            reached.score += LINE_POINTS[cleared] * (reached.level + 1)
            reached.lines += cleared
            reached.pieces += 1
            reached.tetrises += cleared == 4
            piece, following = following, self._dealt(following)
        return reached

    def _target(self, piece: int, following: int, lines: int, see_next: int) -> tuple[Placement | None, Position]:
        """Returns where the piece locks, None if it can lock nowhere; and the position in which that was decided."""
        reaction, level = self._tempo.reaction, self.progress.level
        start = Start(int(SPAWN_ORIENTATION[piece]), limiter=reaction, turn_limiter=reaction)
        position = Position(self._rows, start, None, level, lines)
        target: Placement | None = None
        if see_next:
            choice = self._search.decide(position, soft_drop=False)
            self.progress.nodes += choice.nodes
            target = choice.placement
            if target is None or see_next >= len(target.timeline):
                return target, position
            gravity, steps = gravity_at(level, self._profile), target.timeline[:see_next]
            start = underway(self._rows, start, steps, gravity, self._tempo, self._profile)
        shown = replace(position, start=start, next_piece=int(SPAWN_ORIENTATION[following]))
        ranked, nodes = self._search.rank(shown)
        self.progress.nodes += nodes
        if not ranked:
            return target, position
        self.progress.adjustments += target is not None and ranked[0] != target
        return ranked[0], shown

    def _does_crash(self, position: Position, target: Placement) -> bool:
        """Returns whether the count after this lock crashes, by chance where it is by chance.

        The counters of clears are not kept: one in ten has a tens digit that changes.
        """
        if position.level < CRASHES_FROM - 1:
            return False
        place, caution, rng = (target.orientation, target.column, target.row), self._search.caution, self._rng
        way = (caution and caution.way(position, place)) or Way()
        lines, level = position.lines, position.level
        count = LockCount(*count_of(position.rows, *place, lines, level, int(not way.hidden), int(way.dropped)))
        carried, flash = int(count.cleared > 0 and rng.random() < 0.1), int(count.cleared == 4 and rng.random() < 0.5)
        return bool(rng.random() < crash_chance(cycles_of(count._replace(carried=carried, flash=flash))))

    def _dealt(self, before: int) -> int:
        return int(deal(before, int(self._rng.integers(0, DRAWS)), int(self._rng.integers(0, DRAWS))))
