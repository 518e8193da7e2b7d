"""A search in points by several threads, which finds what one finds; knows no RAM and no file.

The search itself goes its way in one thread, from board to board (expectimax.py). The others go ahead of it, each over
boards of its own, and leave what each piece leads to where the search looks before it values a board itself. What is
there counts in its budget as if it had valued it. So the number of threads changes the time and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.reach.state import Begin
from emubot.games.tetris.search.engine import BY_FEATURES, Engine, decide, search_of, stage_of
from emubot.games.tetris.search.expectimax import first_best, search_ahead, search_deeply, search_widely
from emubot.games.tetris.search.plies import Lookahead

LEAST_BUDGET: Final = 50_000  # boards, below which threads take longer to begin than they save
_COPIED: Final = ("boards", "places", "pairs", "widened", "rows")  # what `search_ahead` reads of the search's memory


class Helpers:
    """Threads beside the one that decides, one for each of these engines, which are for the same weights and games."""

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = engines
        self._threads = ThreadPoolExecutor(len(engines), thread_name_prefix="search")

    def decide(
        self,
        rows: Rows,
        piece: int,
        begin: Begin,
        next_piece: int,
        lines: int,
        level: int,
        engine: Engine,
        found: NDArray[np.int64],
        values: NDArray[np.float64],
    ) -> tuple[int, int, int]:
        """The same as engine.decide."""
        stage = stage_of(lines, level, engine)
        if next_piece < 0 or stage == BY_FEATURES or search_of(stage, level, engine)[2] < LEAST_BUDGET:
            return decide(rows, piece, begin, next_piece, lines, level, engine, found, values)
        look, standing, budget = search_of(stage, level, engine)
        count, widened, nodes = search_widely(
            rows, piece, begin, next_piece, lines, standing, budget, look, found, values
        )
        if not widened:
            return count, nodes, first_best(found, values, count)
        look.shared.turn += 1
        look.shared.used, look.shared.stop = 1, 0
        every = len(self._engines) + 1
        running = [
            self._threads.submit(search_ahead, widened, next_piece, lines, standing, budget, first, every, copy)
            for first, copy in enumerate((self._copy(look, stage, level, own) for own in self._engines), start=1)
        ]
        more, best = search_deeply(widened, next_piece, lines, standing, budget, nodes, look, values)
        look.shared.stop = 1
        for ahead in running:
            ahead.result()
        look.shared.used = look.shared.stop = 0
        return count, nodes + more, best

    def _copy(self, look: Lookahead, stage: int, level: int, engine: Engine) -> Lookahead:
        """Returns an engine's own lookahead as the search's is after `search_widely`, with what is shared."""
        own = search_of(stage, level, engine)[0]
        for part in _COPIED:
            own.memory[part] = look.memory[part]
        own.memory.keys[:] = 0
        return own._replace(shared=look.shared)
