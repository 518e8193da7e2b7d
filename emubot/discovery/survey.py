"""Goes through all experiments with an unknown cartridge of falling blocks, and returns what they found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from emubot.discovery import geometry as geometries
from emubot.discovery import naming, pads, phases, pieces, pivots
from emubot.discovery.arriving import TURNING, Play
from emubot.discovery.axes import Axis, sprites
from emubot.discovery.coordinates import Coordinates, coordinates
from emubot.discovery.drops import Dropper, GoneAstray
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import Lab
from emubot.discovery.naming import Name
from emubot.discovery.pads import Hand
from emubot.discovery.shaking import likeliest
from emubot.discovery.shapes import Collector, Shapes, collect, collect_also
from emubot.discovery.twice import other_board
from emubot.discovery.vanishing import with_right_table
from emubot.discovery.ways import Station, Way
from emubot.errors import NotDiscovered
from emubot.pad import Pad, describe
from emubot.rammap.spaces import address_of
from emubot.text import counted

COLOUR_CELLS: Final = (2, 3)  # of a piece

_SPANS: Final = 150
_FEW: Final = 10  # pieces that tell how many cells they have
_FURTHER: Final = 12  # pieces on which buttons are tried
_SMALL: Final = 2  # cells
_OFTEN: Final = 0.2  # of the frames of a screen, in which a byte changes that counts or draws lots
_LIFT: Final = 2  # rows by which a turn may lift a piece


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a cartridge: the bytes of its piece, its board, its pads, and what tells its phases apart."""

    hand: Hand
    column: Axis
    row: Axis
    pivot: tuple[int, int]  # what column and row lack to be those of the piece's own cells
    halfway: int  # what the byte of half rows lacks, so that a piece between two rows is in that in which it is drawn
    names: tuple[Name, ...]  # of the piece, the likeliest first; none where `coordinates` are known instead
    coordinates: Coordinates | None
    next_name: Name | None
    geometry: Geometry
    phases: phases.Phases
    turns: Sequence[Pad]  # the buttons that turn a piece; the second one the other way
    shapes: Shapes
    look_at: Callable[[Survey, bytes], Survey]  # returns a survey with the piece of a moment, which is new, too
    locks: int
    frames: int  # of all experiments

    @property
    def name(self) -> Name:
        """The likeliest name. There is none where `coordinates` are known instead."""
        return self.names[0]

    @property
    def piece_bytes(self) -> tuple[int, ...]:
        """The bytes that name the piece, or those of its cells' places."""
        if self.coordinates is None:
            return self.name.bytes
        return tuple(part.axis.index for cell in self.coordinates.cells for part in cell)


def surveys(lab: Lab, way: Way[Play], tell: Callable[[str], None]) -> Iterator[Survey | NotDiscovered]:
    """Yields what experiments from a moment of play found, or why not, for all bytes that may be the piece's place.

    Where the first pieces are as small as those of colours, a reason comes first: these are sooner tried, and what is
    asked for further is found as before.
    Those with which nothing explains what filled when pieces came to rest are left out. Raises NotDiscovered if
    there are no others: of several reasons the first one of those that went further.
    """
    play, failed, boards = way.goal, dict[int, NotDiscovered](), 0
    tell("dropping a piece in every column, in every orientation ...")
    for column, row in likeliest(lab, play.state, play.columns, play.rows):
        step = 0
        try:
            dropper = _dropper(lab, play, column, row)
            step = 1
            geometry = geometries.measure(dropper, play.state)
        except NotDiscovered as error:
            failed.setdefault(step, error)
            continue
        boards += 1
        dropper = replace(dropper, row=geometry.row, pause=geometry.pause)
        if boards == 1 and are_small(pieces.watch(dropper, play.state, geometry, _FEW, _turning(dropper.hand))):
            yield NotDiscovered("All pieces fill two cells, or all three: rows that vanish need larger ones.")
        try:
            yield _surveyed(way, dropper, with_right_table(dropper, play.state, geometry), tell)
        except NotDiscovered as error:
            yield error
    if not boards:
        raise failed[max(failed)]


def are_small(games: Sequence[Sequence[pieces.PieceSpan]]) -> bool:
    """Returns whether all pieces have as many cells as those of colours: rows that vanish need more than that."""
    sizes = [len(span.cells) for game in games for span in game if span.cells]
    return len(sizes) >= _FEW / 2 and len({*sizes}) == 1 and sizes[0] in COLOUR_CELLS


