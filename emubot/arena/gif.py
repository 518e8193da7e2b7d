"""Boards, and recorded matches, as an animated GIF by Pillow (extra `gif`), imported on use; decides nothing."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from emubot.arena.catalogue import game_offer
from emubot.arena.gif_cells import CellPictures, palette_of
from emubot.arena.player import ReplayPlayer
from emubot.arena.replay import Replay
from emubot.arena.wire import Board
from emubot.errors import UsageError
from emubot.extras import GIF
from emubot.looks import Looks
from emubot.snapshot import Cell
from emubot.text import counted

if TYPE_CHECKING:
    from PIL.Image import Image

_CELL: Final = 14  # pixels
_MARGIN: Final = 12
_TITLE: Final = 18
_NEXT: Final = 4  # cells beside a field, for the next piece
EVERY: Final = 2  # frames of a match
_GROUND, _FIELD, _TEXT = "#12161d", "#0d1117", "#e8ecf4"
_GREYS: Final = ("#4a5160", "#9aa1b0", _TEXT)  # of letters


def gif_of(
    replay: Replay, start: float, seconds: float, drawn: Callable[[int], object] = lambda more: None
) -> tuple[bytes, int]:
    """Returns the file's content and the number of its pictures, 30 a second at a console's speed.

    `start` and `seconds` say which part of the match is shown; `drawn` is called with 1 after each picture. Raises
    UsageError without Pillow, or if nothing of the match lies in this part.
    """
    GIF.require()
    player = ReplayPlayer(replay)
    first = round(start * player.frame_rate)
    last = min(player.ticks, first + round(seconds * player.frame_rate))
    if first >= last:
        raise UsageError(f"The match lasts {player.ticks / player.frame_rate:.1f} seconds: begin earlier.")
    looks = [side.console.edition.game.looks for side in player.sides]
    titles = [f"{'Bot' if side.bot else 'Person'}: {game_offer(side.game).game.title}" for side in replay.request.sides]

    def boards() -> Iterator[list[Board]]:
        player.go_to(first)
        for tick in range(first, last, EVERY):
            player.go_to(tick)
            yield [side.board for side in player.sides]

    count = len(range(first, last, EVERY))
    return animated(boards(), count, looks, titles, player.frame_rate, drawn), count


def animated(
    boards: Iterable[Sequence[Board]],
    count: int,
    looks: Sequence[Looks],
    titles: Sequence[str],
    frame_rate: float,
    drawn: Callable[[int], object] = lambda more: None,
) -> bytes:
    """Returns the content of a file with `count` pictures, one for each EVERY frames of a console at its own speed.

    Each of `boards` has a board for each player. `drawn` is called with 1 after each picture. Needs Pillow.
    """
    pictures = _pictures(boards, looks, titles, drawn)
    # A GIF counts in hundredths of a second: what is lost by rounding is made up for by the next picture.
    ends = [round(100 * EVERY * number / frame_rate) for number in range(count + 1)]
    milliseconds = [10 * (end - begin) for begin, end in pairwise(ends)]
    content = io.BytesIO()
    next(pictures).save(
        content, format="GIF", save_all=True, append_images=pictures, duration=milliseconds, loop=0, optimize=False
    )
    return content.getvalue()


def _pictures(
    frames: Iterable[Sequence[Board]],
    looks: Sequence[Looks],
    titles: Sequence[str],
    drawn: Callable[[int], object],
) -> Iterator[Image]:
    from PIL.Image import Dither

    cells = [CellPictures(one, _CELL, _FIELD) for one in looks]
    ground = [CellPictures(one, _CELL, _GROUND) for one in looks]
    palette = palette_of(looks, (_GROUND, _FIELD, *_GREYS))
    for boards in frames:
        picture = _picture(boards, looks, titles, [*zip(cells, ground, strict=True)])
        yield picture.quantize(palette=palette, dither=Dither.NONE)
        drawn(1)


def _picture(
    boards: Sequence[Board],
    looks: Sequence[Looks],
    titles: Sequence[str],
    cells: Sequence[tuple[CellPictures, CellPictures]],
) -> Image:
    from PIL import Image, ImageDraw

    widths = [(board.columns + 1 + _NEXT) * _CELL for board in boards]
    height = max(board.rows for board in boards) * _CELL + _TITLE + 2 * _MARGIN + _TITLE
    picture = Image.new("RGB", (sum(widths) + _MARGIN * (len(boards) + 1), height), _GROUND)
    pen = ImageDraw.Draw(picture)
    left = _MARGIN
    for board, its, title, width, (on_field, beside) in zip(boards, looks, titles, widths, cells, strict=True):
        pen.text((left, _MARGIN // 2), title, fill=_TEXT)
        top, right = _MARGIN + _TITLE, left + board.columns * _CELL
        pen.rectangle((left, top, right - 1, top + board.rows * _CELL - 1), fill=_FIELD)
        _put(picture, on_field, _shown(board), left, top)
        _put(picture, beside, _moved(board.lists[1]), right + _CELL, top)
        points = [] if board.score is None else [counted(board.score, "point")]
        pen.text((left, height - _TITLE), ", ".join([*points, counted(board.pieces, its.piece)]), fill=_TEXT)
        left += width + _MARGIN
    return picture


def _shown(board: Board) -> Iterator[Cell]:
    """Yields the cells of the field, and those of the piece in the air."""
    joins = board.joins or bytes(len(board.cells))
    for at, (kind, sides) in enumerate(zip(board.cells, joins, strict=True)):
        if kind:
            yield Cell(at % board.columns, at // board.columns, kind, sides)
    yield from (cell for cell in board.lists[0] if cell.row >= 0)


def _moved(cells: Sequence[Cell]) -> list[Cell]:
    """Returns the cells of a piece, moved to the corner."""
    if not cells:
        return []
    column, row = min(cell.column for cell in cells), min(cell.row for cell in cells)
    return [replace(cell, column=cell.column - column, row=cell.row - row) for cell in cells]


def _put(picture: Image, pictures: CellPictures, cells: Iterable[Cell], left: int, top: int) -> None:
    for cell in cells:
        if (drawn := pictures.picture(cell.kind, cell.joins)) is not None:
            picture.paste(drawn, (left + cell.column * _CELL, top + cell.row * _CELL))
