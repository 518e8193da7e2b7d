"""Tries what blocked turns do, at the walls, on the floor and between two walls; knows no other rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from emubot.discovery.colours.findings import EMPTY, ColourFindings, Numbers, Orientation
from emubot.discovery.colours.moves import board_of
from emubot.discovery.colours.playing import Player
from emubot.discovery.lab import History, Lab
from emubot.discovery.pads import DropKind
from emubot.pad import Pad

_SHOWS: Final = 10  # frames after a press in which a turn must have come
_FALLS: Final = 900  # frames in which a piece must have reached the floor
_SLOW: Final = 3  # rows above the floor from which a piece falls by itself: it then has all its time there
_WELL: Final = 3  # cells that a wall beside a narrow gap must have
_BUILDS: Final = 12  # pieces with which one is built

_PAIR, _QUARTERS = 2, 4  # parts and orientations of a piece that may turn upside down at once

Place = tuple[int, int]  # column, row
Free = Mapping[tuple[int, Pad], tuple[Place, ...]]  # by number and button: cells from the first cell before the turn


class _Tried(NamedTuple):
    """A turn: number and cells of the piece before and after it, and the cells that it would have without a kick."""

    button: Pad
    number: int
    cells: tuple[Place, ...]
    wanted: Orientation
    in_place: tuple[Place, ...]
    number_after: int
    after: tuple[Place, ...]

    @property
    def turned(self) -> bool:
        """Whether it turned."""
        return self.number_after == self.wanted.number and self.after != self.cells

    @property
    def is_flat(self) -> bool:
        """Whether the piece would then lie."""
        return len({row for _, row in self.in_place}) == 1


@dataclass(frozen=True, slots=True)
class Kicks:
    """What blocked turns do; None where it was not seen.

    `wall`: a turn that does not fit at a side is tried one column away. `floor`: the same one row higher. `left`: a
    turn that lays the piece flat is tried one column to the left. `quick`: between two walls a second press turns it
    upside down; that it does not is never known for certain.
    """

    wall: bool | None = None
    floor: bool | None = None
    left: bool | None = None
    quick: bool | None = None


def kicks_of(lab: Lab, findings: ColourFindings) -> Kicks:
    """Returns what blocked turns do in this game."""
    columns, rows = findings.field.columns, findings.field.rows
    sides: list[_Tried] = []
    floors: list[_Tried] = []
    free = _free(lab, findings)
    for tried in (*_at_walls(lab, findings, free), *_on_floor(lab, findings, free)):
        xs, lowest = [x for x, _ in tried.in_place], max(y for _, y in tried.in_place)
        if min(xs) < 0 or max(xs) >= columns:
            sides.append(tried)
        elif lowest >= rows:
            floors.append(tried)
    right = [tried for tried in sides if tried.is_flat and max(x for x, _ in tried.in_place) >= columns]
    found = Kicks(wall=_agreed(sides), floor=_agreed(floors), left=_agreed(right))
    has_four = len(findings.piece.parts) == _PAIR and len(findings.piece.orientations) == _QUARTERS
    return replace(found, quick=_quick(lab, findings)) if has_four else found


def _agreed(tries: list[_Tried]) -> bool | None:
    turned = {tried.turned for tried in tries}
    return turned.pop() if len(turned) == 1 else None


def _free(lab: Lab, findings: ColourFindings) -> Free:
    """Returns what turns make of a piece that nothing blocks."""
    free: dict[tuple[int, Pad], tuple[Place, ...]] = {}
    for turning in _turnings(findings):
        lab.load(findings.play)
        for tried in _turned(lab, findings, lab.play([*turning, *[Pad.NONE] * _SHOWS])[-1:], None):
            (x, y), rest = tried.cells[0], tried.after
            free[tried.number, tried.button] = tuple((to_x - x, to_y - y) for to_x, to_y in rest)
    return free


def _at_walls(lab: Lab, findings: ColourFindings, free: Free) -> Iterator[_Tried]:
    taps, many = findings.hand.taps, findings.field.columns
    for turning in _turnings(findings):
        for way in (Pad.LEFT, Pad.RIGHT):
            lab.load(findings.play)
            images = lab.play([*turning, *taps(way, many)])
            yield from _turned(lab, findings, images[-1:], free)


def _on_floor(lab: Lab, findings: ColourFindings, free: Free) -> Iterator[_Tried]:
    for turning in _turnings(findings):
        lab.load(findings.play)
        images = lab.play([*turning, Pad.NONE])
        if (landed := _lowered(lab, findings, images[-1:])) is not None:
            yield from _turned(lab, findings, landed, free)


def _turnings(findings: ColourFindings) -> Iterator[list[Pad]]:
    """Yields the pads that bring a piece into each orientation, one after the other."""
    turns = findings.piece.turns
    for times in range(4 if turns else 0):
        yield [Pad.NONE, *findings.hand.taps(turns[0], times)]


def _lowered(lab: Lab, findings: ColourFindings, image: History) -> History | None:
    """Lets the piece come down to the floor, the last rows by itself; returns the image in which it is there."""
    dropping, lowest = findings.hand.dropping(), findings.field.rows - 1
    is_slow = findings.hand.kind in (DropKind.AT_ONCE, DropKind.BY_ITSELF)
    before = _cells(findings, image)
    for _ in range(_FALLS):
        cells = _cells(findings, image)
        row = max(y for _, y in cells)
        if row == lowest:
            return image
        if row < max(y for _, y in before):
            return None
        before = cells
        image = lab.play([Pad.NONE if is_slow or row >= lowest - _SLOW else next(dropping)])
    return None


def _turned(lab: Lab, findings: ColourFindings, image: History, free: Free | None) -> Iterator[_Tried]:
    """Yields what each button that turns makes of the piece at this moment; `free` says what nothing blocks."""
    piece, here = findings.piece, lab.save()
    number = int(piece.numbers(image)[0])
    ways = {one.number: one for one in piece.orientations}
    if number not in ways:
        return
    cells = _cells(findings, image)
    x, y = cells[0]
    for button in piece.turns:
        wanted = ways[ways[number].after[button].to]
        if free is not None and (number, button) not in free:
            continue
        in_place = tuple((x + dx, y + dy) for dx, dy in (free or {}).get((number, button), ()))
        images = lab.replay(here, [*findings.hand.taps(button, 1), *[Pad.NONE] * _SHOWS])
        kept = np.flatnonzero((piece.numbers(images) == wanted.number) & (piece.numbers(images) != number))
        last = images[kept[0] : kept[0] + 1] if kept.size else image
        yield _Tried(button, number, cells, wanted, in_place, int(piece.numbers(last)[0]), _cells(findings, last))


def _cells(findings: ColourFindings, image: History) -> tuple[Place, ...]:
    return tuple((int(x), int(y)) for x, y in findings.piece.cells(image)[0])


def _quick(lab: Lab, findings: ColourFindings) -> bool | None:
    """Returns whether two presses turn a piece upside down in a gap of one column; None if that was not seen."""
    field, piece = findings.field, findings.piece
    upright = [one for one in piece.orientations if one.cells[0][0] == one.cells[1][0]]
    if len(upright) < 2 or not piece.turns:
        return None
    player = Player(lab, findings, np.random.default_rng(0))
    lab.load(findings.play)
    for _ in range(_BUILDS):
        move = player.move(lambda _, images: _stood(findings, images, 1))
        if move is None or move.after is None:
            return None
        heights = (move.after.kinds != EMPTY).sum(0)
        if heights[1] >= _WELL and heights[0] == 0:
            break
    else:
        return None
    images = lab.idle(1)
    lab.play(_stood(findings, images, 0))
    image = _lowered(lab, findings, lab.idle(1))
    if image is None or {x for x, _ in _cells(findings, image)} != {0}:
        return None
    if board_of(findings, image).kinds[field.rows - 2 :, 1].min() == EMPTY:
        return None
    before, turn = int(piece.numbers(image)[0]), piece.turns[0]
    images = lab.play([*findings.hand.taps(turn, 2), *[Pad.NONE] * _SHOWS])
    return was_turned_over(piece.numbers(images), before, [one.number for one in upright])


def was_turned_over(numbers: Numbers, before: int, upright: Sequence[int]) -> bool | None:
    """Returns whether a piece was seen upside down; None if not: two presses may have been too late, or too slow."""
    return True if np.isin(numbers, [number for number in upright if number != before]).any() else None


def _stood(findings: ColourFindings, images: History, column: int) -> list[Pad]:
    """Returns the pads that turn a piece upright and bring it to a column."""
    piece, taps = findings.piece, findings.hand.taps
    ways = {one.number: one for one in piece.orientations}
    way = ways[int(piece.numbers(images)[-1])]
    pads: list[Pad] = []
    for _ in range(len(ways)):
        if way.cells[0][0] == way.cells[1][0]:
            break
        way = ways[way.after[piece.turns[0]].to]
        pads += taps(piece.turns[0], 1)
    before = ways[int(piece.numbers(images)[-1])]
    pivot = int(piece.cells(images)[-1, 0, 0]) - before.cells[0][0]
    aside = column - pivot - way.cells[0][0]
    return [*pads, *taps(Pad.LEFT if aside < 0 else Pad.RIGHT, abs(aside))]
