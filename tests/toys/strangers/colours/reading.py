"""Reads a frame of a stranger of colours by what its generator knows; knows no map and no family."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tests.toys.strangers.colours.stranger import ABOVE, KINDS, PARKED, STATE, Cell, Stranger

NUISANCE, POPPING, MOVING, TARGET = 7, 8, 15, 8  # kinds, as the engine counts them; a target of colour n is TARGET + n
Field = dict[Cell, tuple[int, int]]  # by (row, column): kind and link of each filled cell, hidden rows negative


@dataclass(frozen=True)
class Piece:
    """A piece: its orientation as memory has it, its pivot, the kinds of its parts."""

    orientation: int
    column: int
    row: int
    kinds: tuple[int, ...]

    def cells(self, stranger: Stranger) -> list[tuple[Cell, int]]:
        """Returns ((row, column), kind) of each part."""
        shape = stranger.play.shapes[self.orientation]
        return [((self.row + y, self.column + x), kind) for (x, y), kind in zip(shape, self.kinds, strict=True)]


class Reading:
    """One frame of one player. `memory` is the console's RAM, then the cartridge's if the stranger has some."""

    def __init__(self, stranger: Stranger, memory: bytes, player: int = 0) -> None:
        self.stranger, self.memory, self.player = stranger, memory, player

    def byte(self, name: str) -> int:
        """Returns a byte of the game, or of this player if its name begins with P_."""
        at = self.stranger.addresses[name]
        return self.memory[at + self.stranger.shift * self.player if name.startswith("P_") else at]

    @cached_property
    def mode(self) -> str:
        """ "menu", "play", "over", "won", "paused" or "demo"."""
        stranger = self.stranger
        number = stranger.menus.modes.index(self.byte("MODE"))
        name = ["menu"] * len(stranger.menus.screens) + ["play", "over", "won", "paused", "demo"]
        if stranger.menus.pause and name[number] in ("play", "demo") and self.byte("PAUSED"):
            return "paused"
        if stranger.menus.demo_after and name[number] == "play" and self.byte("DEMO"):
            return "demo"
        return name[number]

    @cached_property
    def screen(self) -> int | None:
        """The number of the screen before a game."""
        return self.stranger.menus.modes.index(self.byte("MODE")) if self.mode == "menu" else None

    @cached_property
    def is_controlled(self) -> bool:
        """Whether the player has a piece under control."""
        stranger = self.stranger
        if self.mode not in ("play", "demo"):
            return False
        if stranger.between == STATE:
            return self.byte("P_STATE") == stranger.states[0]
        if stranger.between == PARKED:
            return self.byte("P_Y") != stranger.piece.parked
        if stranger.between == KINDS:
            return self.byte("P_NOW") != 0
        return self.byte("P_WAIT") == 0

    @cached_property
    def piece(self) -> Piece:
        """The piece under control."""
        stranger, bytes_ = self.stranger, self.stranger.piece
        row = self._row("P_Y")
        column = bytes_.x_codes.index(self.byte("P_X"))
        if bytes_.by_cells:
            apart = (bytes_.x_codes.index(self.byte("P_X2")) - column, self._row("P_Y2") - row)
            ways = [(two[1][0] - two[0][0], two[1][1] - two[0][1]) for two in stranger.play.shapes]
            turn = ways.index(apart)
        else:
            turn = bytes_.turn_codes.index(self.byte("P_TURN"))
        x, y = bytes_.anchor[turn]
        return Piece(turn, column - x, row - y, self._kinds("NOW"))

    @cached_property
    def next(self) -> tuple[int, ...]:
        """The kinds of the next piece; none if memory does not have it."""
        return self._kinds("NEXT") if self.stranger.piece.keeps_next else ()

    @cached_property
    def field(self) -> Field:
        """All filled cells, without a piece that is drawn there. Raises AssertionError if it is not drawn as it is."""
        stranger = self.stranger
        filled = {
            (row - stranger.play.hidden, column): value
            for row, column in stranger.cells
            if (value := self._value(row, column))[0]
        }
        if stranger.field.drawn and self.is_controlled:
            for cell, kind in self.piece.cells(stranger):
                if cell[0] >= -stranger.play.hidden:
                    shown, _ = filled.pop(cell)
                    assert shown == (MOVING if stranger.field.drawn == "moving" else kind), f"{cell} shows {shown}"
        return filled

    @property
    def score(self) -> int:
        """The points."""
        digits = [self.byte(name) for name in ("P_SCORE", "P_SCORE_2", "P_SCORE_3", "P_SCORE_4")]
        if self.stranger.piece.score == "digits":
            return sum(digit * 10**place for place, digit in enumerate(digits))
        if self.stranger.piece.score == "bcd":
            return int(f"{digits[1]:02X}{digits[0]:02X}")
        return digits[0] + 256 * digits[1]

    def _row(self, name: str) -> int:
        code = self.byte(name)
        codes = self.stranger.piece.y_codes
        return codes.index(code & ~1 if self.stranger.piece.half_rows else code) - ABOVE - self.stranger.play.hidden

    def _kinds(self, which: str) -> tuple[int, ...]:
        codes = self.stranger.piece.part_codes
        if self.stranger.piece.nibbles:
            both = self.byte(f"P_{which}")
            return codes.index(both >> 4), codes.index(both & 15)
        names = [f"P_{which}", f"P_{which}_2", f"P_{which}_3"][: self.stranger.play.parts]
        return tuple(codes.index(self.byte(name)) for name in names)

    def _value(self, row: int, column: int) -> tuple[int, int]:
        stranger, field = self.stranger, self.stranger.field
        at, is_high = field.place(row, column, self.player)
        raw = self.memory[at if at < 0x800 else at - 0x6000 + 0x800]
        if field.half_bytes:
            raw = raw >> 4 if is_high else raw & 15
        raw &= ~field.noise & 0xFF
        link = field.links.index(raw & field.link_mask) if field.link_mask and raw != field.empty else 0
        code = raw & ~field.link_mask & 0xFF
        if code == field.empty:
            return 0, 0
        if code in field.colors:
            return 1 + field.colors.index(code), link
        if code in field.targets:
            return TARGET + 1 + field.targets.index(code), link
        kinds = {field.popping: POPPING, field.nuisance: NUISANCE, field.moving: MOVING}
        assert code in kinds, f"no cell has the code {raw:02X} (row {row}, column {column} of {stranger.name})"
        return kinds[code], link
