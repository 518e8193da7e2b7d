"""The memory layout of numbers and cells, as pydantic models of `values`, `regions` and `grid`; reads no memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, StrictBool, model_validator

from emubot.rammap.fields import (
    Cells,
    Code,
    CodeKey,
    Count,
    Factor,
    Form,
    LearnableMask,
    Length,
    MapModel,
    Mask,
    Multiplier,
    Name,
    Names,
    Number,
    Offset,
    PerPlayer,
    Pixel,
    Places,
    Shift,
    Small,
    Stride,
    WordBytes,
    as_list,
    learnable,
    wrong,
    wrong_keys,
)
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

    @property
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


class CodeRange(MapModel):
    """Cell codes from `from` to `to`, both included."""

    low: Code = Field(alias="from", description="the first code")
    high: Code = Field(alias="to", description="the last code")


def _codes(raw: Any) -> Any:
    if learnable(raw):
        return []
    items = as_list(raw)
    if not items or not all(isinstance(item, Hex | dict) for item in items):
        raise wrong(raw, "a code in hex, a range {from, to}, a list of these, or the word learn")
    return [{"from": item, "to": item} if isinstance(item, Hex) else item for item in items]


# Empty means `learn`: the codes are not known, and watching the game may show them.
CodeSet = Annotated[
    tuple[CodeRange, ...],
    BeforeValidator(_codes, json_schema_input_type=Literal["learn"] | Code | CodeRange | list[Code | CodeRange]),
    Form("codes"),
]


class CellKind(MapModel):
    """A kind of cell: its codes, and whether a piece collides with it."""

    codes: CodeSet = Field(description="the codes of the kind")
    solid: StrictBool = Field(True, description="whether a piece collides with it")


def _kind(raw: Any) -> Any:
    return {"codes": raw} if not isinstance(raw, dict) or {"from", "to"} & raw.keys() else raw


KindEntry = Annotated[CellKind, BeforeValidator(_kind, json_schema_input_type=CodeSet | CellKind)]


class LinkCoding(MapModel):
    """The side on which a cell's other half is: `mask`, then `shift` right, then these codes; any other code is none.

    These bits may be the same as those of the kind. To write a cell whose bits say another side, the first code of the
    side is used.
    """

    mask: Mask = Field(description="the bits of the cell's word that say the side")
    shift: Shift = Field(0, description="bits that the masked word is moved to the right")
    none: CodeSet = Field(description="codes of a cell without another half")
    left: CodeSet = Field(description="codes if the other half is on the left")
    right: CodeSet = Field(description="codes if the other half is on the right")
    up: CodeSet = Field(description="codes if the other half is above")
    down: CodeSet = Field(description="codes if the other half is below")

    @property
    def sides(self) -> tuple[tuple[CodeRange, ...], ...]:
        """The codes by number: 0 none, 1 left, 2 right, 3 up, 4 down."""
        return (self.none, self.left, self.right, self.up, self.down)


class CellCoding(MapModel):
    """The coding of a cell: its bytes as a little-endian word, `mask`, then `shift` right, then the code tables."""

    bytes: WordBytes = Field(1, description="length of a cell")
    mask: LearnableMask | None = Field(None, description="the bits of the code; learn: all until they are known")
    shift: Shift = Field(0, description="bits that the masked word is moved to the right")
    half_bytes: Literal["high", "low"] | None = Field(None, description="half a byte a cell; where each row begins")
    empty: CodeSet = Field(description="codes of an empty cell")
    kinds: dict[Name, KindEntry] = Field(min_length=1, description="in the order of the kinds' numbers, from 1")
    flags: dict[Name, Mask] = Field({}, description="bits of the cell's word that mean something by themselves")
    link: LinkCoding | None = Field(None, description="where the other half of a joined cell is")

    @model_validator(mode="after")
    def _whole_halves(self) -> CellCoding:
        if self.half_bytes and self.model_fields_set & {"bytes", "mask", "shift", "flags", "link"}:
            raise wrong_keys(self, "half_bytes without bytes, mask, shift, flags and link: half a byte is the code")
        return self


class Viewport(MapModel):
    """The place of the visible playfield in the picture, in pixels of 256 x 240."""

    at: tuple[tuple[Pixel, Pixel], ...] = Field(min_length=1, description="[x, y] of its top left corner, per player")
    cell: tuple[Pixel, Pixel] = Field(description="[width, height] of a cell")


class GridLayout(MapModel):
    """The playfield: cell (row, column) begins at `at` + row * row_stride + column * column_stride."""

    at: PerPlayer = Field(description="column 0 of the first row in memory")
    rows: Cells = Field(description="visible rows")
    columns: Cells = Field(description="columns of the playfield")
    row_stride: Stride = Field(description="bytes from a row to the next one in memory")
    column_stride: Stride = Field(description="bytes, or half bytes where cells are half bytes")
    first_row: Literal["top", "bottom"] = Field("top", description="the row at which memory begins")
    hidden: tuple[PerPlayer, ...] = Field((), description="column 0 of each row above the top, nearest first")
    cell: CellCoding = Field(description="the coding of a cell")
    screen: Viewport | None = Field(None, description="where the playfield is in the picture; `--overlay` draws there")


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
