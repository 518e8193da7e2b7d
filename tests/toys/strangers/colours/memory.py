"""Where a stranger of colours keeps its bytes: draws the layout of its field, the codes of its piece, all addresses."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tests.toys.strangers.colours.chances import Chances
from tests.toys.strangers.colours.stranger import (
    ABOVE,
    CAPSULES,
    COLUMNS,
    KINDS,
    PAIRS,
    PARKED,
    STATE,
    Field,
    Menus,
    Pads,
    PieceBytes,
    Play,
    Stranger,
    Waits,
)

SCRATCH_BYTES: Final = 80
LIST_SIZE: Final = 64
_WRAM: Final = 0x6000
_STACK: Final = 0x100
_ONE_BYTE: Final = (
    "SCREEN_TIMER MENU_CURSOR OPTIONS PAUSED DEMO STAGE VERSUS LOSER CURSOR".split()
)  # of the game, not of a player
_TWO_BYTES: Final = ("RNG", "FRAMES", "IDLE", "PAD_HELD", "PAD_NEW", "PAD_COPY", "LATE")
_PLAYER: Final = (
    "X Y X2 Y2 TURN NOW NOW_2 NOW_3 NEXT NEXT_2 NEXT_3 STATE TIMER SPEED DAS WAIT CHAIN PENDING PIECES TARGETS AT REST "
    "PRIMED MOVED SCORE".split()
)


class NoRoom(Exception):
    """This layout does not fit into memory: draw another one."""


class Memory:
    """The free bytes of the console's RAM."""

    def __init__(self, draw: Chances, oam: int) -> None:
        self._draw = draw
        self._free = np.ones(0x800, dtype=bool)
        for page in (_STACK, oam):
            self._free[page : page + 0x100] = False

    def take(self, count: int, first: int, last: int) -> int:
        """Returns where so many free bytes begin, anywhere in a range. Raises NoRoom."""
        before = np.concatenate(([0], np.cumsum(self._free[first : last + 1])))
        starts = np.flatnonzero(before[count:] - before[: len(before) - count] == count)
        if not len(starts):
            raise NoRoom
        at = first + int(self._draw.among(starts.tolist()))
        self._free[at : at + count] = False
        return at


def placed(draw: Chances, seed: int, play: Play, pads: Pads, menus: Menus, waits: Waits, between: str) -> Stranger:
    """Returns the stranger with its memory drawn. Raises NoRoom."""
    oam = draw.pick({0x0200: 4, 0x0300: 1, 0x0700: 1})
    memory = Memory(draw, oam)
    addresses = {"SCRATCH": memory.take(SCRATCH_BYTES, 0, 0xFF)}
    field = drawn_field(draw, memory, play)
    piece = drawn_piece(draw, play, field, between)
    addresses |= {
        "LIST": memory.take(LIST_SIZE, 0x200, 0x7FF),
        "MARKS": memory.take(32 * play.players, 0x200, 0x7FF),
        "STRIPS": memory.take(2 * play.players * (play.columns + 2), 0x200, 0x7FF),
        "MODE": memory.take(1, 0, 0x7FF) if draw.chance(0.3) else memory.take(1, 0, 0xFF),
    }
    shift = _player_bytes(draw, memory, play, addresses)
    for names, count in ((_ONE_BYTE, 1), (_TWO_BYTES, 2)):
        for name in names:
            addresses[name] = memory.take(count, 0, 0x7FF if draw.chance(0.3) else 0xFF)
    misleading = {"PAD_COPY": 0.4, "LATE": 0.3, "CURSOR": 0.2}
    addresses |= {name: addresses[name] if draw.chance(share) else 0 for name, share in misleading.items()}
    states = tuple(range(1, 7)) if draw.chance(0.5) else draw.several(range(1, 256), 6)
    return Stranger(
        seed=seed,
        play=play,
        field=field,
        piece=piece,
        pads=pads,
        menus=menus,
        waits=waits,
        between=between,
        states=states if between == STATE else (),
        addresses=addresses,
        shift=shift,
        oam=oam,
        stomps=draw.pick({True: 6, False: 4}),
    )


