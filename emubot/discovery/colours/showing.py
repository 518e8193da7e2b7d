"""Finds which rows of a colour game's field the picture shows: pieces are piled up to the top, and looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.moves import board_of
from emubot.discovery.colours.playing import Choice, Player
from emubot.discovery.picture import Lock, place_of
from emubot.pad import Pad
from emubot.view.window.layout import Screen
from emubot.view.window.sources import PicturedBridge

_GAMES: Final = 2
_PIECES: Final = 120  # of a game at most
_DRAWN: Final = 20  # frames after the next piece came in which the field must have been drawn
_LOCKS: Final = 24  # that tell where the field is in the picture
_TURNS: Final = 4
_HIGHEST: Final = 4  # rows of which it is asked
_LEAST: Final = 2  # changes of a row's cells that tell
_MOSTLY: Final = 0.8  # of them

Mask = NDArray[np.bool_]


class Look(NamedTuple):
    """Which cells are filled, (rows, columns), which the piece in the air is beside, and the picture."""

    filled: Mask
    covered: Mask
    picture: NDArray[Any]


def hidden_in_picture(player: Player) -> int | None:
    """Returns how many of the highest rows the picture does not show; None if that was not seen for certain."""
    bridge = player.lab.bridge
    if not isinstance(bridge, PicturedBridge):
        return None
    looks = list[list[Look]]()
    for _ in range(_GAMES):
        looks.append(_pile(player, bridge))
        hidden = hidden_rows(looks)
        if hidden is not None:
            return hidden
    return None


def _pile(player: Player, bridge: PicturedBridge) -> list[Look]:
    """Returns looks after each piece of a game that piles them up from both sides."""
    player.begin()
    found = list[Look]()
    for number in range(_PIECES):
        image = player.lab.idle(_DRAWN)[-1:]
        board = board_of(player.findings, image)
        covered = np.zeros(board.filled.shape, np.bool_)
        for column, row in player.findings.piece.cells(image)[0]:
            covered[max(row - 1, 0) : max(row + 2, 0), max(column - 1, 0) : max(column + 2, 0)] = True
        found.append(Look(board.filled, covered, bridge.picture().copy()))
        move = player.move(_to_the_side(player, Pad.LEFT if number % 2 else Pad.RIGHT))
        if move is None or move.after is None:
            break
    return found


def _to_the_side(player: Player, side: Pad) -> Choice:
    turns, taps = player.findings.piece.turns, player.findings.hand.taps
    times = int(player.rng.integers(_TURNS)) if turns else 0
    pads = [*(taps(turns[0], times) if turns else ()), *taps(side, player.findings.field.columns)]
    return lambda board, images: pads


def hidden_rows(games: Sequence[Sequence[Look]]) -> int | None:
    """Returns how many of the highest rows are not shown in these looks; None if that is not certain."""
    pairs = [pair for looks in games for pair in pairwise(looks)]
    rows = len(pairs[0][0].filled) if pairs else 0
    for cut in range(min(_HIGHEST, rows)):  # what is not shown may be beyond the picture's edge
        screen = place_of(_locks(pairs, cut))
        if screen is not None:
            left, top, width, height = screen
            first = left, top - cut * height, width, height
            shown = [_is_shown(games, pairs, first, row) for row in range(min(_HIGHEST + 1, rows))]
            number = shown.index(True) if True in shown else 0
            is_certain = shown[number] and False not in shown[number:] and (not number or shown[number - 1] is False)
            return number if is_certain else None
    return None


def _locks(pairs: Sequence[tuple[Look, Look]], cut: int) -> list[Lock]:
    """Returns what the first locks that emptied no cell changed, in the rows from `cut` on."""
    filled = [
        (one, other, (other.filled & ~one.filled)[cut:]) for one, other in pairs if other.filled[one.filled].all()
    ]
    return [Lock(cells, (one.picture != other.picture).any(2)) for one, other, cells in filled if cells.any()][:_LOCKS]


def _is_shown(
    games: Sequence[Sequence[Look]], pairs: Sequence[tuple[Look, Look]], screen: Screen, row: int
) -> bool | None:
    """Returns whether the picture shows a row: its cells change there.

    Where they hardly do, it shows it if empty cells look there as in other rows, with a pattern that nothing else has
    by chance; and it does not if they look otherwise. None if neither is so.
    """
    if screen[1] + row * screen[3] < 0:
        return False
    changes = [
        bool((_cell(one, screen, row, int(column)) != _cell(other, screen, row, int(column))).any())
        for one, other in pairs
        for column in np.flatnonzero((one.filled ^ other.filled)[row] & ~(one.covered | other.covered)[row])
    ]
    if len(changes) >= _LEAST:
        share = float(np.mean(changes))
        return True if share >= _MOSTLY else False if share <= 1 - _MOSTLY else None
    own, others = _empty(games, screen, [row]), _empty(games, screen, range(_HIGHEST + 1, len(pairs[0][0].filled)))
    if len(others) != 1 or not own:
        return None
    if own.isdisjoint(others):
        return False
    pattern = np.frombuffer(next(iter(others)), np.uint8)
    return True if own == others and len(np.unique(pattern)) > 1 else None


def _empty(games: Sequence[Sequence[Look]], screen: Screen, rows: Iterable[int]) -> set[bytes]:
    """Returns how empty cells of these rows look."""
    return {
        _cell(look, screen, row, int(column)).tobytes()
        for row in rows
        for looks in games
        for look in looks
        for column in np.flatnonzero(~(look.filled | look.covered)[row])
    }


def _cell(look: Look, screen: Screen, row: int, column: int) -> NDArray[Any]:
    """Returns the pixels of a cell."""
    left, top, width, height = screen
    return look.picture[
        top + row * height : top + (row + 1) * height, left + column * width : left + (column + 1) * width
    ]
