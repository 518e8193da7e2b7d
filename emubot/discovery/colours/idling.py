"""Says in which frames around a colour game certainly no piece is under control; knows no rule and no phase."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.findings import ColourFindings, ColourPiece
from emubot.discovery.lab import History

_ENTERS: Final = 2  # rows that a piece may have fallen until it is seen


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
) -> list[History]:
    """Returns frames of the ends of games in which certainly no piece is under control.

    `ends` begin with the last lock, `lost` with the last piece. The next piece may already stand where pieces appear.
    The game is over at the latest when bytes that never changed in it have changed for good, each of them in every end.
    """
    whole = [end for end in (*ends, lost) if len(end)]
    steady = [index for index in np.flatnonzero((game == game[0]).all(0)).tolist() if index not in taken]
    steady = [index for index in steady if all(end[-1, index] != game[0, index] for end in whole)]
    over = [_stays_otherwise(end[:, steady], game[0, steady]) for end in whole]
    nowhere = [np.flatnonzero(~at_entry(findings.piece, end)) for end in ends if len(end)]
    return [
        *(end[np.union1d(none, np.arange(at, len(end)))] for end, none, at in zip(whole, nowhere, over, strict=False)),
        *([lost[over[-1] :]] if len(lost) else []),
    ]


def _stays_otherwise(images: History, usual: NDArray[np.uint8]) -> int:
    """Returns the first image from which on a byte is never again as usual; the number of images if none is so."""
    stays = np.logical_and.accumulate(images[::-1] != usual, axis=0).sum(0)
    return len(images) - int(stays.max(initial=0))
