"""The toys by name: each shows something that a map must be able to say."""

from __future__ import annotations

from tests.games.tetris.toy_blocks import PENTOMINOES, SMALL, TETROMINOES, Cell
from tests.toys.polyominoes import drawn, turned
from tests.toys.toy import PICK, READY, SECOND, Toy

_FOUR_WAYS = turned(TETROMINOES, 4)
_ASIDE: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (-2, 0), (2, 0))
_OTHER_WAY: tuple[Cell, ...] = ((1, 0), (-1, 0), (1, -1), (-1, -1))
# Clockwise turns try one list of places, the others another one; a box of two by two tries none.
_KICKS = {
    turn: tries
    for number, shape in enumerate(Toy("kicked", pieces=_FOUR_WAYS).shapes)
    if _FOUR_WAYS[shape.piece].name != "O"
    for turn, tries in (((number, shape.clockwise), _ASIDE), ((number, shape.counterclockwise), _OTHER_WAY))
}

TOYS = {
    toy.name: toy
    for toy in (
        Toy("plain", hidden=2),
        Toy("wide", columns=12, rows=24, hidden=2, first_code=0x41, empty=0x20),
        Toy(
            "short",
            rows=18,
            spawns={"I": (1, 2, 0), "T": (2, 4, 0), "L": (0, 0, 0), "J": (0, 7, 0)},
            board=0x0411,
            row_stride=12,
        ),
        Toy("narrow", columns=6, rows=13, hidden=1, board=0x0500 + 13 * 8, row_stride=-8),
        Toy(
            "small",
            columns=8,
            rows=16,
            pieces=drawn({**SMALL, **PENTOMINOES}),
            gravity=(30,),
            board=0x0400,
            row_stride=2,
            column_stride=48,
        ),
        Toy("pentominoes", hidden=2, pieces=drawn(PENTOMINOES), gravity=(32,), first_id=0x80),
        Toy("two_ways", pieces=turned(TETROMINOES, 2), first_id=0x10),
        Toy(
            "upward",
            upward=True,
            x_offset=5,
            speed_byte=(30, 6, 8),
            shows_speed=True,
            board=0x0600 + 19 * 16,
            row_stride=-16,
        ),
        Toy("sprites", sprites=True, first_code=0x30),
        Toy("sprite_board", columns=8, rows=16, sprites=True, pieces=drawn(PENTOMINOES), gravity=(28,)),
        Toy("wram", hidden=2, board=0x6100, row_stride=1, column_stride=32, empty=0xEF, first_code=0x7B),
        Toy("fast", velocity=(0x0200,), soft_drop=0x0200, lock_delay=20, hidden=2),
        Toy("two_rows", velocity=(0x0200,), soft_drop=0x0300),
        Toy("kicks", pieces=_FOUR_WAYS, kicks=_KICKS, lock_delay=30, moves_restore=True, gravity=(8, 6, 4), hidden=2),
        Toy("second_pad", screens=(PICK, SECOND, READY), hidden=1),
        Toy("velocity", velocity=(12, 20, 31, 45, 64, 97, 150), soft_drop=0x0080, level_lines=5, shows_speed=True),
    )
}
