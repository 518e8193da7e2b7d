"""Finds the byte of a piece's orientation, the cells of each of its numbers, and what each button makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.spans import Span
from emubot.discovery.drops import Dropper
from emubot.discovery.lab import History
from emubot.pad import Pad

TURNING: Final = (Pad.A, Pad.B, Pad.UP)
_TIMES: Final = 4  # presses after which every piece is as before
_SHOWS: Final = 8  # frames from the last press to its effect
_AGREED: Final = 0.2  # of the pieces must have filled a cell: others fell further, or it vanished
_HELD: Final = 0.8  # of the pieces must have filled cells as their number says


@dataclass(frozen=True, slots=True)
class Presses:
    """Memory after 0, 1, 2 ... presses of a button, from one moment."""

    button: Pad
    images: History


@dataclass(frozen=True, slots=True)
class Turns:
    """The byte of the orientation, the cells of each number from the piece's place, and the numbers after presses.

    `agreed` is the share of pieces that filled cells as it says, `enters` that of those which it says are not turned
    when they enter: a byte that the game works on may say so only later.
    """

    index: int
    cells: Mapping[int, tuple[Cell, ...]]
    sequences: Mapping[Pad, tuple[int, ...]]
    agreed: float
    enters: float

    @property
    def first(self) -> int:
        """The number of a piece that was not turned."""
        return next(iter(self.sequences.values()))[0]

    @property
    def asked(self) -> list[int]:
        """All numbers that presses make."""
        return list(dict.fromkeys(number for sequence in self.sequences.values() for number in sequence))


def pressed(dropper: Dropper, state: bytes) -> list[Presses]:
    """Returns what the buttons that may turn a piece do at a moment; those that drop it are left out."""
    found = []
    for button in TURNING:
        if button in (dropper.hand.at_once, dropper.hand.drop):
            continue
        longest = len(dropper.tapped(button, _TIMES)) + _SHOWS
        images = []
        for times in range(_TIMES + 1):
            pads = dropper.tapped(button, times)
            images.append(dropper.lab.replay(state, [*pads, *[Pad.NONE] * (longest - len(pads))])[-1])
        found.append(Presses(button, np.array(images)))
    return found


def numbers(moments: Sequence[Sequence[Presses]], steady: Set[int]) -> dict[int, dict[Pad, tuple[int, ...]]]:
    """Returns the bytes, of the `steady` ones, that count orientations, and their numbers after presses of each button.

    A number comes again after 2, 3 or 4 presses and not before. All moments have the same numbers.
    """
    found: dict[int, dict[Pad, tuple[int, ...]]] = {}
    for each in zip(*moments, strict=True):
        first = each[0].images
        for index in sorted(steady):
            sequence = tuple(int(number) for number in first[:, index])
            if all((one.images[:, index] == first[:, index]).all() for one in each) and (turn := _turn(sequence)):
                found.setdefault(index, {})[each[0].button] = turn
    return found


def _turn(sequence: Sequence[int]) -> tuple[int, ...]:
    """Returns the numbers until the first comes again; none if they are not different, or do not come again so."""
    for length in range(2, _TIMES + 1):
        if sequence[length] == sequence[0]:
            once = tuple(sequence[:length])
            again = all(sequence[at] == once[at % length] for at in range(len(sequence)))
            return once if again and len({*once}) == length else ()
    return ()


def turns(
    candidates: Mapping[int, Mapping[Pad, tuple[int, ...]]], spans: Sequence[Span], area: Area, sprites: Set[int]
) -> Turns | None:
    """Returns the byte of the orientation by which pieces filled cells as it says; None if none did."""
    best: tuple[tuple[float, float, bool, int], Turns] | None = None
    for index, sequences in candidates.items():
        cells = _cells(index, spans, area)
        asked = {number for sequence in sequences.values() for number in sequence}
        if cells is None or not asked <= cells.keys():
            continue
        held = [_fills(span, cells.get(int(span.last[index]), ()), area) for span in spans]
        first = next(iter(sequences.values()))[0]
        enters = float(np.mean([int(span.before[index]) == first for span in spans]))
        found = Turns(index, cells, sequences, float(np.mean(held)), enters)
        rank = (round(found.agreed, 2), round(enters, 1), index not in sprites, -abs(index - area.row[0]))
        if found.agreed >= _HELD and (best is None or rank > best[0]):
            best = rank, found
    return best[1] if best else None


def _cells(index: int, spans: Sequence[Span], area: Area) -> dict[int, tuple[Cell, ...]] | None:
    """Returns the cells of each number of a byte from the piece's place; None if they are not as many as parts."""
    votes: dict[int, Counter[Cell]] = {}
    seen: Counter[int] = Counter()
    for span in spans:
        if not span.locked or (span.held[:, index] != span.last[index]).any():
            continue
        x, y = area.place(span.last)
        number = int(span.last[index])
        seen[number] += 1
        votes.setdefault(number, Counter()).update((column - x, row - y) for column, row in span.locked)
    found = {}
    for number, cells in votes.items():
        often = [cell for cell, times in cells.most_common() if times >= _AGREED * seen[number]]
        wholes = [parts for parts in combinations(often, len(area.parts)) if _hang_together(parts)]
        if seen[number] > 1 and wholes:
            found[number] = tuple(sorted(max(wholes, key=lambda parts: sum(cells[cell] for cell in parts))))
    return found or None


def _hang_together(parts: Sequence[Cell]) -> bool:
    """Returns whether these cells are one piece: each but the first is beside one of the others."""
    left, edge = {*parts[1:]}, [parts[0]]
    while edge:
        x, y = edge.pop()
        beside = left & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
        edge += beside
        left -= beside
    return not left


def _fills(span: Span, cells: Sequence[Cell], area: Area) -> bool:
    """Returns whether at least one of the cells was filled: others may have fallen further."""
    x, y = area.place(span.last)
    return any((column + x, row + y) in span.locked for column, row in cells)


def steady(spans: Sequence[Span]) -> set[int]:
    """Returns the bytes that stay as they are while pieces fall without a press."""
    still = np.ones(spans[0].held.shape[1], np.bool_)
    for span in spans:
        still &= (span.held == span.held[0]).all(0) & (span.last == span.held[0])
    return {int(index) for index in np.flatnonzero(still)}
