"""Plays a colour game whose field and piece are known, so that much vanishes, and keeps each move; infers nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from emubot.discovery.colours.findings import UNKNOWN, ColourFindings
from emubot.discovery.colours.idling import at_entry
from emubot.discovery.colours.moves import Board, Cell, Move, board_of, boards, fallen
from emubot.discovery.drops import Dropper
from emubot.discovery.lab import History, Lab
from emubot.pad import Pad

_SETTLES: Final = 4  # frames after the last tap
_CHUNK: Final = 8  # frames that are played before they are looked at
_FALLS: Final = 1500  # frames in which a piece must have locked
_WAITS: Final = 1200  # frames from a lock to the next piece: chains, falls and a new stage may lie between
_DEMONSTRATION: Final = 200  # frames from a lock to a piece after which it may be one of a demonstration
_WATCHED: Final = 150  # frames in which the piece of a demonstration moves aside
_ENDS: Final = 300  # frames after the last lock of a game that are kept
_STALE: Final = 60  # frames of waiting that give another game from the same moment
_RANDOM: Final = 0.2  # of the moves are drawn at random: what does not vanish tells as much as what does
_LIFTS: Final = 2  # rows that a turn may lift a piece
_EMPTY_HANDED: Final = 3  # games without a move in a row after which nothing more is expected
_HELD: Final = 8  # frames of a press in a menu
_BEGINS: Final = 400  # frames from it to the first piece
_LINES: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
_DIAGONAL, _DIAGONALS = 0.4, 2.5  # of the worth of a line, usually and where it likes them better
_AIM: Final = 3.0  # the same of a line with a cell of unknown kind: it may be a target
_NOISE, _ANYWHERE = 2.0, 300.0  # of the worth of a move, where it is chosen and where it is drawn

Choice = Callable[[Board, History], Sequence[Pad]]


@dataclass(frozen=True, slots=True)
class Player:
    """Plays one colour game at its pad. `diagonals`: it likes these better than lines.

    `starts` collects the frames from a menu until the first piece of each game obeys, `ends` those after its last lock.
    """

    lab: Lab
    findings: ColourFindings
    rng: np.random.Generator
    diagonals: bool = False
    starts: list[History] = field(default_factory=list)
    ends: list[History] = field(default_factory=list)

    @property
    def dropper(self) -> Dropper:
        """What drops the pieces of this game."""
        piece = self.findings.piece
        return Dropper(self.lab, piece.column.axis, piece.row.axis, self.findings.hand)

    def games(self, frames: int) -> Iterator[list[Move]]:
        """Yields games from the beginning until so many frames were played in all."""
        most, empty_handed = self.lab.frames + frames, 0
        while self.lab.frames < most and empty_handed < _EMPTY_HANDED:
            self.begin()
            game = list(self._until_over(most))
            empty_handed = 0 if game else empty_handed + 1
            yield game

    def begin(self) -> None:
        """Begins a game that is not the one before: from the last menu, or where that fails from the moment of play."""
        lab, stations = self.lab, self.findings.stations
        if stations and stations[-1].button:
            lab.load(stations[-1].state)
            lab.idle(1 + int(self.rng.integers(_STALE)))
            images = lab.play([stations[-1].button] * _HELD)
            for _ in range(_BEGINS // _CHUNK):
                images = np.concatenate([images, lab.idle(_CHUNK)])
                here = lab.save()
                if at_entry(self.findings.piece, images)[-1] and self.dropper.obeys(here):
                    lab.load(here)
                    self.starts.append(images)
                    return
                lab.load(here)
        lab.load(self.findings.play)
        lab.idle(1 + int(self.rng.integers(_STALE)))

    def _until_over(self, most: int) -> Iterator[Move]:
        while self.lab.frames < most:
            move = self.move(self._chosen)
            if move is None:
                return
            yield move
            if move.after is None:
                return

    def move(self, choose: Choice) -> Move | None:
        """Plays the piece in the air with the pads chosen for it, to the next one; None if it never locked."""
        lab = self.lab
        images = lab.idle(1)
        before = board_of(self.findings, images)
        pads, more = [Pad.NONE], [*choose(before, images), *[Pad.NONE] * _SETTLES]
        dropping, is_locked = self.findings.hand.dropping(), False
        while not is_locked:
            if len(pads) > _FALLS:
                return None
            played, is_locked = self._until_locked(images[-1:], more, before)
            images, pads = np.concatenate([images, played]), [*pads, *more[: len(played)]]
            more = [next(dropping) for _ in range(_CHUNK)]
        locked = len(images) - 1
        entered = self._entered(images, locked)
        after = board_of(self.findings, lab.idle(1)) if entered is not None else None
        images = images if entered is None else np.concatenate([images, entered])
        cells = fallen(before.filled, self._cells(images[locked - 1 : locked]))
        pads += [Pad.NONE] * (len(images) - len(pads))
        elsewhere = np.flatnonzero(~at_entry(self.findings.piece, images[locked:]))
        enters = locked + int(elsewhere[-1]) + 1 if elsewhere.size else locked
        last, gone = locked - 1, locked
        if self.findings.field.drawn:  # what locks looks as before, until something falls or vanishes
            places = self.findings.piece.cells(images[:locked])
            moved = np.flatnonzero((places[1:] != places[:-1]).any((1, 2)))
            last, gone = int(moved[-1]) + 1 if moved.size else 0, min(locked, enters)
        return Move(images, tuple(pads), last, gone, enters, before, cells, after)

    def _until_locked(self, last: History, pads: Sequence[Pad], before: Board) -> tuple[History, bool]:
        """Plays on from the image `last` until the piece locked, and returns the images and whether it did.

        What is pressed after the lock would move or drop the next piece.
        """
        here = self.lab.save()
        images = self.lab.play(pads)
        at = self._locked(np.concatenate([last, images]), before)
        if at is None:
            return images, False
        self.lab.load(here)
        return self.lab.play(pads[:at]), True

    def _locked(self, images: History, before: Board) -> int | None:
        """Returns the first frame in which the field shows that the piece locked, or its place or colours changed."""
        row = self.findings.piece.row.of(images)
        codes, _, _ = boards(self.findings, images, in_air=True)
        changed = (codes != before.codes).any((1, 2))
        changed[1:] |= (np.diff(row) < -_LIFTS) | (np.diff(row) > before.rows + _LIFTS)
        kinds = np.sort(self.findings.piece.kinds(images), 1)
        changed[1:] |= (kinds[1:] == 0).any(1) | (kinds[1:] != kinds[:-1]).any(1)
        gone = np.flatnonzero(changed[1:])
        return int(gone[0]) + 1 if gone.size else None

    def _entered(self, images: History, locked: int) -> History | None:
        """Waits until the next piece obeys; returns the images from `images` on.

        None if none comes, or one that falls without obeying: there is no room beside it.
        """
        lab, parts, waited, entered = self.lab, [images[:0]], len(images) - locked, images[:0]
        while waited < _WAITS:
            here = lab.save()
            seen = parts[-1][-1:] if len(parts) > 1 else images[-1:]
            if at_entry(self.findings.piece, seen)[0]:
                if self.dropper.obeys(here):
                    if waited > _DEMONSTRATION and self._moves_alone(here):
                        break  # the game is over, and its menus show how it is played
                    lab.load(here)
                    return np.concatenate(parts)
                entered = np.concatenate([entered, seen])
                if np.diff(self.findings.piece.row.of(entered)).any():
                    return None  # it falls where it is, and the game goes on
            lab.load(here)
            parts.append(lab.idle(_CHUNK))
            waited += _CHUNK
        self.ends.append(np.concatenate([images[locked:], *parts])[:_ENDS])
        return None

    def _moves_alone(self, here: bytes) -> bool:
        """Returns whether the piece moves aside while nothing is pressed, before it comes to rest."""
        images = self.lab.replay(here, [Pad.NONE] * _WATCHED)
        locks = np.flatnonzero(self.dropper.row.jumps(images, _LIFTS))
        columns = images[: locks[0] if locks.size else len(images), self.dropper.column.index]
        return bool((columns != columns[0]).any())

    def _pivot(self, images: History) -> int:
        """Returns the column that the cells of the last image's orientation count from."""
        number, cells = int(self.findings.piece.numbers(images)[-1]), self.findings.piece.cells(images)[-1]
        ways = [one for one in self.findings.piece.orientations if one.number == number]
        return int(cells[0][0]) - ways[0].cells[0][0] if ways else 0

    def _cells(self, image: History) -> list[Cell]:
        piece = self.findings.piece
        kinds = piece.kinds(image)[0]
        return [
            (int(row), int(column), int(kind)) for (column, row), kind in zip(piece.cells(image)[0], kinds, strict=True)
        ]

    def _chosen(self, before: Board, images: History) -> Sequence[Pad]:
        """Returns the pads that bring the piece where much of its colours is, or anywhere."""
        piece, taps = self.findings.piece, self.findings.hand.taps
        kinds = tuple(int(kind) for kind in piece.kinds(images)[-1])
        number, column = int(piece.numbers(images)[-1]), self._pivot(images)
        noise = _ANYWHERE if self.rng.random() < _RANDOM else _NOISE
        joined = self.findings.field.links is not None
        ways = {one.number: one for one in piece.orientations}
        best: tuple[float, list[Pad]] = (-np.inf, [])
        pads: list[Pad] = []
        for _ in range(2 * len(ways)):
            way = ways.get(number)
            if way is None:
                break
            low = min(dy for _, dy in way.cells)
            for aside in range(-column - 1, before.columns - column + 1):
                cells = [(dy - low, column + aside + dx, kind) for (dx, dy), kind in zip(way.cells, kinds, strict=True)]
                if not all(0 <= x < before.columns for _, x, _ in cells):
                    continue
                worth = noise * self.rng.random() + worth_of(
                    before, cells, joined, _DIAGONALS if self.diagonals else _DIAGONAL
                )
                if worth > best[0]:
                    shift = Pad.LEFT if aside < 0 else Pad.RIGHT
                    best = (worth, [*pads, *taps(shift, abs(aside))])
            if not piece.turns:
                break
            after = way.after[piece.turns[0]]
            number, kinds = after.to, kinds[-after.cycle :] + kinds[: -after.cycle] if after.cycle else kinds
            pads += taps(piece.turns[0], 1)
        return best[1]