def _player_bytes(draw: Chances, memory: Memory, play: Play, addresses: dict[str, int]) -> int:
    """Draw the places of each player's bytes; returns the way from the first player's to the second's."""
    names = [_PLAYER[place] for place in draw.rng.permutation(len(_PLAYER))]
    together = play.players == 1 or draw.pick({True: 1, False: 1})
    step = 1 if together else 2  # otherwise the second player's byte follows the first's
    gaps = draw.among((0, 0, 1, 2))
    places, at = {}, 0
    scores = ("SCORE", "SCORE_2", "SCORE_3", "SCORE_4")
    if draw.chance(0.4):
        scores = scores[::-1]
    for name in names:
        at += step * draw.number(0, gaps)
        for byte in scores if name == "SCORE" else (name,):
            places[byte] = at
            at += step
    shift = 1
    if play.players > 1 and together:
        shift = draw.among([way for way in (at, 0x40, 0x60, 0x80) if way >= at])
    in_zero_page = draw.pick({True: 6, False: 4})
    size = at + shift if play.players > 1 else at
    first = memory.take(size, 0, 0xFF) if in_zero_page else memory.take(size, 0x200, 0x7FF)
    addresses |= {f"P_{name}": first + place for name, place in places.items()}
    return shift


def drawn_field(draw: Chances, memory: Memory, play: Play) -> Field:
    """Returns where the cells are and how they are written."""
    stored, columns = play.stored, play.columns
    crowded = play.joined or 5 + play.colors * (2 if play.targets else 1) > 16
    half = "" if crowded or draw.chance(0.85) else draw.among(("high", "low"))
    by_columns = not half and draw.chance(0.15)
    margin = not half and not by_columns and draw.chance(0.2)
    wide = not half and not by_columns and draw.chance(0.15)
    step = 2 if wide else 1
    lead = draw.number(0, 1) if half else 0
    width = (columns + lead + 1) // 2 if half else columns * step
    gap = draw.pick({2: 1, 4: 1}) if margin else draw.pick({0: 4, 1: 1, 2: 1, 3: 1})
    stride = 16 if not by_columns and width + (2 if margin else 0) <= 16 and draw.chance(0.3) else width + gap
    row_stride, column_stride = (1, stored + gap) if by_columns else (stride, step)
    if draw.chance(0.15):
        row_stride = -row_stride
    if not half and draw.chance(0.1):
        column_stride = -column_stride
    ends = [
        row * row_stride + (0 if half else column * column_stride)
        for row in (0, stored - 1)
        for column in (0, columns - 1)
    ]
    least, most = min(ends), max(ends) + (width if half else step) - 1
    border = stride + 2 if margin else 0
    count = most - least + 1 + 2 * border
    wram = draw.chance(0.12)
    total = count * play.players
    start = _WRAM + draw.among((0, 0x100, 0x400, 0x123)) if wram else memory.take(total, 0x200, 0x7FF)
    first = start + border - least
    codes = _codes(draw, play, half)
    wall = codes.pop("around")
    return Field(
        at=tuple(first + count * player for player in range(play.players)),
        row_stride=row_stride,
        column_stride=column_stride,
        half_bytes=half,
        lead=lead,
        first_byte=start,
        byte_count=count,
        around=wall if margin else draw.among((0x00, 0x00, 0xFF)),
        margin=margin,
        drawn=draw.pick({"": 8, "as locked": 1, "moving": 1}),
        second_byte=wide and draw.chance(0.5),
        **codes,
    )


def _codes(draw: Chances, play: Play, half: str) -> dict[str, Any]:
    """Returns the codes of the cells, all different."""
    noise = draw.among((0xC0, 0x80, 0x03)) if not half and not play.joined and draw.chance(0.12) else 0
    mask = 0
    links: tuple[int, ...] = ()
    if play.joined:
        shift = draw.among((4, 5, 0))
        sides = draw.several(range(8), 5) if draw.chance(0.5) else (0, 1, 2, 3, 4)
        mask, links = 7 << shift, tuple(side << shift for side in sides)
    top = 16 if half else 256
    free = [code for code in range(top) if not code & (mask | noise)]
    targets = play.colors if play.targets else 0
    needed = 5 + play.colors + targets
    style = draw.pick({"counted": 3, "spread": 2})
    if style == "counted":
        start = 0 if half or len(free) <= needed else draw.among((0, 0, 1, len(free) - needed))
        chosen = free[start : start + needed]
        if draw.chance(0.4):  # empty is no lower than the colours
            chosen = [chosen[-1], *chosen[:-1]]
    else:
        chosen = list(draw.several(free, needed))
    empty, colors, rest = chosen[0], chosen[1 : 1 + play.colors], chosen[1 + play.colors :]
    return {
        "noise": noise,
        "empty": empty,
        "colors": tuple(colors),
        "targets": tuple(rest[:targets]),
        "nuisance": rest[targets],
        "around": rest[targets + 1],
        "moving": rest[targets + 3],
        "popping": rest[targets + 2] if draw.pick({True: 6, False: 4}) or play.players > 1 else None,
        "link_mask": mask,
        "links": links,
    }


