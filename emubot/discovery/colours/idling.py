"""Says in which frames around a colour game certainly no piece is under control; knows no rule and no phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.findings import ColourFindings, ColourPiece
from emubot.discovery.lab import History

_ENTERS: Final = 2  # rows that a piece may have fallen until it is seen
_FEW: Final = 4  # numbers of a byte that says what a game does


def at_entry(piece: ColourPiece, images: History) -> NDArray[np.bool_]:
    """Returns in which images a piece is where pieces appear."""
    number, column, row = piece.spawn
    fell = piece.row.of(images) - row
    at_place = (piece.column.of(images) == column) & (fell >= 0) & (fell <= _ENTERS)
    same = at_place & (piece.numbers(images) == number) & (piece.kinds(images) != 0).all(1)
    return np.asarray(same, np.bool_)


def before_first(findings: ColourFindings, start: History) -> History:
    """Returns the frames of a game's start before its first piece, which obeys in the last one.

    The last piece of the game before may still stand where pieces appear; the first one is there when the parts are its
    own. Two pieces alike tell nothing, and other starts do.
    """
    piece = findings.piece
    parts = np.stack([part.of(start) for part in piece.parts], 1)
    idle = ~at_entry(piece, start) | (parts != parts[-1]).any(1)
    return np.asarray(start[idle], np.uint8)


def after_last(
    findings: ColourFindings, ends: Sequence[History], lost: History, game: History, taken: Set[int]
) -> tuple[list[History], list[History]]:
    """Returns frames of ends of games in which certainly no piece is under control, and those that are over.

    `ends` begin with the last lock, `lost` with the last piece. The next piece may already stand where pieces appear.
    The game is over at the latest when bytes have changed for good to what they never are in it, in every end.
    """
    whole = [end for end in (*ends, lost) if len(end)]
    usual = _usual(game, taken)
    telling = {index: numbers for index, numbers in usual.items() if _changes(index, numbers, whole)}
    over = [end[_stays_otherwise(end, telling) :] for end in whole]
    return [*over, *(_until_next(findings.piece, end) for end in ends if len(end))], over


def _until_next(piece: ColourPiece, end: History) -> History:
    """Returns the frames until the next piece stands where pieces appear; it may be under control there."""
    return end[: int(np.append(at_entry(piece, end), True).argmax())]


def _usual(game: History, taken: Set[int]) -> dict[int, list[int]]:
    """Returns the numbers of the bytes that have only one in a game, or a few of which one comes again."""
    runs = (game[1:] != game[:-1]).sum(0) + 1
    numbers = {index: np.unique(game[:, index]).tolist() for index in range(game.shape[1]) if index not in taken}
    return {index: seen for index, seen in numbers.items() if len(seen) == 1 or len(seen) <= min(_FEW, runs[index] - 1)}


def _changes(index: int, usual: Sequence[int], ends: Sequence[History]) -> bool:
    """Returns whether a byte has another number at each end; the same one in several ends if it had several before."""
    last = [int(end[-1, index]) for end in ends]
    return not {*usual} & {*last} and (len(usual) == 1 or len(last) > len({*last}) == 1)


def _stays_otherwise(images: History, usual: Mapping[int, Sequence[int]]) -> int:
    """Returns the first image from which on a byte is never again as usual; the number of images if none is so."""
    other = [~np.isin(images[::-1, index], numbers) for index, numbers in usual.items()]
    return len(images) - max((int(np.logical_and.accumulate(each).sum()) for each in other), default=0)
