"""Makes a better map from what was seen, and says how each value is known; knows no frames and presses nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from emubot.games.tetris.learning.shapes import ShapesSeen
from emubot.games.tetris.learning.words import WordsSeen
from emubot.rammap import RamMap
from emubot.rammap.grid import code_mask
from emubot.rammap.layout import Orientation
from emubot.text import counted

_PARTS: Final = ("empty", "mask", "pieces", "piece_codes")  # of `learns`; the other names are kinds of cells


@dataclass(frozen=True, slots=True)
class MapStatement:
    """Everything that a better map is made of. Equal statements give equal maps."""

    mask: int
    codes: Mapping[str, tuple[int, ...]]  # of `empty` and of kinds, under the mask, not shifted
    pieces: tuple[Orientation, ...]  # empty while one in use is not known


class TetrisMapMaker:
    """Makes better maps from one map that leaves something open."""

    def __init__(self, base: RamMap) -> None:
        self._base, self._cell = base, base.document.grid.cell
        self.opens_mask = "mask" in base.learns
        self.opens_pieces = "pieces" in base.learns
        kinds = [name for name in base.learns if name not in _PARTS]
        self._solid = [name for name in kinds if self._cell.kinds[name].solid]
        self.passable = [name for name in kinds if not self._cell.kinds[name].solid]

    @property
    def bits(self) -> int:
        """The bits of a cell's word that may belong to its code."""
        flags = 0
        for bits in self._cell.flags.values():
            flags |= bits
        return code_mask(self._cell) & ~flags if self.opens_mask else code_mask(self._cell)

    def statement(self, words: WordsSeen, shapes: ShapesSeen, numbers: Iterable[int]) -> MapStatement:
        """Returns what is known for certain. `numbers` are the ids in use."""
        empty, solid = words.codes(words.empty), words.codes(words.solid)
        moving = {code: None for code in words.codes(words.moving) if code not in empty and code not in solid}
        codes: dict[str, tuple[int, ...]] = {}
        if empty:
            codes = self._given_out(solid, self._solid) | self._given_out(moving, self.passable)
            if self.opens_mask or "empty" in self._base.learns:
                codes["empty"] = tuple(sorted(empty))
        return MapStatement(words.mask, codes, self._pieces(shapes, numbers) if self.opens_pieces else ())

    def made(self, said: MapStatement) -> RamMap:
        """Returns the map with its open values filled in. Raises MapError if that is no valid map."""
        if not said.codes and not said.pieces:
            return self._base
        codes = {name: [code >> self._cell.shift for code in found] for name, found in said.codes.items()}
        mask = said.mask if self.opens_mask and "empty" in said.codes else None
        return self._base.learnt(mask=mask, codes=codes, pieces=said.pieces)

    def remarks(self, said: MapStatement, words: WordsSeen, shapes: ShapesSeen) -> Mapping[str, str]:
        """Returns, for each learnt value, how it is known, by its dotted key in the map."""
        remarks = {
            "grid.cell.mask": "the bits that did not change in cells at rest",
            "grid.cell.empty": f"where {counted(words.empty.total(), 'cell')} locked",
        }
        for name in said.codes:
            if name in self._solid:
                remarks[f"grid.cell.kinds.{name}"] = f"left by {counted(words.solid.total(), 'cell')} that locked"
            elif name in self.passable:
                remarks[f"grid.cell.kinds.{name}"] = (
                    f"seen in {counted(words.moving.total(), 'cell')} of pieces in the air"
                )
        locks = shapes.locks([one.id for one in said.pieces])
        remarks["pieces"] = "locks: " + ", ".join(f"{number} in {count}" for number, count in locks.items())
        stated = {"grid.cell.mask"} - ({"grid.cell.mask"} if self.opens_mask else set())
        stated |= set() if "empty" in said.codes else {"grid.cell.empty"}
        stated |= set() if said.pieces else {"pieces"}
        return {key: remark for key, remark in remarks.items() if key not in stated}

    def _given_out(self, codes: Iterable[int], names: list[str]) -> dict[str, tuple[int, ...]]:
        """Returns the codes of kinds in the order in which they were seen, one for each kind, the rest to the last."""
        stated = {code << self._cell.shift for known in self._base.codes.values() for code in known}
        own = [code for code in codes if code not in stated]
        if not names or not own:
            return {}
        last = len(names) - 1
        found: dict[str, tuple[int, ...]] = {name: (code,) for name, code in zip(names, own, strict=False)}
        if len(own) > last:
            found[names[last]] = tuple(own[last:])
        return found

    def _pieces(self, shapes: ShapesSeen, numbers: Iterable[int]) -> tuple[Orientation, ...]:
        numbers = list(numbers)
        if not numbers or not all(shapes.known(number) for number in numbers):
            return ()
        made: dict[int, Orientation] = {}
        for number in numbers:
            if number in made:
                continue
            cycle = sorted(shapes.cycle(number))
            name = f"piece_{len({one.piece for one in made.values()}) + 1}"
            for one in cycle:
                clockwise, counterclockwise = shapes.turns(one)
                cells = sorted(shapes.shape(one) or (), key=lambda cell: (cell[1], cell[0]))
                entry = {"id": one, "piece": name, "cells": cells}
                entry |= {"clockwise": clockwise, "counterclockwise": counterclockwise}
                made[one] = Orientation.model_validate(entry)
        return tuple(made[number] for number in sorted(made))