def drawn_piece(draw: Chances, play: Play, field: Field, between: str) -> PieceBytes:
    """Returns how memory has the piece."""
    rows = range(-ABOVE - play.hidden, play.rows)
    by_cells = play.kind == PAIRS and not play.swaps and draw.chance(0.15)
    anchor = tuple((0, 0) for _ in play.shapes)
    if play.kind == CAPSULES and not play.swaps and not by_cells:
        part = draw.pick({-1: 3, 0: 1, 1: 1})  # the box's corner, or the place of a half
        anchor = anchor if part < 0 else tuple(cells[part] for cells in play.shapes)
    if play.kind == COLUMNS:
        anchor = tuple((0, -draw.number(0, 2)) for _ in play.shapes[:1]) * len(play.shapes)
    if by_cells:
        anchor = tuple(cells[0] for cells in play.shapes)
    x_unit = draw.pick({1: 6, 8: 2, 16: 0.5})
    x_first = draw.among((0, 0, 0, 1, 2)) if x_unit == 1 else draw.among((0, 16, 24, 40))
    x_codes = tuple(x_first + x_unit * column for column in range(play.columns))
    half_rows = 0
    style = draw.pick({"cells": 5, "pixels": 2, "up": 2, "halves": 1})
    if style == "halves" and not by_cells:
        first, unit, half_rows = 2 * draw.among((3, 5, 8)), 2, 10
    elif style == "pixels":
        first, unit = draw.among((24, 40, 47)), 8
    elif style == "up":
        first, unit = play.rows - 1 + draw.among((0, 1)), -1
    else:
        first, unit = draw.among((0, 0, 0, 1, 2)), 1
    y_codes = tuple((first + unit * row) & 0xFF for row in rows)
    taken = {(code + part) & 0xFF for code in y_codes for part in range(abs(unit))}
    parks = [code for code in (0xFF, 0xF0, 0x80, 0xEF, 0xFE) if code not in taken]
    turns = play.orientations
    style = draw.pick({"counted": 4, "other": 2, "spread": 1})
    first_turn, way = draw.number(0, turns - 1), draw.among((1, -1))
    turn_codes = tuple((first_turn + way * turn) % turns if style == "other" else turn for turn in range(turns))
    if style == "spread":
        step = draw.among((2, 4, 16, 64))
        turn_codes = tuple(step * code for code in turn_codes)
    nibbles = play.parts == 2 and between != KINDS and draw.chance(0.12)
    some = range(1, 16) if nibbles or draw.chance(0.5) else range(1, 256)
    base = draw.number(0, 3)
    counted = tuple(range(1 + base, 1 + base + play.colors))
    colors = counted if draw.pick({True: 6, False: 4}) else draw.several(some, play.colors)
    if not nibbles and 0 not in field.colors and draw.chance(0.4):  # as in the field
        colors = field.colors
    return PieceBytes(
        by_cells=by_cells,
        anchor=anchor,
        x_codes=x_codes,
        y_codes=y_codes,
        x_unit=x_unit,
        y_unit=unit,
        half_rows=half_rows,
        turn_codes=turn_codes,
        part_codes=(0, *colors),
        nibbles=nibbles,
        keeps_next=draw.pick({True: 85, False: 15}),
        score=draw.pick({"binary": 4, "bcd": 2, "digits": 2, "none": 2}),
        parked=draw.among(parks) if between == PARKED else parks[0],
    )
