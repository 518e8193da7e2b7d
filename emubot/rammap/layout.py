"""The memory layout of numbers, and pieces, as pydantic models of `values`, `regions` and `pieces`; reads no memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, StrictBool, model_validator

from emubot.rammap.fields import (
    CodeKey,
    Count,
    Factor,
    Length,
    MapModel,
    Mask,
    Multiplier,
    Name,
    Names,
    Number,
    Offset,
    PerPlayer,
    Places,
    Shift,
    Small,
    learnable,
    wrong,
    wrong_keys,
)
from emubot.rammap.grid_layout import CodeSet
from emubot.rammap.strict_yaml import Hex

T = TypeVar("T")


class Layout(MapModel):
    """The layout of one number: its bytes as one word, then `mask`, `shift` right, then `format` or `table`."""

    bytes: Small = Field(1, description="length; binary, signed and bcd have at most 4")
    format: Literal["binary", "signed", "bcd", "digits"] = Field("binary", description="digits: one digit a byte")
    order: Literal["little", "big"] = Field("little", description="little: the first byte is the lowest")
    mask: Mask | None = Field(None, description="the bits of the word that are the number; all without it")
    shift: Shift = Field(0, description="bits that the masked word is moved to the right")
    table: dict[CodeKey, Number] | None = Field(None, min_length=1, description="the number of each code")
    otherwise: Number = Field(-1, description="the number of all codes that the table does not list")

    @model_validator(mode="after")
    def _one_reading(self) -> Layout:
        if self.table is None and "otherwise" in self.model_fields_set:
            raise wrong_keys(self, "otherwise only beside a table")
        if self.table is not None and self.format != "binary":
            raise wrong_keys(self, "either a table or a format, for a table reads the word itself")
        if self.table is not None and len({int(code, 16) for code in self.table}) != len(self.table):
            raise wrong_keys(self, "a table that lists each code once")
        return self

    @property
    def numbers(self) -> dict[int, int] | None:
        """The number of each code that the table lists; None if there is no table."""
        return None if self.table is None else {int(code, 16): number for code, number in self.table.items()}


class Term(Layout):
    """One term of a value: the number at `at`, multiplied by `times`."""

    at: Places = Field(description="the address, or a list with one, or `none`, for each player")
    times: Multiplier = Field(1, description="what the number is multiplied by; below 0 it is subtracted")

    def address(self, player: int) -> int | None:
        """Returns the CPU address of a player's first byte, None if the player has none."""
        return self.at[min(player, len(self.at) - 1)]


class Value(Layout):
    """A named number: (sum of its parts + offset) * scale // divide."""

    at: Places | None = Field(None, description="the address, or a list with one, or `none`, for each player")
    parts: tuple[Term, ...] = Field((), description="in place of at: numbers that are added, each with its own layout")
    offset: Number = Field(0, description="added to the number first")
    scale: Multiplier = Field(1, description="multiplies what `offset` left")
    divide: Factor = Field(1, description="divides what `scale` left, rounded down")
    overlaps: Names = Field((), description="names of what else lies in the same bits")
    hidden_from_search: StrictBool = Field(False, description="generator state: never shown to a search")

    @model_validator(mode="after")
    def _one_place(self) -> Value:
        if (self.at is None) == (not self.parts):
            raise wrong_keys(self, "either at or parts, exactly one of them")
        if self.divide != 1 and any(part.table is not None for part in self.addends):
            raise wrong_keys(self, "a table without divide, for it lists the numbers themselves")
        if self.parts and self.model_fields_set & set(Layout.model_fields):
            raise wrong_keys(self, "parts with bytes, format, order, mask, shift and table in each part")
        return self

    @cached_property
    def addends(self) -> tuple[Term, ...]:
        """The parts of the value; a value with `at` is its own only part."""
        if self.at is None:
            return self.parts
        layout = {name: getattr(self, name) for name in Layout.model_fields}
        return (Term.model_construct(at=self.at, times=1, **layout),)

    def belongs_to(self, player: int) -> bool:
        """Returns whether the player has this value."""
        return all(part.address(player) is not None for part in self.addends)


class Region(MapModel):
    """A named run of bytes, for traces and checks."""

    at: PerPlayer = Field(description="the first address, or a list with one for each player")
    bytes: Length = Field(description="length")
    overlaps: Names = Field((), description="names of what else lies in the same bytes; `playfield` is the grid")


class Turn(MapModel):
    """What a turn makes of a piece: the orientation id `to`, its parts moved on by `cycle` cells of the list."""

    to: Count = Field(description="the orientation id after the turn")
    cycle: Offset = Field(0, description="1: each part takes the next one's cell, and the last part the first cell")

    def reordered(self, parts: Sequence[T]) -> tuple[T, ...]:
        """Returns the parts after the turn, in the order of the cells of `to`."""
        return tuple(parts[(place - self.cycle) % len(parts)] for place in range(len(parts)))


def _turn(raw: Any) -> Any:
    return raw if isinstance(raw, dict | Turn) else {"to": raw}


TurnEntry = Annotated[Turn, BeforeValidator(_turn, json_schema_input_type=Count | Turn)]


class Orientation(MapModel):
    """One orientation id of a piece: its cells as [column, row] from the pivot, rows downwards."""

    id: Count = Field(description="the orientation's number in memory")
    piece: Annotated[str, Field(min_length=1, max_length=20)] = Field(description="the piece's name, of your choice")
    cells: tuple[tuple[Offset, Offset], ...] = Field(min_length=1, max_length=16, description="[column, row] of each")
    clockwise: TurnEntry = Field(description="the id after the turn; {to, cycle} if the piece's parts change places")
    counterclockwise: TurnEntry = Field(description="the same for the other direction")
    spawn: tuple[Offset, Offset] | None = Field(None, description="[x, y] where the piece enters, in this orientation")


def _pieces(raw: Any) -> Any:
    if learnable(raw):
        return []
    if not isinstance(raw, list) or not raw:
        raise wrong(raw, "a list of orientations, or the word learn")
    return raw


# Empty means `learn`.
Orientations = Annotated[
    tuple[Orientation, ...],
    BeforeValidator(_pieces, json_schema_input_type=Literal["learn"] | list[Orientation]),
]


class Point(MapModel):
    """The values that hold a cell's column and row."""

    x: Name = Field(description="the value with the cell's column")
    y: Name = Field(description="the value with the cell's row")


class CellsPlace(MapModel):
    """The place of the piece under control, by the columns and rows of its cells."""

    cells: tuple[Point, ...] = Field(min_length=1, max_length=16, description="in the order of the piece's parts")
    in_order: bool = Field(False, description="whether the cells of `pieces` come in that order for tetris, too")


def _piece_codes(raw: Any) -> Any:
    if learnable(raw):
        return {}
    if not isinstance(raw, dict) or not raw:
        raise wrong(raw, "a mapping from a kind's name to its codes, or the word learn")
    return raw


# Empty means `learn`.
PieceCodes = Annotated[
    dict[Name, CodeSet],
    BeforeValidator(_piece_codes, json_schema_input_type=Literal["learn"] | dict[Name, CodeSet]),
]


def _value(raw: Any) -> Any:
    if not isinstance(raw, Hex | list | dict):
        raise wrong(raw, "an address in hex such as 0x60, a list with one for each player, or a mapping with more")
    return raw if isinstance(raw, dict) else {"at": raw}


ValueEntry = Annotated[Value, BeforeValidator(_value, json_schema_input_type=Places | Value)]