def _turning(hand: Hand) -> list[Pad]:
    """Returns the buttons that may turn a piece."""
    return [button for button in TURNING if button is not hand.at_once]


def _dropper(lab: Lab, play: Play, column: Axis, row: Axis) -> Dropper:
    """Returns what drops pieces. Raises NotDiscovered if no press moves one by one column every time."""
    measured = pads.measure(lab, play.state, column, row, play.rows)
    if measured is None:
        raise NotDiscovered(
            f"{_hex(column.index)} and {_hex(row.index)} follow the piece, but no press of LEFT or RIGHT moves it by "
            "one column every time."
        )
    others = tuple(axis for axis in play.columns if axis.step == column.step)
    return Dropper(lab, measured[1], row, measured[0], beside=others)


def _surveyed(way: Way[Play], dropper: Dropper, geometry: Geometry, tell: Callable[[str], None]) -> Survey:
    """Returns what experiments found with what drops pieces, and the board. Raises NotDiscovered as `surveys` does."""
    lab, play = dropper.lab, way.goal
    hand, column = dropper.hand, dropper.column
    row, lattice = geometry.row, geometry.lattice
    at = _hex(int(lattice.bytes_of(geometry.rows)[0]))
    board = f"{geometry.rows} rows and {lattice.columns} columns from {at} on"
    where = f"{_hex(column.index)} and {_hex(row.index)} follow the piece"
    tell(f"{where}; the board: {board}.")
    tell(f"watching {_SPANS} pieces lock ...")
    turning = _turning(hand)
    restless = _restless(way.stations)
    # Where pieces drop at once, some games show them on the ground for a frame and some do not.
    for dropping in dict.fromkeys((dropper, dropper.slow)):
        games = pieces.watch(dropping, play.state, geometry, _SPANS, turning)
        parked = pieces.parked([span for game in games for span in game], geometry.row)
        if parked is not None:
            geometry = replace(geometry, parked=parked)
            games = [pieces.unparked(game, geometry.row, parked) for game in games]
        spans = [span for game in games for span in game]
        column, row, names = _named(spans, play, dropper.column, geometry, restless)
        if names:
            break
    if (other := None if geometry.drawn else other_board(spans, geometry)) is not None:
        raise NotDiscovered(
            f"The board ({board}) lies in memory a second time, from {_hex(other)} on, and now the one, now the other "
            "takes a piece first: a map cannot say which of them counts."
        )
    where = f"{_hex(column.index)} and {_hex(row.index)} follow the piece"
    shown = sprites(play.columns, play.rows)
    taken = {column.index, row.index, *geometry.bytes}
    places = None if names else coordinates(spans, play.columns, play.rows, turning, shown)
    if not names and places is None:
        raise NotDiscovered(
            f"No byte says which cells of the board ({board}; {where}) a piece fills: if these are no falling blocks "
            "but pairs or colours that match, write the map by hand from here."
        )
    if lost := [button for button in turning if not is_seen_to_lock(button, spans)]:
        raise NotDiscovered(f"{where}, but pieces that {describe(lost[0])} turned were lost sight of.")
    upcoming = naming.next_one(games, names[0], taken | set(names[0].bytes)) if names else None
    own = names[0].bytes if names else [part.axis.index for cell in places.cells for part in cell] if places else []
    after = "" if upcoming is None else f", {' and '.join(map(_hex, upcoming.bytes))} the next one"
    says = "names" if len(own) == 1 else "name" if names else "are the places of its cells: they name"
    tell(f"{' and '.join(map(_hex, own))} {says} the piece{after}.")
    taken |= {*own, *(byte for name in names for byte in name.bytes), *(upcoming.bytes if upcoming else ())}
    tell("playing on to the end of a game, and back to a new one ...")
    seen = phases.see(dropper, play.state, way.stations, spans)
    early = phases.before_first_piece(lab, seen, own)
    dropper = replace(dropper, column=column, row=row)
    turns = places.turns if places else _turns(dropper, play.state, names[0])
    shapes = Shapes((), (), ())
    if places:

        def look_at(survey: Survey, state: bytes) -> Survey:
            spans.extend(pieces.turned(dropper, state, turning))
            return replace(survey, coordinates=coordinates(spans, play.columns, play.rows, turning, shown) or places)

    else:
        collector = Collector(column, row, names[0], turns, geometry)
        for span in spans:
            collector.add(span)
        if collector.missing:
            tell(f"dropping more pieces for {counted(len(collector.missing), 'orientation')} seen too rarely ...")
        # Turned pieces are seen to fall by the pivot's row; a cell's own may go up, and a turn may lift the pivot.
        turning_dropper = replace(dropping, column=column, row=row, lift=_LIFT)
        shapes = collect(turning_dropper, play.state, collector, geometry, turns)

        def look_at(survey: Survey, state: bytes) -> Survey:
            return replace(survey, shapes=collect_also(turning_dropper, state, collector, geometry, turns))

    return Survey(
        hand=hand,
        column=column,
        row=row,
        pivot=_pivot(spans, column, row),
        halfway=pivots.halfway(spans, row, geometry),
        names=names,
        coordinates=places,
        next_name=upcoming,
        geometry=geometry,
        phases=phases.tell(seen, taken, shown, early),
        turns=turns,
        shapes=shapes,
        look_at=look_at,
        locks=sum(span.cells is not None for span in spans),
        frames=lab.frames,
    )


