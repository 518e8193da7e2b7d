"""Goes through all experiments with an unknown cartridge of falling blocks, and returns what they found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.errors import NotDiscovered
from emubot.learn.discovery import board, geometry, pieces
from emubot.learn.discovery.drops import GoneAstray, drop
from emubot.learn.discovery.lab import History, Lab, taps
from emubot.learn.discovery.moves import Axis, PlayStart, most_agreed, reach_play
from emubot.learn.discovery.screens import PhaseConditions, tell_apart
from emubot.pad import Pad
from emubot.rammap.spaces import address_of

_PIECES: Final = 150
_FURTHER: Final = 12  # pieces on which A and B are tried
_TURN_SHOWS: Final = 8  # frames in which a turn must have come
_SHAKES: Final = 12  # taps to the left, and twice as many to the right, against both walls
_LOST_AFTER: Final = 300  # frames with DOWN held in which a lost game has come to rest
_MOST_PIECES: Final = 90  # one on the other, until the game is lost
_OVER: Final = 120  # frames that are taken for its end


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a cartridge: the bytes of its piece, its board, and what tells its screens apart."""

    column: Axis
    row: Axis
    piece: int
    next_piece: int | None
    lattice: board.Lattice
    rows: int
    empty: int  # code of an empty cell
    locks: Sequence[pieces.PieceSpan]
    screens: PhaseConditions
    turns: Sequence[str]  # the buttons that turn a piece
    starts: int  # times that START was tapped from power-on
    frames: int  # of all experiments


def survey(lab: Lab, tell: Callable[[str], None]) -> Survey:
    """Returns what the experiments found; `tell` gets a line for each. Raises NotDiscovered for what must be found."""
    tell("looking for a screen on which a piece follows the pad ...")
    play = reach_play(lab)
    if play is None:
        raise NotDiscovered(
            "Nothing moves with LEFT, RIGHT and DOWN as a piece does, on any screen that START alone leads to: if the "
            "menus need more than START, or pieces are on the floor at once, write the map by hand."
        )
    column, row = _axes(lab, play)
    tell(f"START tapped {_times(play.starts)}: {_hex(column.index)} and {_hex(row.index)} follow the piece.")
    tell("dropping a piece in every column, in every orientation ...")
    lattice, rows, empty = geometry.measure(lab, play.state, row, column)
    cells = lattice.cells(rows)
    where = f"{rows} rows and {lattice.columns} columns from {_hex(int(cells.min()))} on"
    tell(f"the board: {where}.")
    tell(f"watching {_PIECES} pieces lock ...")
    games = pieces.watch(lab, play.state, row, cells, empty, _PIECES, np.random.default_rng(0))
    locks = [lock for game in games for lock in game if lock.cells]
    controlled = [lock.controlled for lock in locks if len(lock.controlled)]
    piece = pieces.identity(locks, column, row) if controlled else None
    if piece is None:
        raise NotDiscovered(
            f"No byte says which cells of the board ({where}; {_hex(column.index)} and {_hex(row.index)} follow the "
            "piece) a piece fills: if these are no falling blocks but pairs or colours that match, write the map by "
            "hand from here."
        )
    upcoming = pieces.next_one(games, piece)
    tell(f"{_hex(piece)} names the piece{'' if upcoming is None else f', {_hex(upcoming)} the next one'}.")
    taken = {column.index, row.index, piece, *map(int, cells.flat)}
    if upcoming is not None:
        taken.add(upcoming)
    return Survey(
        column=column,
        row=row,
        piece=piece,
        next_piece=upcoming,
        lattice=lattice,
        rows=rows,
        empty=empty,
        locks=locks,
        screens=tell_apart(
            np.concatenate(controlled),
            np.concatenate([lock.between for lock in locks]),
            np.concatenate([lock.frames[2:-1] for game in games for lock in game]),
            _lost(lab, play, row),
            play.menus,
            taken=taken,
        ),
        turns=_turning(lab, play, row, piece),
        starts=play.starts,
        frames=lab.frames,
    )


def _axes(lab: Lab, play: PlayStart) -> tuple[Axis, Axis]:
    """Returns the column and the row that the game itself goes by."""
    shaken = [*taps(Pad.LEFT, _SHAKES), *taps(Pad.RIGHT, 2 * _SHAKES), *taps(Pad.A, 4), *[Pad.DOWN] * 120]
    images = lab.replay(play.state, [*shaken, *shaken])
    row = most_agreed(play.rows, images)
    return most_agreed(play.columns, images, row.index), row


def _turning(lab: Lab, play: PlayStart, row: Axis, piece: int) -> Sequence[str]:
    """Returns which of A and B change a piece, of several pieces one after the other."""
    turning, here = set[Pad](), play.state
    for _ in range(_FURTHER):
        still = lab.replay(here, [Pad.NONE] * _TURN_SHOWS)
        for button in (Pad.A, Pad.B):
            images = lab.replay(here, [*taps(button, 1), *[Pad.NONE] * _TURN_SHOWS])
            if images[_TURN_SHOWS - 1, piece] != still[-1, piece]:
                turning.add(button)
        try:
            here = drop(lab, here, row).next_state
        except GoneAstray:
            break
    return [str(button.name) for button in (Pad.A, Pad.B) if button in turning]


def _lost(lab: Lab, play: PlayStart, row: Axis) -> History:
    """Returns frames of a game that is over."""
    here = play.state
    for _ in range(_MOST_PIECES):
        try:
            here = drop(lab, here, row).next_state
        except GoneAstray:
            break
    lab.load(here)
    lab.play([Pad.DOWN] * _LOST_AFTER)
    return lab.play([Pad.NONE] * _OVER)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _hex(index: int) -> str:
    return f"0x{address_of(index):02X}"
