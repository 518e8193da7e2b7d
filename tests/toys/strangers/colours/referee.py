"""Holds a stranger of colours to its rules, frame by frame: what a piece may do, where it locks, what vanishes.

It is as plain as can be, and knows nothing of the families that play such games.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from emubot.pad import Pad
from tests.toys.strangers.colours.reading import NUISANCE, TARGET, Field, Piece, Reading
from tests.toys.strangers.colours.stranger import DIAGONALS, GROUPS, Cell, Stranger

_SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))  # of links 1 to 4, as (row, column)
_LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


def color_of(kind: int) -> int:
    """Returns the colour of a kind; 0 if it has none."""
    return kind - TARGET if kind > TARGET else kind if kind < NUISANCE else 0


class Outcome(NamedTuple):
    """A field in which nothing falls and matches any more, the steps of the chain before, and its points."""

    field: Field
    chain: int
    points: int


class Referee:
    """Watches one player. `see` raises AssertionError with what broke a rule."""

    def __init__(self, stranger: Stranger, player: int = 0) -> None:
        self.stranger, self.player = stranger, player
        self.pieces = self.pops = self.longest = self.games = 0
        self._before: Reading | None = None  # the last frame under control
        self._between = False
        self._chain = 0  # the steps that memory had before the next piece

    def see(self, reading: Reading) -> None:
        """One more frame."""
        if reading.mode == "paused":
            return
        if reading.mode == "won":
            self._before = None
            return
        if reading.mode not in ("play", "demo"):
            if reading.mode == "over" and self._before is not None:
                self._ended(reading)
            self._before = None
            return
        if not reading.is_controlled:
            self._between = self._before is not None
            self._chain = reading.byte("P_CHAIN")
            return
        before, self._before = self._before, reading
        is_new = before is None or self._between or before.byte("P_PIECES") != reading.byte("P_PIECES")
        self._between = False
        if is_new:
            self._entered(reading)
        if before is None:
            self.games += 1
            return
        if is_new:
            self._locked(before, reading)
        else:
            self._moved(before, reading)

    def forget(self) -> None:
        """The player does not play."""
        self._before = None

    def _entered(self, reading: Reading) -> None:
        play, piece = self.stranger.play, reading.piece
        self.pieces += 1
        assert (piece.orientation, piece.column, piece.row) == play.spawn, f"{piece} enters"
        assert self._fits(reading.field, piece), f"{piece} enters where something is"

    def _moved(self, before: Reading, reading: Reading) -> None:
        """The piece is where its turns, shifts and falls lead."""
        assert before.field == reading.field, "the field changed while a piece was in the air"
        expected = {*self._ways(before.piece, reading)}
        assert reading.piece in expected, f"{before.piece} became {reading.piece}"

    def _ways(self, piece: Piece, reading: Reading) -> Iterator[Piece]:
        """Yields where the piece may be after a frame in which the game read these buttons."""
        new = reading.memory[self.stranger.addresses["PAD_NEW"] + self.player]
        held = reading.memory[self.stranger.addresses["PAD_HELD"] + self.player]
        pads, field = self.stranger.pads, reading.field
        if self._before is not None and reading is not self._before:
            field = self._before.field
        turned = {self._shown(one) for one in self._turned(piece, new, field)}
        for one in turned:
            shifts = {0}
            for button, step in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
                moved = self._at(one, step, 0)
                if self._fits(field, moved):
                    if new & button:
                        shifts = {step}
                    elif held & button and pads.repeat_first:
                        shifts = shifts | {step}
            for step in shifts:
                there = self._at(one, step, 0)
                yield there
                below = self._at(there, 0, 1)
                while self._fits(field, below):
                    yield below
                    if not (new and (pads.hard_drop or pads.down == "drop")):
                        break
                    below = self._at(below, 0, 1)

    def _turned(self, piece: Piece, new: int, field: Field) -> Iterator[Piece]:
        """Yields what the presses of this frame make of a piece: one, or several if a quick turn is possible."""
        pieces = [piece]
        for name, clockwise in ((self.stranger.pads.clockwise, True), (self.stranger.pads.counterclockwise, False)):
            if name and new & Pad[name]:
                pieces = [turned for one in pieces for turned in self._turns(one, clockwise, field)]
        return iter(pieces)

    def _turns(self, piece: Piece, clockwise: bool, field: Field) -> list[Piece]:
        play = self.stranger.play
        to = play.turned(piece.orientation, clockwise)
        tried = self._tried(piece, to, play.kick(piece.orientation, to), field)
        if tried is not None:
            return [tried]
        if play.quick_turn and piece.orientation % 2 == 0:
            to = play.turned(to, clockwise)
            ((x, y),) = [cell for cell in play.shapes[to] if cell != (0, 0)]
            allowed = play.floor_kick if y > 0 else play.wall_kick
            upside = self._tried(piece, to, (-x, -y) if allowed else (0, 0), field)
            return [piece] if upside is None else [piece, upside]
        return [piece]

    def _tried(self, piece: Piece, to: int, kick: Cell, field: Field) -> Piece | None:
        for x, y in ((0, 0), kick):
            one = Piece(to, piece.column + x, piece.row + y, piece.kinds)
            if (y >= 0 or one.row >= -self.stranger.play.hidden) and self._fits(field, one):
                return one
        return None

    def _shown(self, piece: Piece) -> Piece:
        """Returns the piece as memory has it: with two orientations a half-turn is an exchange of the halves."""
        if not self.stranger.play.swaps or piece.orientation < 2:
            return piece
        return Piece(piece.orientation - 2, piece.column, piece.row, piece.kinds[::-1])

    def _at(self, piece: Piece, x: int, y: int) -> Piece:
        return Piece(piece.orientation, piece.column + x, piece.row + y, piece.kinds)

    def _fits(self, field: Field, piece: Piece) -> bool:
        play = self.stranger.play
        return all(
            0 <= column < play.columns and row < play.rows and (row, column) not in field
            for (row, column), _ in piece.cells(self.stranger)
        )

    def _locked(self, before: Reading, after: Reading) -> None:
        """The field is that after one of the locks that were possible, and the next piece is the one that was shown."""
        if before.next:
            assert after.piece.kinds == before.next, f"{after.piece} came, {before.next} was shown"
        outcomes = [self.resolved(self._put(before.field, piece)) for piece in {*self._locks(before)}]
        possible = [outcome for outcome in outcomes if self._is(after.field, outcome.field)]
        assert possible, f"the field after {before.piece} is none of {len(outcomes)} possible ones"
        most = {"binary": 0x10000, "none": 1}.get(self.stranger.piece.score, 10_000)
        counted = self._chain, (after.score - before.score) % most
        known = [(outcome.chain, outcome.points % most) for outcome in possible]
        assert counted in known, f"chain and points are {counted}, not {known}"
        self._chain = 0
        assert after.byte("P_CHAIN") == (0 if self.stranger.play.clears_chain else counted[0])
        self.pops += counted[0] > 0
        self.longest = max(self.longest, counted[0])

    def _locks(self, before: Reading) -> Iterator[Piece]:
        """Yields where the piece can have locked in the frame after this one, whatever was pressed."""
        for new in (0, Pad.A, Pad.B, Pad.UP, Pad.A | Pad.B):
            for turned in self._turned(before.piece, int(new), before.field):
                for step in (-1, 0, 1):
                    piece = self._at(self._shown(turned), step, 0)
                    if self._fits(before.field, piece):
                        while self._fits(before.field, self._at(piece, 0, 1)):
                            piece = self._at(piece, 0, 1)
                        yield piece

    def _is(self, field: Field, expected: Field) -> bool:
        """Whether this is the field, but for nuisance on top of its columns."""
        if not self.stranger.play.has_nuisance:
            return field == expected
        more = {cell: value for cell, value in field.items() if cell not in expected}
        same = all(field.get(cell) == value for cell, value in expected.items())
        return same and all(kind == NUISANCE for kind, _ in more.values())

    def _put(self, field: Field, piece: Piece) -> Field:
        play = self.stranger.play
        cells = [(cell, kind) for cell, kind in piece.cells(self.stranger) if cell[0] >= -play.hidden]
        links = [0] * len(cells)
        if play.joined and len(cells) == 2:
            (row, column), (other_row, other_column) = cells[0][0], cells[1][0]
            way = (other_row - row, other_column - column)
            links = [1 + _SIDES.index(way), 1 + _SIDES.index((-way[0], -way[1]))]
        return {**field, **{cell: (kind, link) for (cell, kind), link in zip(cells, links, strict=True)}}

    def resolved(self, field: Field) -> Outcome:
        """Returns what a field becomes."""
        chain = points = 0
        while True:
            field = self._fallen(field)
            gone = self._matches(field)
            if not gone:
                return Outcome(field, chain, points)
            chain += 1
            points += chain * len(gone)
            for cell in gone:
                _, link = field[cell]
                if link:
                    row, column = _SIDES[link - 1]
                    other = (cell[0] + row, cell[1] + column)
                    if other in field:
                        field[other] = (field[other][0], 0)
                del field[cell]

    def _fallen(self, field: Field) -> Field:
        field = dict(field)
        again = True
        while again:
            again = False
            for cell in sorted(field, reverse=True):
                if cell not in field:
                    continue
                _, link = field[cell]
                body = [cell]
                if link:
                    row, column = _SIDES[link - 1]
                    body.append((cell[0] + row, cell[1] + column))
                below = [(row + 1, column) for row, column in body]
                loose = all(field[one][0] <= NUISANCE for one in body)
                if loose and all(
                    (row < self.stranger.play.rows and (row, column) not in field) or (row, column) in body
                    for row, column in below
                ):
                    values = [field.pop(one) for one in body]
                    field.update(zip(below, values, strict=True))
                    again = True
        return field

    def _matches(self, field: Field) -> set[Cell]:
        play = self.stranger.play
        colors = {cell: color_of(kind) for cell, (kind, _) in field.items() if color_of(kind)}
        if play.match != GROUPS:
            return {cell for cell in colors if self._in_line(colors, cell)}
        visible = {cell: color for cell, color in colors.items() if cell[0] >= 0}
        gone: set[Cell] = set()
        for cell, color in visible.items():
            group, grown = {cell}, [cell]
            while grown:
                row, column = grown.pop()
                for dy, dx in _SIDES:
                    beside = (row + dy, column + dx)
                    if beside not in group and visible.get(beside) == color:
                        group.add(beside)
                        grown.append(beside)
            if len(group) >= play.size:
                gone |= group
        beside_gone = {(row + dy, column + dx) for row, column in gone for dy, dx in _SIDES}
        return gone | {one for one in beside_gone if one[0] >= 0 and field.get(one, (0, 0))[0] == NUISANCE}

    def _in_line(self, colors: dict[Cell, int], cell: Cell) -> bool:
        for dy, dx in _LINES[: 4 if self.stranger.play.match == DIAGONALS else 2]:
            length = 1
            for way in (1, -1):
                row, column = cell[0] + way * dy, cell[1] + way * dx
                while colors.get((row, column)) == colors[cell]:
                    length, row, column = length + 1, row + way * dy, column + way * dx
            if length >= self.stranger.play.size:
                return True
        return False

    def _ended(self, reading: Reading) -> None:
        """The next piece had no room."""
        before = self._before
        assert before is not None
        if self.stranger.play.players > 1 and reading.byte("LOSER") != self.player + 1:
            return
        kinds = before.next or before.piece.kinds
        orientation, column, row = self.stranger.play.spawn
        assert not self._fits(reading.field, Piece(orientation, column, row, kinds)), "the game ended with room left"