def is_seen_to_lock(button: Pad, spans: Sequence[pieces.PieceSpan]) -> bool:
    """Returns whether the cells are known of a piece for which a button was pressed."""
    return any(span.cells and any(pad & button for pad in span.pads[: span.last]) for span in spans)


def _restless(stations: Sequence[Station]) -> set[int]:
    """Returns the bytes that go on changing while a screen waits for a button."""
    found = set[int]()
    for station in stations:
        changes = (station.frames[1:] != station.frames[:-1]).sum(0)
        found |= set(map(int, np.flatnonzero(changes > len(station.frames) * _OFTEN)))
    return found


def _named(
    spans: Sequence[pieces.PieceSpan], play: Play, column: Axis, geometry: Geometry, restless: Set[int]
) -> tuple[Axis, Axis, tuple[Name, ...]]:
    """Returns the pivot's column and row with which a name agrees best, and the names by that; none if none does."""
    row = geometry.row
    best: tuple[float, Axis, Axis, tuple[Name, ...]] = (0.0, column, row, ())
    if not spans:
        return best[1:]
    steady = naming.steady(spans, geometry.bytes)
    for across, down in pivots.pivots(spans, play.columns, play.rows, column, row):
        found = naming.names(spans, across, down, steady, restless)
        if found and found[0].agreed > best[0]:
            best = (found[0].agreed, across, down, tuple(named.name for named in found))
    return best[1:]


def _turns(dropper: Dropper, state: bytes, name: Name) -> list[Pad]:
    """Returns the buttons that turn a piece: one, or two that turn it different ways. Several pieces are tried."""
    shows = [Pad.NONE] * pieces.TURN_SHOWS
    results: dict[Pad, list[int]] = {button: [] for button in TURNING if button is not dropper.hand.at_once}
    stills: list[int] = []
    here = state
    for _ in range(_FURTHER):
        stills.append(int(name.of(dropper.lab.replay(here, [*[Pad.NONE] * dropper.hand.press, *shows]))[-1]))
        for button, numbers in results.items():
            pressed = dropper.lab.replay(here, [*[button] * dropper.hand.press, *shows])
            numbers.append(int(name.of(pressed)[-1]))
        try:
            here = dropper.drop(here).next_state
        except GoneAstray:
            break
    found: list[Pad] = []
    for button, numbers in results.items():
        if numbers != stills and all(numbers != results[other] for other in found):
            found.append(button)
    return found[:2]


def _pivot(spans: Sequence[pieces.PieceSpan], column: Axis, row: Axis) -> tuple[int, int]:
    """Returns what x and y lack to be a column and a row of the piece's own cells."""
    locked = [span for span in spans if span.cells]
    images = np.concatenate([span.frames[span.last : span.last + 1] for span in locked])
    cells = [span.cells or () for span in locked]
    lowest = np.array([max(row for row, _ in piece) for piece in cells])
    leftmost = np.array([min(column for _, column in piece) for piece in cells])
    across = leftmost - column.of(images) * np.sign(column.step)
    down = lowest - row.of(images) * np.sign(row.step)
    return _usual(across), _usual(down)


def _usual(missing: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    """Returns the usual one of these distances; 0 if it is so small that the pivot may be another cell of the piece."""
    usual = round(float(np.median(missing)))
    return usual if abs(usual) > _SMALL else 0


def _hex(index: int) -> str:
    return f"0x{address_of(index):02X}"
