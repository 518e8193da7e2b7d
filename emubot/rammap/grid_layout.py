"""The layout of the playfield and the coding of its cells, as pydantic models of `grid`; reads no memory."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool, model_validator

from emubot.rammap.fields import (
    BitNumber,
    CellBits,
    Cells,
    Code,
    ColumnStride,
    EntryBytes,
    Form,
    LearnableMask,
    Length,
    MapModel,
    Mask,
    Multiplier,
    Name,
    PerPlayer,
    Pixel,
    Shift,
    Stride,
    WordBytes,
    as_list,
    learnable,
    wrong,
    wrong_keys,
)
from emubot.rammap.strict_yaml import Hex


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
    """The coding of a cell: its bits as one number, `mask`, then `shift` right, then the code tables.

    A cell is `bytes` long, the first byte the lowest. With `bits` a byte holds several cells.
    """

    bytes: WordBytes = Field(1, description="length of a cell")
    bits: CellBits | None = Field(None, description="in place of bytes: length of a cell of which a byte holds several")
    order: Literal["high", "low"] = Field("high", description="with bits: the end of a byte at which its cells begin")
    first: BitNumber | None = Field(
        None, description="with bits: the lowest bit of column 0 in its byte; without it the byte's first cell"
    )
    mask: LearnableMask | None = Field(None, description="the bits of the code; learn: all until they are known")
    shift: Shift = Field(0, description="bits that the masked word is moved to the right")
    empty: CodeSet = Field(description="codes of an empty cell")
    kinds: dict[Name, KindEntry] = Field(min_length=1, description="in the order of the kinds' numbers, from 1")
    flags: dict[Name, Mask] = Field({}, description="bits of the cell's word that mean something by themselves")
    link: LinkCoding | None = Field(None, description="where the other half of a joined cell is")

    @model_validator(mode="after")
    def _one_length(self) -> CellCoding:
        if self.bits is not None and "bytes" in self.model_fields_set:
            raise wrong_keys(self, "either bytes or bits")
        if self.bits is None and self.model_fields_set & {"order", "first"}:
            raise wrong_keys(self, "order and first only beside bits")
        return self

    @property
    def width(self) -> int:
        """The bits of a cell's word."""
        return self.bits or 8 * self.bytes


class Viewport(MapModel):
    """The place of the visible playfield in the picture, in pixels of 256 x 240."""

    at: tuple[tuple[Pixel, Pixel], ...] = Field(min_length=1, description="[x, y] of its top left corner, per player")
    cell: tuple[Pixel, Pixel] = Field(description="[width, height] of a cell")


class RowsPlace(MapModel):
    """The bytes that all rows lie in."""

    at: PerPlayer = Field(description="their first address, or a list with one for each player")
    bytes: Length = Field(description="how many they are")


class RowTable(MapModel):
    """Where each row is, by a table in memory: its column 0 is at `base` + entry * `times`.

    Cells of a row that is not inside `rows_in` are of no known kind.
    """

    at: PerPlayer = Field(description="the entry of the first row; with high the low byte of it")
    bytes: EntryBytes = Field(1, description="length of an entry; of two bytes the first one is the lower")
    high: PerPlayer | None = Field(None, description="in place of bytes: the high byte of the first row's entry")
    stride: Stride | None = Field(None, description="bytes from an entry to the next; without it they touch")
    times: Multiplier = Field(1, description="what an entry is multiplied by; below 0 it is subtracted")
    base: PerPlayer | None = Field(None, description="the address that is added; none where entries are addresses")
    rows_in: RowsPlace = Field(description="the bytes that all rows lie in")

    @model_validator(mode="after")
    def _one_length(self) -> RowTable:
        if self.high is not None and "bytes" in self.model_fields_set:
            raise wrong_keys(self, "either bytes or high: each table then has one byte an entry")
        return self

    @property
    def step(self) -> int:
        """The bytes from an entry to the next, in either table."""
        return self.stride or self.bytes

    @property
    def most(self) -> int:
        """The largest entry."""
        return (1 << 8 * (2 if self.high is not None else self.bytes)) - 1


class GridLayout(MapModel):
    """The playfield: cell (row, column) begins at `at` + row * row_stride + column * column_stride.

    Where a byte holds several cells, `column_stride` counts cells. With `row_table` the rows are where it says.
    """

    at: PerPlayer | None = Field(None, description="column 0 of the first row in memory; needed without row_table")
    rows: Cells = Field(description="visible rows")
    columns: Cells = Field(description="columns of the playfield")
    row_stride: Stride | None = Field(
        None, description="bytes from a row to the next one in memory; needed without row_table"
    )
    row_table: RowTable | None = Field(None, description="in place of at and row_stride: a table of where the rows are")
    column_stride: ColumnStride = Field(
        description="bytes to the next column, cells where a cell has `bits`; below 0: backwards"
    )
    first_row: Literal["top", "bottom"] = Field("top", description="the row at which memory, or the table, begins")
    hidden: tuple[PerPlayer, ...] = Field(
        (), description="column 0 of each row above the top, nearest first; with row_table the entry of each"
    )
    shows_piece: StrictBool = Field(
        False,
        description="the piece in the air is drawn into the grid like locked cells; tetris, puyo, matching know it",
    )
    cell: CellCoding = Field(description="the coding of a cell")
    screen: Viewport | None = Field(None, description="where the playfield is in the picture; `--overlay` draws there")

    @model_validator(mode="after")
    def _one_place(self) -> GridLayout:
        fixed = (self.at, self.row_stride)
        if (None in fixed) if self.row_table is None else (fixed != (None, None)):
            raise wrong_keys(self, "either at and row_stride, or row_table in place of both")
        return self
