"""Findings made from what the generator knows of a stranger of colours: what a perfect survey would return."""

from __future__ import annotations

from emubot.discovery.colours.findings import (
    ColourField,
    ColourFindings,
    ColourPiece,
    Links,
    Orientation,
    Part,
    Ruler,
    Turned,
)
from emubot.discovery.lab import Lab
from emubot.discovery.pads import DropKind, Hand
from emubot.discovery.units import BYTES, Packing
from emubot.discovery.ways import Station, way_to
from emubot.pad import Pad
from emubot.rammap.spaces import index_of
from tests.toys.strangers.colours.reading import Reading
from tests.toys.strangers.colours.stranger import ABOVE, Stranger

_SCREENS = 400  # looked at on the way to a game
_ENTERS = 200  # frames in which the first piece must have entered


def known_findings(stranger: Stranger, lab: Lab) -> ColourFindings:
    """Returns the findings. The console of `lab` was just started."""
    lab.idle(1)

    def arrived(state: bytes, _: Station | None) -> bytes | None:
        lab.load(state)
        for _frame in range(_ENTERS):
            reading = Reading(stranger, lab.idle(1)[-1].tobytes())
            if reading.mode != "play":
                return None
            if reading.is_controlled:
                return lab.save()
        return None

    way = way_to(lab, lab.save(), arrived, _SCREENS)
    assert way is not None, f"{stranger.name} does not begin"
    sprites = frozenset(range(stranger.oam, stranger.oam + 0x100))
    hand, field, piece = known_hand(stranger), known_field(stranger), known_piece(stranger)
    return ColourFindings(hand, field, piece, way.goal, way.stations, sprites)


def known_hand(stranger: Stranger) -> Hand:
    """Returns how to press."""
    pads = stranger.pads
    kind = {"held": DropKind.HELD, "press": DropKind.STEPS, "drop": DropKind.AT_ONCE, "none": DropKind.BY_ITSELF}
    drop = Pad.NONE if pads.down == "none" else Pad.DOWN
    return Hand(pads.poll, drop, kind[pads.down], Pad[pads.hard_drop] if pads.hard_drop else Pad.NONE)


def known_field(stranger: Stranger) -> ColourField:
    """Returns the field of the first player."""
    play, field = stranger.play, stranger.field
    packing = Packing(4, field.half_bytes == "high") if field.half_bytes else BYTES

    def unit(row: int, column: int) -> int:
        at, is_high = field.place(row, column)
        return index_of(at) * packing.each + (int(is_high != packing.high_first) if field.half_bytes else 0)

    sides = tuple(field.links)
    return ColourField(
        packing=packing,
        units=tuple(tuple(unit(row, column) for column in range(play.columns)) for row in range(play.stored)),
        empty=field.empty,
        colors={code: color for color, code in enumerate(field.colors, start=1)},
        mask=0xFF & ~(field.noise | field.link_mask),
        links=Links(field.link_mask, sides) if play.joined else None,
        moving=(field.moving,) if field.drawn == "moving" else (),
        drawn=field.drawn == "as locked",
    )


def known_piece(stranger: Stranger) -> ColourPiece:
    """Returns the piece of the first player."""
    play, piece, at = stranger.play, stranger.piece, stranger.addresses
    turns = tuple(Pad[name] for name in (stranger.pads.clockwise, stranger.pads.counterclockwise) if name)
    clockwise = [bool(stranger.pads.clockwise), False][: len(turns)]
    codes = piece.turn_codes if not piece.by_cells else tuple(range(4))

    def after(turn: int, way: bool) -> Turned:
        to = play.turned(turn, way)
        return Turned(codes[to - 2], 1) if play.swaps and to >= 2 else Turned(codes[to])

    def part(short: str, number: int) -> Part:
        if piece.nibbles:
            return Part(index_of(at[f"P_{short}"]), (0xF0, 0x0F)[number])
        return Part(index_of(at[f"P_{short}" + ("", "_2", "_3")[number]]))

    signed = piece.y_codes[-1] < 0x80 and any(code >= 0x80 for code in piece.y_codes) and piece.y_unit > 0
    first = piece.y_codes[ABOVE]
    first -= 0x100 if signed and first >= 0x80 else 0
    x, y = (
        (
            Ruler(index_of(at[f"P_X{suffix}"]), piece.x_codes[0], piece.x_unit, signed=False),
            Ruler(index_of(at[f"P_Y{suffix}"]), first, piece.y_unit, signed),
        )
        for suffix in ("", "2")
    )
    orientations = []
    for turn in range(play.orientations):
        dx, dy = (0, 0) if piece.by_cells else piece.anchor[turn]
        cells = tuple((cell_x - dx, cell_y - dy) for cell_x, cell_y in play.shapes[turn])
        made = {button: after(turn, way) for button, way in zip(turns, clockwise, strict=True)}
        orientations.append(Orientation(codes[turn], cells, made))
    spawn_turn, column, row = play.spawn
    dx, dy = piece.anchor[spawn_turn]
    return ColourPiece(
        column=x[0],
        row=x[1],
        turn=None if piece.by_cells else Part(index_of(at["P_TURN"])),
        orientations=tuple(orientations),
        turns=turns,
        parts=tuple(part("NOW", number) for number in range(play.parts)),
        codes={code: color for color, code in enumerate(piece.part_codes) if color},
        next_parts=tuple(part("NEXT", number) for number in range(play.parts)) if piece.keeps_next else (),
        spawn=(codes[spawn_turn], column + dx, row + dy + play.hidden),
        places=(x, y) if piece.by_cells else (),
    )
