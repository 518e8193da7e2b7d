"""What a board shows of a snapshot; knows no match, no emulator and no page."""

from __future__ import annotations

from collections.abc import Sequence

from emubot.arena.wire import Board
from emubot.games.edition import Depiction
from emubot.looks import Looks
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.view.appearance import next_planned_cells, planned_cells


def count_of(looks: Looks, snapshot: Snapshot) -> int:
    """Returns what the game counts: the sum so far, or the one that runs."""
    return max(0, snapshot.counters.get(looks.count.counter, 0))


def fill_board(
    board: Board,
    looks: Looks,
    look: Depiction,
    snapshot: Snapshot,
    chosen: Placement | None = None,
    preview: Piece | None = None,
    pieces: int = 0,
) -> None:
    """Fill a board with a frame: field, piece, next piece, and with `chosen` and `preview` where the bot puts both."""
    counters = snapshot.counters
    piece = snapshot.current if snapshot.phase is Phase.PLAYING else None
    board.in_control = piece is not None
    board.over = snapshot.phase is Phase.OVER
    board.score = max(0, counters["score"]) if "score" in counters else None
    board.count = count_of(looks, snapshot)
    board.level = max(0, counters.get(looks.level, 0))
    board.garbage = max(0, counters.get("pending", 0))
    board.pieces = pieces
    board.rows, board.columns = snapshot.playfield.shape
    board.cells = snapshot.playfield.tobytes()
    joins = look.joins(snapshot)
    board.joins = b"" if joins is None else joins.tobytes()
    air: Sequence[Cell] = () if piece is None else look.cells(snapshot, piece)
    aim: Sequence[Cell] = ()
    plan: Sequence[Cell] = ()
    if piece is not None and chosen is not None and chosen.row >= 0:
        aim = planned_cells(look, snapshot, chosen)
        plan = next_planned_cells(look, snapshot, aim, preview)
    board.lists = (air, look.next_cells(snapshot), aim, plan)
