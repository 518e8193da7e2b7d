"""A recorded match as an animated GIF, drawn with Pillow (extra `gif`), imported on use; decides nothing."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from emubot.arena.catalogue import game_offer
from emubot.arena.player import ReplayPlayer
from emubot.arena.replay import Replay
from emubot.arena.wire import Board
from emubot.errors import UsageError
from emubot.extras import GIF
from emubot.looks import Looks
from emubot.text import counted

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_CELL: Final = 14  # pixels
_MARGIN: Final = 12
_TITLE: Final = 18
_NEXT: Final = 4  # cells beside a field, for the next piece
_EVERY: Final = 2  # frames of a match
_GROUND, _FIELD, _TEXT = "#12161d", "#0d1117", "#e8ecf4"


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
    pictures = _pictures(player, replay, first, last, drawn)
    count = len(range(first, last, _EVERY))
    # A GIF counts in hundredths: three, three and four are a thirtieth of a second in the mean.
    milliseconds = [(30, 30, 40)[number % 3] for number in range(count)]
    content = io.BytesIO()
    next(pictures).save(
        content, format="GIF", save_all=True, append_images=pictures, duration=milliseconds, loop=0, optimize=False
    )
    return content.getvalue(), count


def _pictures(
    player: ReplayPlayer, replay: Replay, first: int, last: int, drawn: Callable[[int], object]
) -> Iterator[Image]:
    looks = [side.console.edition.game.looks for side in player.sides]
    titles = [f"{'Bot' if side.bot else 'Person'}: {game_offer(side.game).game.title}" for side in replay.request.sides]
    player.go_to(first)
    for tick in range(first, last, _EVERY):
        player.go_to(tick)
        yield _picture([side.board for side in player.sides], looks, titles)
        drawn(1)


def _picture(boards: list[Board], looks: list[Looks], titles: list[str]) -> Image:
    from PIL import Image, ImageDraw

    widths = [(board.columns + 1 + _NEXT) * _CELL for board in boards]
    height = max(board.rows for board in boards) * _CELL + _TITLE + 2 * _MARGIN + _TITLE
    picture = Image.new("RGB", (sum(widths) + _MARGIN * (len(boards) + 1), height), _GROUND)
    pen = ImageDraw.Draw(picture)
    left = _MARGIN
    for board, its, title, width in zip(boards, looks, titles, widths, strict=True):
        pen.text((left, _MARGIN // 2), title, fill=_TEXT)
        _board(pen, board, its, left, _MARGIN + _TITLE)
        points = [] if board.score is None else [counted(board.score, "point")]
        pen.text((left, height - _TITLE), ", ".join([*points, counted(board.pieces, its.piece)]), fill=_TEXT)
        left += width + _MARGIN
    return picture.quantize(64)


def _board(pen: ImageDraw, board: Board, looks: Looks, left: int, top: int) -> None:
    pen.rectangle((left, top, left + board.columns * _CELL - 1, top + board.rows * _CELL - 1), fill=_FIELD)
    filled = [(at % board.columns, at // board.columns, kind) for at, kind in enumerate(board.cells) if kind]
    air, following, *_ = board.lists
    filled += [(cell.column, cell.row, cell.kind) for cell in air if cell.row >= 0]
    if following:
        column, row = min(cell.column for cell in following), min(cell.row for cell in following)
        filled += [(board.columns + 1 + cell.column - column, cell.row - row, cell.kind) for cell in following]
    shape = pen.ellipse if looks.is_round else pen.rectangle
    for column, row, kind in filled:
        colour = looks.kind(kind).colour
        if colour:
            x, y = left + column * _CELL, top + row * _CELL
            shape((x + 1, y + 1, x + _CELL - 2, y + _CELL - 2), fill=colour)
