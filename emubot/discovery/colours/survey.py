"""Goes through the experiments with an unknown colour game, and returns what is known of its field and piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from emubot.discovery import pads
from emubot.discovery.arriving import Play
from emubot.discovery.axes import sprites
from emubot.discovery.colours import kinds as kindly
from emubot.discovery.colours import places as placing
from emubot.discovery.colours import spans as recording
from emubot.discovery.colours import turning
from emubot.discovery.colours.areas import Area, Cell, area
from emubot.discovery.colours.composing import Experiments, composed
from emubot.discovery.colours.fields import field
from emubot.discovery.colours.findings import ColourFindings, Turned
from emubot.discovery.colours.following import followed
from emubot.discovery.colours.heights import highest
from emubot.discovery.colours.kinds import Kinds
from emubot.discovery.colours.landings import Image, Landing, landings
from emubot.discovery.colours.lattices import lattices
from emubot.discovery.colours.spans import Span
from emubot.discovery.colours.turning import Turns
from emubot.discovery.drops import Dropper, GoneAstray
from emubot.discovery.lab import Lab
from emubot.discovery.ways import Station
from emubot.errors import NotDiscovered
from emubot.pad import Pad
from emubot.rammap.spaces import address_of
from emubot.text import counted

_FIELDS: Final = 3  # explanations of what pieces left that are tried
_FIRST: Final = 3  # pieces that are dropped in every column, until one does not vanish
_SPANS: Final = 40
_ENTRIES: Final = 9  # pieces that are seen to enter
_ENTERS: Final = 12  # frames in which a piece must have entered when the game seems to obey
_MOSTLY: Final = 0.5  # of the pieces
_LIFT: Final = 2  # rows by which a turn may lift a piece


def colour_findings(lab: Lab, play: Play, stations: tuple[Station, ...], tell: Callable[[str], None]) -> ColourFindings:
    """Returns what experiments found from a moment of play; `tell` gets a line for each of them.

    Raises NotDiscovered for what must be found.
    """
    tell("dropping pieces of colours in every column ...")
    failed: NotDiscovered | None = None
    for explained in islice(_fields(lab, play), _FIELDS):
        try:
            return _findings(lab, play, stations, tell, *explained)
        except NotDiscovered as error:  # what is beside a cell may look like one
            failed = failed or error
    assert failed is not None, "without any field there is another reason"
    raise failed


def _findings(
    lab: Lab,
    play: Play,
    stations: tuple[Station, ...],
    tell: Callable[[str], None],
    dropper: Dropper,
    fallen: list[Landing],
    ground: Area,
) -> ColourFindings:
    """Returns what experiments found with what drops pieces, their landings and the cells that they fill."""
    shown = sprites(play.columns, play.rows)
    dropper = replace(dropper, row=replace(dropper.row, step=ground.row[1]), lift=_LIFT).slow
    size = f"{counted(len(ground.units), 'row')} and {counted(ground.units.shape[1], 'column')}"
    tell(f"{_hex(dropper.column.index)} and {_hex(dropper.row.index)} follow the piece; the field: about {size}.")
    tell(f"turning {_SPANS} pieces ...")
    own = recording.of_landings(fallen, ground)
    moments = [turning.pressed(dropper, state) for state in (play.state, own[0].state)]
    candidates = turning.numbers(moments, turning.steady(own))
    buttons = [button for button in turning.TURNING if any(button in one for one in candidates.values())]
    buttons = buttons or placing.turning(moments, [*play.columns, *play.rows])
    games = recording.games(dropper, play.state, ground, buttons, _SPANS)
    ground = recording.with_chance(ground, [*own, *(span for game in games for span in game)])
    games = [[recording.without_chance(span, ground) for span in game] for game in games]
    spans = [*(recording.without_chance(span, ground) for span in own), *(span for game in games for span in game)]
    turns = turning.turns(candidates, spans, ground, shown)
    is_own = turns is not None and turns.enters > _MOSTLY
    places = None if is_own else placing.places(play.columns, play.rows, spans, ground, shown)
    if places:
        dropper = replace(dropper, lab=placing.NumberedLab(lab, places))
        games, spans = [[*map(places.span, game)] for game in games], [*map(places.span, spans)]
        number = spans[0].last.size - 1
        candidates = turning.numbers([turning.pressed(dropper, play.state)], {number})
        turns = turning.turns(candidates, spans, ground, shown)
    if turns is None:
        raise NotDiscovered(f"A field of {size} fills with what falls, but no byte says how a piece is turned.")
    changes = np.zeros(spans[0].last.size, np.int64)
    for one in fallen:
        changes[: one.before.size] += (one.drop.frames[1:] != one.drop.frames[:-1]).sum(0)
    first = turns.first
    unturned = [span for span in spans if int(span.last[turns.index]) == first and span.locked]
    parts = kindly.kinds(unturned, turns.cells[first], ground, games, changes, shown)
    if parts is None:
        raise NotDiscovered(f"A field of {size} fills with what falls, but no bytes say what the parts of a piece are.")
    cells, mask = _ordered(turns, parts, spans, ground)
    parts = kindly.widened(parts, mask, spans, cells, turns.index, ground)
    upcoming = kindly.upcoming(games, parts)
    after = _after(dropper, turns, parts, spans)
    colors = {value: color for color, value in enumerate(sorted(parts.codes), start=1)}
    top = highest(dropper, play.state, ground, spans, cells, turns.index, turns.sequences)
    ground_field = field(ground, top, spans, parts, colors, cells, turns.index)
    piece = composed(
        Experiments(ground, top, spans, turns, parts, cells, after, colors, _entered(dropper, spans, turns.index)),
        upcoming,
    )
    named = " and ".join(_hex(part.index) for part in piece.parts)
    how = _hex(turns.index)
    if places:
        lab.frames += dropper.lab.frames
        piece = placing.with_places(piece, places, cells, first, moments[0], ground, top)
        how = " and ".join(
            _hex(byte) for byte in dict.fromkeys(ruler.index for place in piece.places for ruler in place)
        )
    tell(f"{how} {'say' if places else 'says'} how a piece is turned, {named} what its parts are.")
    return ColourFindings(dropper.hand, ground_field, piece, play.state, stations, shown)


def _fields(lab: Lab, play: Play) -> Iterator[tuple[Dropper, list[Landing], Area]]:
    """Yields what drops pieces, their landings and the cells that they fill, by the first bytes that explain these.

    The best explanation comes first. Raises NotDiscovered if there is none.
    """
    failed = "no press of LEFT or RIGHT moves a piece by one column every time"
    for aside, down in followed(lab, play.state, play.columns, play.rows):
        measured = pads.measure(lab, play.state, aside[0], down[0])
        if measured is None:
            continue
        dropper, state = Dropper(lab, measured[1], down[0], measured[0]), play.state
        for _ in range(_FIRST):
            try:
                fallen = landings(dropper, state)
            except GoneAstray:
                failed = "a piece that fell did not come to rest, or none that obeys the pad came after it"
                break
            grounds = _grounds(dropper, fallen)
            if grounds:
                yield from ((dropper, fallen, ground) for ground in grounds)
                return
            failed = "no bytes were filled where pieces came to rest, column after column"
            state = fallen[0].drop.next_state  # a piece of one colour may vanish wherever it falls
    raise NotDiscovered(f"A piece follows the pad, but {failed}.")


def _grounds(dropper: Dropper, fallen: Sequence[Landing]) -> list[Area]:
    """Returns where the cells of a field are, the best explanation first; none that has no room in memory."""
    column, row = (dropper.column.index, dropper.column.step), dropper.row
    found: list[Area] = []
    for explained in lattices(fallen, 1 if row.step > 0 else -1):
        with suppress(NotDiscovered):
            found.append(area(explained, fallen, column, row.index))
    return [ground for ground in found if len(ground.parts) > 1]


def _ordered(
    turns: Turns, parts: Kinds, spans: Sequence[Span], ground: Area
) -> tuple[dict[int, tuple[Cell, ...]], int]:
    """Returns the cells of each orientation in the order of the parts, and the bits of a cell that say what it is."""
    cells, mask = {}, parts.mask
    for number in turns.asked:
        turned = [span for span in spans if int(span.last[turns.index]) == number]
        found = kindly.ordered(turned, parts, turns.cells[number], ground)
        if found is None:
            raise NotDiscovered("A piece of several colours falls, but its parts do not lie as its orientation says.")
        cells[number] = found[0]
        mask &= found[1]
    return cells, mask


def _after(dropper: Dropper, turns: Turns, parts: Kinds, spans: Sequence[Span]) -> dict[int, dict[Pad, Turned]]:
    """Returns what each button makes of each orientation, seen at a piece whose parts are not all the same."""

    def different(span: Span) -> int:
        return len({int(part.of(span.after[None])[0]) for part in parts.parts})

    moment = max(spans, key=different).state
    found: dict[int, dict[Pad, Turned]] = {number: {} for number in turns.asked}
    for one in turning.pressed(dropper, moment):
        sequence = turns.sequences.get(one.button)
        if sequence is None:
            continue
        kinds = np.stack([part.of(one.images) for part in parts.parts], 1)
        for times in range(len(one.images) - 1):
            before, to = sequence[times % len(sequence)], sequence[(times + 1) % len(sequence)]
            cycle = next(
                (by for by in range(kinds.shape[1]) if (np.roll(kinds[times], -by) == kinds[times + 1]).all()), 0
            )
            found[before].setdefault(one.button, Turned(to, cycle))
    return found


def _entered(dropper: Dropper, spans: Sequence[Span], turn: int) -> list[Image]:
    """Returns memory in the first frames of some pieces: since their row went elsewhere for the last time.

    The column and the orientation may be those of the piece before for some frames more.
    """
    found = []
    for span in spans[-_ENTRIES:]:
        images = dropper.lab.replay(span.state, [Pad.NONE] * _ENTERS)
        own = images[:, [turn, dropper.column.index]]
        enters = np.flatnonzero(dropper.row.jumps(images) | (own[1:] != own[:-1]).any(1))
        found.append(images[int(enters[-1]) + 1 if enters.size else 0])
    return found


def _hex(index: int) -> str:
    return f"0x{address_of(index):02X}"
