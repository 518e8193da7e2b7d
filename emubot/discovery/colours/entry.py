"""Says in a family's own terms how a piece enters and which button turns it which way; plays nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from emubot.discovery.colours.findings import ColourFindings, Offset, Orientation, Turned
from emubot.discovery.colours.laws import PUYO
from emubot.discovery.colours.study import ColourStudy
from emubot.errors import NotDiscovered
from emubot.games.colours.matching_rules import CYCLED, TURNED
from emubot.games.colours.rules import SATELLITE
from emubot.pad import Pad

CLOCKWISE, COUNTERCLOCKWISE = "clockwise", "counterclockwise"

_PAIR: Final = 2
_SHAPES: Final = {len(shapes[0]): shapes for shapes in (TURNED, CYCLED)}


@dataclass(frozen=True, slots=True)
class Entry:
    """How pieces enter. `spawn` is the rule of the family; `visible` are the cells of it that are shown: column, row.

    `buttons` are those that turn, by their names in a map; `turned` says what each way makes of each number.
    """

    spawn: tuple[int, int, int]
    visible: tuple[tuple[int, int], ...]
    buttons: Mapping[str, Pad]
    turned: Mapping[tuple[int, str], Turned]


def entry_of(study: ColourStudy) -> Entry:
    """Returns how pieces enter and turn. Raises NotDiscovered where the family of the study has no such pieces."""
    findings, hidden = study.findings, study.hidden
    placed = [(column, row - hidden) for column, row in findings.piece.cells_at(*findings.piece.spawn)]
    if study.law.family == PUYO:
        pivot = _pivot(findings)
        if placed[pivot][1] < -hidden:  # the family wants it inside the field; the other half says the same
            pivot = 1 - pivot
        (x, y), (other_x, other_y) = placed[pivot], placed[1 - pivot]
        spawn = (SATELLITE.index((other_x - x, other_y - y)), x, y)
    else:
        if findings.piece.places:
            raise NotDiscovered(
                "The bytes of the piece are the places of its cells, and games of lines are only read by one place and "
                "an orientation: write the map by hand from here."
            )
        found = _stance(placed)
        if found is None:
            raise NotDiscovered(f"A piece enters with the cells {placed}, which no game of lines has.")
        spawn = found
    buttons = _buttons(findings)
    visible = tuple(cell for cell in placed if cell[1] >= 0)
    return Entry(
        spawn, visible, {f"rotate_{way}": button for way, button in buttons.items()}, _turned(findings, buttons)
    )


def _pivot(findings: ColourFindings) -> int:
    """Returns the part that stays in place in all orientations; the first one if there is none."""
    stays = [part for part in range(_PAIR) if all(one.cells[part] == (0, 0) for one in findings.piece.orientations)]
    return stays[0] if stays else 0


def _stance(cells: Sequence[Offset]) -> tuple[int, int, int] | None:
    """Returns the orientation that a game of lines gives these cells, and its pivot."""
    for orientation, shape in enumerate(_SHAPES.get(len(cells), ())):
        pivots = {(x - dx, y - dy) for (x, y), (dx, dy) in zip(cells, shape, strict=True)}
        if len(pivots) == 1:
            return (orientation, *pivots.pop())
    return None


def _buttons(findings: ColourFindings) -> dict[str, Pad]:
    """Returns the buttons that turn, by the way."""
    found: dict[str, Pad] = {}
    for button in findings.piece.turns:
        votes = sum(_way(findings, one, button) for one in findings.piece.orientations)
        found.setdefault(CLOCKWISE if votes >= 0 else COUNTERCLOCKWISE, button)
    return found


def _way(findings: ColourFindings, one: Orientation, button: Pad) -> int:
    """Returns 1 if a button turns an orientation clockwise, -1 if it does so counterclockwise, 0 for neither."""
    turned = one.after[button]
    cells = next(other.cells for other in findings.piece.orientations if other.number == turned.to)
    moved = cells[turned.cycle :] + cells[: turned.cycle]  # each part takes the cell of the next one
    if len(cells) == _PAIR:
        (x, y), (to_x, to_y) = (_direction(two) for two in (one.cells, moved))
        return x * to_y - y * to_x
    before, after = _stance(one.cells), _stance(moved)
    if before is None or after is None:
        return 0
    step = (after[0] - before[0]) % len(CYCLED)
    return {1: 1, len(CYCLED) - 1: -1}.get(step, 0)


def _direction(cells: Sequence[Offset]) -> Offset:
    return cells[1][0] - cells[0][0], cells[1][1] - cells[0][1]


def _turned(findings: ColourFindings, buttons: Mapping[str, Pad]) -> dict[tuple[int, str], Turned]:
    """Returns what each way makes of each number; a way without a button is the other one backwards."""
    orientations, parts = findings.piece.orientations, len(findings.piece.parts)
    found = {(one.number, way): one.after[button] for way, button in buttons.items() for one in orientations}
    for way, other in ((CLOCKWISE, COUNTERCLOCKWISE), (COUNTERCLOCKWISE, CLOCKWISE)):
        if way in buttons:
            continue
        for one in orientations:
            turned = found.get((one.number, other), Turned(one.number))
            found[turned.to, way] = Turned(one.number, -turned.cycle % parts)
    return found
