"""What a board shows of a snapshot; knows no match, no emulator and no page."""

from __future__ import annotations

from collections.abc import Sequence

from emubot.arena.origins import Origins
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
    origins: Origins | None = None,
) -> None:
    """Fill a board with a frame: field, piece, next piece, and with `chosen` and `preview` where the bot puts both.

    `origins` has seen the frame: with it cells have the kinds of their own pieces.
    """
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
    board.cells = snapshot.playfield.tobytes() if origins is None else origins.cells()
    joins = look.joins(snapshot)
    board.joins = b"" if joins is None else joins.tobytes()
    air: Sequence[Cell] = () if piece is None else look.cells(snapshot, piece)
    aim: Sequence[Cell] = ()
    plan: Sequence[Cell] = ()
    if piece is not None and chosen is not None and chosen.row >= 0:
        aim = planned_cells(look, snapshot, chosen)
        plan = next_planned_cells(look, snapshot, aim, preview)
    following = look.next_cells(snapshot)
    if origins is not None:
        own = None if piece is None else look.piece_number(snapshot, piece.orientation)
        after = look.piece_number(snapshot, snapshot.next[0]) if snapshot.next else None
        air, aim = origins.own(air, own), origins.own(aim, own)
        following, plan = origins.own(following, after), origins.own(plan, after)
    board.lists = (air, following, aim, plan)
