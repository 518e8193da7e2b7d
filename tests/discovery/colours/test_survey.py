"""Experiments with a colour game find its field and piece: each inference on made-up memory, all of them on toys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from emubot.bridges.libretro import connect
from emubot.discovery.arriving import Play, reach_play
from emubot.discovery.axes import Axis
from emubot.discovery.colours import survey
from emubot.discovery.colours.areas import Area, _covered, area
from emubot.discovery.colours.findings import ColourFindings, Part
from emubot.discovery.colours.kinds import kinds, ordered, upcoming
from emubot.discovery.colours.landings import Landing
from emubot.discovery.colours.lattices import lattices
from emubot.discovery.colours.places import places
from emubot.discovery.colours.spans import Span, with_chance, without_chance
from emubot.discovery.colours.survey import colour_findings
from emubot.discovery.colours.turning import Presses, numbers, turns
from emubot.discovery.drops import Drop
from emubot.discovery.lab import Lab
from emubot.discovery.units import BYTES
from emubot.errors import NotDiscovered
from emubot.pad import Pad
from tests.bridges.cores import require_core
from tests.discovery.colours.known import known_field, known_piece
from tests.toys.strangers.colours import Stranger, build, colour_stranger
from tests.toys.strangers.colours.reading import Reading
from tests.toys.strangers.colours.watched import mash

X, Y, TURN, PARTS, NEXT, COPY, NOISE, OTHER = 0x10, 0x11, 0x12, (0x13, 0x14), (0x15, 0x16), 0x17, 0x18, (0x19, 0x1A)
LATE = 0x1B  # the orientation, or that of the piece before as long as one only enters
FIELD, STRIDE, ROWS, COLUMNS, EMPTY = 0x300, 9, 10, 6, 7
CODES = {1: 20, 2: 21, 3: 22, 4: 23}  # by a part's number
SHAPES = (((0, -1), (0, 0)), ((1, 0), (0, 0)), ((0, 1), (0, 0)), ((-1, 0), (0, 0)))
SEEDS = [pytest.param(seed, marks=[] if seed == 5 else [pytest.mark.slow]) for seed in (1, 5, 7, 10, 11, 13, 18, 20)]


class Game:
    """Memory of a made-up game of pairs."""

    def __init__(self, seed: int, across: int = 1, down: int = STRIDE, columns: int = COLUMNS) -> None:
        self.rng, self.across, self.down = np.random.default_rng(seed), across, down
        self.memory = np.zeros(0x800, np.uint8)
        self.memory[[self.unit(column, row) for row in range(ROWS) for column in range(columns)]] = EMPTY
        self.memory[list(PARTS)], self.memory[list(NEXT)] = self.drawn(), self.drawn()

    def unit(self, column: int, row: int) -> int:
        return FIELD + row * self.down + column * self.across

    def drawn(self) -> list[int]:
        return [int(number) for number in self.rng.integers(1, 5, 2)]

    def rest(self, column: int, turn: int) -> int:
        """The row in which a piece rests."""
        return max(row for row in range(ROWS) if self.is_free(column, row, turn))

    def is_free(self, column: int, row: int, turn: int) -> bool:
        cells = [(column + x, below) for x, y in SHAPES[turn] for below in range(max(row + y, 0) + 1)]
        return all(below < ROWS and self.memory[self.unit(across, below)] == EMPTY for across, below in cells)

    def drop(self, column: int, turn: int = 0) -> Drop:
        """Let the piece fall; the next one comes."""
        self.memory[[X, Y, TURN]] = 2, 1, 0
        frames = [self.memory.copy()]
        self.memory[[X, Y, TURN, LATE]] = column, 1, turn, turn
        frames.append(self.memory.copy())
        row = self.rest(column, turn)
        self.memory[Y] = row
        self.memory[list(OTHER)] = column + SHAPES[turn][0][0], (row + SHAPES[turn][0][1]) % 256
        frames += [self.memory.copy()] * 3
        for (x, y), part in zip(SHAPES[turn], PARTS, strict=True):
            self.memory[self.unit(column + x, row + y)] = CODES[int(self.memory[part])]
        self.memory[list(PARTS)] = self.memory[list(NEXT)]
        self.memory[list(NEXT)], self.memory[[X, Y, TURN]] = self.drawn(), (2, 1, 0)
        frames.append(self.memory.copy())
        noisy = np.array(frames)
        noisy[:, NOISE] = self.rng.integers(0, 256, len(frames))
        return Drop(noisy, 1, len(frames) - 1, False, b"")

    def span(self, column: int, turn: int, where: Area) -> Span:
        drop = self.drop(column, turn)
        locked, at = where.locked(drop.frames, drop.gone)
        held = drop.frames[1:at]
        return Span(Pad.A, turn, drop.frames[0], held, held[-1], drop.rested[0], locked, b"")


def landed(number: int, drop: Drop) -> Landing:
    return Landing(number, int(drop.last[0, X]), int(drop.last[0, Y]), drop.frames[0], drop.rested[0], drop)


def landings(across: int = 1, down: int = STRIDE, columns: int = COLUMNS) -> list[Landing]:
    first = [landed(0, Game(1, across, down, columns).drop(column)) for column in range(columns)]
    game = Game(1, across, down, columns)
    game.drop(2)
    piles = [*[0] * 3, *[columns - 1] * 3]
    return [*first, *(landed(number, game.drop(column)) for number, column in enumerate(piles, start=1))]


def test_the_field_is_where_cells_move_with_the_piece() -> None:
    seen = landings()
    found = lattices(seen, 1)[0]
    assert found is not None
    assert (found.packing, found.across, found.down, found.row_step) == (BYTES, 1, STRIDE, 1)
    where = area(found, seen, (X, 1), Y)
    assert where.units[-1].tolist() == [FIELD + (ROWS - 1) * STRIDE + column for column in range(COLUMNS)]
    assert (where.empty, where.drawn, len(where.parts)) == (EMPTY, False, 2)


def test_a_field_may_be_more_than_half_of_a_bytes_numbers_high() -> None:
    """Rows of 24 pixels: a piece on the floor is 192 and more below one that enters."""
    seen = landings()
    for one in seen:
        one.drop.frames[:, Y] *= 24
    seen = [replace(one, down=int(one.drop.last[0, Y])) for one in seen]
    found = lattices(seen, 1)[0]
    assert found is not None
    assert found.row_step == 24
    where = area(found, seen, (X, 1), Y)
    assert where.place(seen[0].drop.frames[0])[1] == 2 - ROWS
    assert len(where.units) >= ROWS - 1


def test_pieces_that_enter_below_where_they_land_have_no_field() -> None:
    seen = landings()
    found = lattices(seen, 1)[0]
    assert found is not None
    for one in seen:
        one.after[Y] = seen[0].down + 20
    with pytest.raises(NotDiscovered, match="do not enter above"):
        area(found, seen, (X, 1), Y)


def test_no_field_is_found_where_the_same_bytes_change_wherever_a_piece_falls() -> None:
    seen = landings()
    blind = [Landing(one.number, one.across, one.down, one.before, seen[0].after, seen[0].drop) for one in seen]
    assert lattices(blind, 1) == []


def test_what_is_of_chance_beside_a_cell_is_no_cell() -> None:
    """Every cell has a second byte, in which each lock leaves another number; some pieces vanish at once."""
    seen, beside = landings(), 0x500
    for one in seen:
        rows = [ROWS - 1 - (one.number - 1) % 3 - y for y in (0, 1)] if one.number else [ROWS - 1, ROWS - 2]
        one.after[[beside + row * STRIDE + one.across for row in rows]] = 17 * one.number + 5
    vanished = seen[-1]
    vanished.after[FIELD : FIELD + ROWS * STRIDE] = vanished.before[FIELD : FIELD + ROWS * STRIDE]
    found = lattices(seen, 1)[0]
    assert found is not None
    assert found.cells(seen[0])[0] in range(FIELD, FIELD + ROWS * STRIDE)


def test_what_is_beside_a_cell_explains_the_landings_next_best() -> None:
    seen, beside = landings(), 0x500
    for one in seen:
        before, after = (image[FIELD : FIELD + ROWS * STRIDE] for image in (one.before, one.after))
        one.before[beside : beside + ROWS * STRIDE] = before
        one.after[beside : beside + ROWS * STRIDE] = np.where(before == after, after, after + one.number)
    first, second = lattices(seen, 1)[:2]
    assert not first.bytes & second.bytes
    assert [found.cells(seen[0])[0] >= beside for found in (first, second)] == [False, True]


def test_halves_that_fell_further_at_once_only_passed_their_cells() -> None:
    """Where the piece is drawn into the field, its cells were seen to change all the same."""
    seen = landings()
    for place, one in enumerate(seen):
        rows = [ROWS - 1 - 2 * ((one.number - 1) % 3 if one.number else 0) - part for part in (0, 1)]
        cells = [FIELD + row * STRIDE + one.across for row in rows]
        for image in (one.before, one.after):
            field = image[FIELD : FIELD + ROWS * STRIDE]
            field[field != EMPTY] |= 0xC0  # most bits are others than an empty cell's
        one.drop.frames[-2, cells] = CODES[1] | 0xC0
        if place % 5 < 4:
            one.after[cells[place % 2]] = EMPTY
    (found,) = lattices(seen, 1)
    assert found.cells(seen[0])[0] in range(FIELD, FIELD + ROWS * STRIDE)
    assert (found.across, found.down, len(found.parts)) == (1, STRIDE, 2)


def test_another_field_is_tried_where_the_first_one_explains_no_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*arguments: object) -> ColourFindings:
        if arguments[-1] != "right":
            raise NotDiscovered(f"Nothing by the {arguments[-1]} one.")
        return cast(ColourFindings, "found")

    def discovered(*fields: str) -> object:
        monkeypatch.setattr(survey, "_fields", lambda *_: ((None, None, field) for field in fields))
        return colour_findings(cast(Lab, None), cast(Play, None), (), lambda _: None)

    monkeypatch.setattr(survey, "_findings", found)
    assert discovered("first", "right") == "found"
    with pytest.raises(NotDiscovered, match="the first one"):
        discovered("first", "second")


def test_rows_that_targets_cover_are_the_fields() -> None:
    seen = landings()
    found = lattices(seen, 1)[0]
    assert found is not None
    image = np.full(0x800, 200, np.uint8)
    rows = [[FIELD + row * STRIDE + column for column in range(COLUMNS)] for row in range(ROWS + 1)]
    image[rows[:ROWS]] = EMPTY
    image[[rows[6][2], rows[8][3], rows[9][1]]] = 99  # targets

    def covered(highest: int) -> list[list[list[int]]]:
        lying = [replace(one, before=image, down=one.down - (ROWS - highest)) for one in seen if not one.number]
        return [row.tolist() for row in _covered(np.array(rows[:highest]), found, lying, 0, EMPTY)]

    assert covered(8) == [[rows[8]], [rows[9]]]
    assert not covered(6), "a row without targets may be no row of cells"
    image[rows[8][3]] = 98
    assert not covered(8), "what lies there was not seen in the rows above, and bears nothing"
    image[rows[8][:2] + rows[8][4:]] = 98
    assert not covered(8), "a piece lies in its third column, too"
    image[rows[8]], image[rows[8][2]] = 98, EMPTY
    seen = [one for one in seen if one.across != seen[2].across]
    assert covered(8) == [[rows[8]], [rows[9]]]


def test_above_a_column_that_follows_another_one_is_that_ones_floor() -> None:
    seen = landings(across=ROWS, down=1)
    for one in seen:  # above the first one lies what looks empty, too
        one.before[FIELD - 5 : FIELD] = EMPTY
    found = lattices(seen, 1)[0]
    assert found is not None
    where = area(found, seen, (X, 1), Y)
    assert len({*where.units.ravel().tolist()}) == where.units.size, where.units[:4]
    assert where.units[-1].tolist() == [FIELD + column * ROWS + ROWS - 1 for column in range(COLUMNS)]


def test_in_a_narrow_field_the_part_above_another_one_is_no_part_beside_it() -> None:
    seen = landings(across=1, down=4, columns=4)
    found = lattices(seen, 1)[0]
    assert found is not None
    where = area(found, seen, (X, 1), Y)
    assert (where.units.shape[1], len({column for column, _ in where.parts})) == (4, 1)


def pieces() -> tuple[Area, list[Span]]:
    seen = landings()
    found = lattices(seen, 1)[0]
    assert found is not None
    where = area(found, seen, (X, 1), Y)
    spans = []
    for seed in range(10):
        game = Game(seed)
        spans += [game.span(column, turn, where) for column, turn in ((1, 0), (2, 1), (4, 2), (5, 3), (0, 0))]
    return where, spans


def test_bits_that_vary_in_cells_that_were_emptied_mean_nothing() -> None:
    where, spans = pieces()
    quiet = with_chance(where, spans)
    assert (quiet.chance, quiet.empty) == (where.chance, where.empty)
    for number, span in enumerate(spans):
        cells = where.units[tuple(np.array([*span.locked]).T[::-1])]
        span.before[cells] = EMPTY ^ (number % 4)
    noisy = with_chance(where, spans)
    assert (noisy.chance, noisy.empty) == (0b11, EMPTY & ~0b11)
    emptied = replace(spans[0], locked={**spans[0].locked, (0, 5): EMPTY ^ 2})
    assert without_chance(emptied, noisy).locked == spans[0].locked
    assert without_chance(emptied, where).locked == emptied.locked


def presses(index: int, sequence: Sequence[int]) -> Presses:
    images = np.zeros((5, 0x800), np.uint8)
    images[:, index] = [sequence[times % len(sequence)] for times in range(5)]
    images[:, NOISE] = np.arange(5)
    return Presses(Pad.A, images)


def test_the_orientation_counts_on_with_each_press_and_says_where_the_parts_lie() -> None:
    where, spans = pieces()
    moments = [[presses(TURN, (0, 1, 2, 3))], [presses(TURN, (0, 1, 2, 3))]]
    candidates = numbers(moments, {TURN, NOISE, COPY})
    assert candidates == {TURN: {Pad.A: (0, 1, 2, 3)}}
    found = turns(candidates, spans, where, frozenset())
    assert found is not None
    pivot = found.cells[0][1]
    for number, cells in found.cells.items():
        assert {(x - pivot[0], y - pivot[1]) for x, y in cells} == {*SHAPES[number]}


def test_a_half_that_mostly_fell_further_at_once_is_beside_the_other_one() -> None:
    where, spans = pieces()
    flat = [number for number, span in enumerate(spans) if span.last[TURN] == 1]
    for number in flat[: 2 * len(flat) // 3]:
        column, row = min(spans[number].locked)
        fell = {(x, y + (x == column)): code for (x, y), code in spans[number].locked.items()}
        spans[number] = replace(spans[number], locked=fell)
    found = turns({TURN: {Pad.A: (0, 1, 2, 3)}}, spans, where, frozenset())
    assert found is not None
    (_, row), (_, other) = found.cells[1]
    assert row == other, found.cells


def test_a_copy_that_is_late_when_a_piece_enters_is_no_orientation() -> None:
    where, spans = pieces()
    sequence = {Pad.A: (0, 1, 2, 3)}
    found = turns({LATE: sequence, TURN: sequence}, spans, where, frozenset({TURN}))
    assert found is not None
    assert (found.index, found.enters) == (TURN, 1)
    late = turns({LATE: sequence}, spans, where, frozenset())
    assert late is not None
    assert late.enters <= 0.5, "where nothing better is found, the places of cells are looked for"


def test_a_byte_that_does_not_come_back_counts_no_orientations() -> None:
    assert numbers([[presses(TURN, (0, 1, 2, 3, 4))]], {TURN}) == {}
    assert numbers([[presses(TURN, (0, 1, 2, 3))], [presses(TURN, (1, 2, 3, 0))]], {TURN}) == {}


def test_cells_may_have_places_of_their_own_instead_of_an_orientation() -> None:
    where, spans = pieces()
    columns, rows = [Axis(X, 1), Axis(OTHER[0], 1), Axis(COPY, 1)], [Axis(Y, 1), Axis(OTHER[1], 1)]
    found = places(columns, rows, spans, where, frozenset())
    assert found is not None
    assert {x.index for x, _ in found.cells} == {OTHER[0], X}
    assert [y.index for _, y in found.cells] == [OTHER[1], Y]
    told = {(int(found.span(span).last[-1]), span.times % 4) for span in spans}
    assert len(told) == len({number for number, _ in told}) == 4
    assert places(columns, rows[:1], spans, where, frozenset()) is None


def test_of_bytes_with_the_same_last_place_a_late_copy_is_not_taken() -> None:
    where, spans = pieces()
    for span in spans:
        span.held[:, COPY] = span.held[:, OTHER[1]]
        span.last[COPY] = span.last[OTHER[1]]
        span.held[1, COPY] = (int(span.held[1, COPY]) - 1) % 256
    rows = [Axis(Y, 1), Axis(COPY, 1), Axis(OTHER[1], 1)]
    found = places([Axis(X, 1), Axis(OTHER[0], 1)], rows, spans, where, frozenset())
    assert found is not None
    assert [y.index for _, y in found.cells] == [OTHER[1], Y]


def test_parts_are_what_their_cells_become() -> None:
    where, spans = pieces()
    games = [spans[first : first + 5] for first in range(0, len(spans), 5)]
    unturned = [span for span in spans if not span.times]
    found = kinds(unturned, where.parts, where, games, np.zeros(0x800, np.int64), frozenset())
    assert found is not None
    assert [part.index for part in found.parts] == [*PARTS]
    assert {value: code & found.mask for value, code in CODES.items()} == found.codes
    assert upcoming(games, found) == tuple(map(Part, NEXT))
    turned = [span for span in spans if span.times == 3]
    swapped = tuple(sorted({(x, y) for span in turned for x, y in _offsets(span, where)}))
    order = ordered(turned, found, swapped, where)
    assert order is not None
    (first_x, _), (second_x, _) = order[0]
    assert first_x < second_x  # the first part is left of the second one


def test_of_bytes_that_are_as_good_for_one_part_those_are_taken_that_agree() -> None:
    """The first part has a copy with other numbers; there is none of the second one."""
    where, spans = pieces()
    unturned = [span for span in spans if not span.times]
    for span in unturned:
        span.held[:, X - 1] = 50 + span.held[:, PARTS[0]]
    found = kinds(unturned, where.parts, where, [], np.zeros(0x800, np.int64), frozenset())
    assert found is not None
    assert [part.index for part in found.parts] == [*PARTS]


def test_bytes_with_the_side_of_a_part_are_only_what_is_put_into_its_cell() -> None:
    where, spans = pieces()
    sides, made = (0x40, 0x80), []
    for span in (span for span in spans if not span.times):
        codes = [CODES[int(span.held[0, part])] | side for part, side in zip(PARTS, sides, strict=True)]
        span.held[:, [X - 1, X - 2]] = codes
        x, y = where.place(span.last)
        cells = [(column + x, row + y) for column, row in where.parts]
        made.append(replace(span, locked=dict(zip(cells, codes, strict=True))))
    found = kinds(made, where.parts, where, [], np.zeros(0x800, np.int64), frozenset())
    assert found is not None
    assert [part.index for part in found.parts] == [*PARTS]
    assert not found.mask & sum(sides)


def _offsets(span: Span, where: Area) -> list[tuple[int, int]]:
    x, y = where.place(span.last)
    return [(column - x, row - y) for column, row in span.locked]


@pytest.mark.core("fceumm")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_toy_is_read_as_its_generator_knows(seed: int, tmp_path: Path) -> None:
    stranger = colour_stranger(seed)
    with connect(rom=build(stranger, tmp_path), core=str(require_core("fceumm")), emu_speed=None) as bridge:
        lab = Lab(bridge)
        way = reach_play(lab, lambda _: None)
        found = colour_findings(lab, way.goal, way.stations, lambda _: None)
        pads = mash(np.random.default_rng(seed))
        images = lab.replay(found.play, [next(pads) for _ in range(700)])
    _compare(stranger, found, images)


def _compare(stranger: Stranger, found: ColourFindings, images: np.ndarray) -> None:
    field, piece = known_field(stranger), known_piece(stranger)
    readings = [Reading(stranger, image.tobytes()) for image in images]
    images = images[[reading.mode == "play" and reading.is_controlled for reading in readings]]
    above = field.rows - found.field.rows
    assert found.field.units == field.units[above:]
    assert above <= max(stranger.play.hidden - 1, 0)  # hidden rows that no piece can reach may be left out
    names = _pairs(found.field.kinds(images), field.kinds(images)[:, above:])
    assert len(found.field.colors) == stranger.play.colors
    cells, there = found.piece.cells(images) + np.array([0, above]), piece.cells(images)
    # Which part of a piece is called the first one is open.
    orders = [[*order] for order in permutations(range(cells.shape[1])) if (cells[:, order] == there).all()]
    assert len(orders) == 1
    order = orders[0]
    kinds = _pairs(found.piece.kinds(images)[:, order], piece.kinds(images))
    coming = found.piece.kinds(images, upcoming=True)
    kinds |= _pairs(coming[:, order] if coming.size else coming, piece.kinds(images, upcoming=True))
    assert names | kinds == kinds | names
    assert found.piece.turns == piece.turns
    numbers = _pairs(found.piece.numbers(images), piece.numbers(images))
    known = {one.number: one for one in piece.orientations}
    orientations = {one.number: one for one in found.piece.orientations}
    reached = [*numbers]
    for number in reached:  # others, to which the pads of these frames turned no piece, follow
        for button, made in orientations[number].after.items():
            other = known[numbers[number]].after[button]
            reached += [made.to] if made.to not in numbers else []
            assert (numbers.setdefault(made.to, other.to), made.cycle) == (other.to, other.cycle)
    both = [(np.array(orientations[number].cells)[order], known[other].cells) for number, other in numbers.items()]
    apart = [np.subtract(mine, known_cells) for mine, known_cells in both]
    assert found.piece.places or (apart == apart[0][0]).all()


def _pairs(found: np.ndarray, known: np.ndarray) -> dict[int, int]:
    """Returns what each number found is called by the generator: one name for each."""
    both = {(int(one), int(other)) for one, other in zip(found.ravel(), known.ravel(), strict=True)}
    assert len(dict(both)) == len({other for _, other in both}) == len(both)
    return dict(both)