def worth_of(before: Board, cells: Sequence[Cell], joined: bool, diagonal: float) -> float:
    """Returns how good it is to drop a piece with these cells: long lines and groups of its colours, and low ones.

    A cell of an unknown kind may have any colour; `diagonal` is the worth of a diagonal against that of a line.
    """
    kinds, rest = before.kinds.copy(), list[Cell]()
    parts = [cells] if joined else [[cell] for cell in sorted(cells, reverse=True)]
    for part in parts:
        for row, column, kind in fallen(kinds != 0, part):
            rest.append((row, column, kind))
            if row >= 0:
                kinds[row, column] = kind
    worth = 0.0
    for row, column, kind in rest:
        if row < 0:
            worth -= 100
            continue
        for dy, dx in _LINES:
            length, aims = 1, 0
            for way in (1, -1):
                y, x = row + way * dy, column + way * dx
                while 0 <= y < before.rows and 0 <= x < before.columns and kinds[y, x] in (kind, UNKNOWN):
                    aims += kinds[y, x] == UNKNOWN
                    length, y, x = length + 1, y + way * dy, x + way * dx
            worth += (length - 1) ** 2 * (1.0 if dy * dx == 0 else diagonal) * (_AIM if 0 < aims < length - 1 else 1)
        height = before.rows - row
        worth -= 0.3 * height + (12.0 if row <= 2 else 0.0)
    return worth
