"""Draws an explained position with matplotlib (extra `train`), imported on use; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.explanation import ExplainedPlacement, Explanation, FieldAfter, Notation
from emubot.looks import Looks
from emubot.snapshot import Piece
from emubot.text import counted
from emubot.view.appearance import Appearance
from emubot.view.plots import BARS, CURVE, OTHER, picture, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STACK, _GRID, _IN_AIR, _CEILING = "#9aa5b1", "#e3e7ec", "#d8b13a", "#5c6670"
_SHOWN: Final = 3  # placements, each on a board of its own
_COLOURS: Final = (CURVE, OTHER, "#2e8b57")
_WIDTH: Final = 11.0  # inches
_HEIGHTS: Final = {"board": 4.6, "values": 1.7, "parts": 3.4}
_NUMBERS: Final = "{x:,g}"
_JOINTS: Final = {">": (1, 0), "v": (0, 1)}  # of the left and the upper half: (dx, dy) of the other one
_EMPTY: Final = "."
Fills = Mapping[str, str]  # of the characters of a board that have a colour of their own; others are stack


def draw_explained(path: Path, looks: Looks, look: Appearance, explained: Explanation, risks: Sequence[str]) -> None:
    """Write a PNG or SVG, as the file's name says: each of the best placements on a board, its worth, and why.

    `risks` are texts, one for each placement. Raises UsageError without matplotlib, StorageError if the file cannot be
    written.
    """
    best, fills = explained.placements[:_SHOWN], _fills(looks, explained.notation)
    if not best:
        _draw_nowhere(path, fills, look, explained)
        return
    afters = [placement.after for placement in best if placement.after is not None]
    heights = [_HEIGHTS["board"]] * (2 if afters else 1) + [_HEIGHTS["values"], _HEIGHTS["parts"]]
    figure = picture(_WIDTH, sum(heights))
    rows = figure.add_gridspec(len(heights), _SHOWN, height_ratios=heights)
    figure.suptitle(_heading(explained))
    for number in range(_SHOWN):
        board = figure.add_subplot(rows[0, number])
        board.set_axis_off()  # keeps the place of a placement that there is not
        if number < len(best):
            _draw_board(board, fills, look, explained, number)
    for number, after in enumerate(afters):
        field = figure.add_subplot(rows[1, number])
        field.set_axis_off()
        _draw_chain(field, fills, after, number, explained.notation.hidden_rows)
    _draw_values(figure.add_subplot(rows[-2, :]), explained, risks)
    _draw_parts(figure.add_subplot(rows[-1, :]), explained.placements)
    save(figure, path)


def _draw_nowhere(path: Path, fills: Fills, look: Appearance, explained: Explanation) -> None:
    figure = picture(_WIDTH / 2, _HEIGHTS["board"] + 1)
    figure.suptitle(_heading(explained))
    board = figure.add_subplot()
    _draw_board(board, fills, look, explained, None)
    board.set_title("the piece can lock nowhere within reach")
    save(figure, path)


def _heading(explained: Explanation) -> str:
    settings = explained.settings
    words = [f"level {settings['level']}"] if "lines" in settings else [settings["rules"]]
    words += [counted(settings["lines"], "line")] if "lines" in settings else [counted(settings["colors"], "colour")]
    return (
        f"{explained.piece}, next {explained.next_piece or 'not known'} · {', '.join(words)}, taps {settings['taps']}"
    )


def _draw_board(axes: Axes, fills: Fills, look: Appearance, explained: Explanation, number: int | None) -> None:
    """Draw the position, and on it one of the placements; None: no placement."""
    snapshot, notation = explained.snapshot, explained.notation
    rows, columns = snapshot.playfield.shape
    for row in range(-notation.hidden_rows, rows):
        kinds = snapshot.playfield[row] if row >= 0 else snapshot.hidden[-row - 1]
        for column in range(columns):
            _cell(axes, column, row, _fill(fills, notation.cell(int(kinds[column]))), _GRID)
    _draw_joints(axes, notation.joints, notation.hidden_rows)
    if snapshot.current is not None:
        for cell in look.cells(snapshot, snapshot.current):
            _cell(axes, cell.column, cell.row, _fill(fills, notation.cell(cell.kind)) if fills else _IN_AIR, _IN_AIR)
    if number is not None:
        placement, colour = explained.placements[number], _COLOURS[number]
        there = Piece(placement.placement.orientation, placement.placement.column, placement.placement.row)
        for cell in look.cells(snapshot, there):
            _cell(
                axes,
                cell.column,
                cell.row,
                _fill(fills, notation.cell(cell.kind)) if fills else colour,
                colour,
                width=3,
            )
            axes.text(
                cell.column + 0.5, cell.row + 0.52, str(number + 1),
                color="black" if fills else "white", ha="center", va="center", weight="bold",
            )  # fmt: skip
        played = "\nthe bot plays this one" if placement.chosen else "\n"
        axes.set_title(f"{number + 1}: {placement.name}{played}", color=colour, fontsize=11)
    _draw_ceiling(axes, notation.hidden_rows, columns)
    axes.set(xlim=(-0.1, columns + 0.1), ylim=(rows + 0.1, -0.3 - notation.hidden_rows), aspect="equal")
    axes.set_axis_off()


def _draw_chain(axes: Axes, fills: Fills, after: FieldAfter, number: int, above: int) -> None:
    """Draw the field after a placement: the steps in which puyos pop, and the puyos that set the chain off."""
    chain = after.chain
    marks = {} if chain is None else dict(zip(chain.cells, map(str, chain.popped_in), strict=True))
    for row, line in enumerate(after.lines, start=-above):
        for column, letter in enumerate(line):
            _cell(axes, column, row, _fill(fills, letter), _GRID)
            axes.text(column + 0.5, row + 0.5, marks.get((column, row), ""), ha="center", va="center", weight="bold")
    _draw_joints(axes, after.joints, above)
    for column, row in () if chain is None else chain.trigger:
        _cell(axes, column, row, _fill(fills, chain.color if chain else _EMPTY), "black", width=2.5)
        axes.text(column + 0.5, row + 0.58, "*", ha="center", va="center", fontsize=18, weight="bold")
    axes.set(
        xlim=(-0.1, len(after.lines[0]) + 0.1), ylim=(len(after.lines) - above + 0.1, -0.3 - above), aspect="equal"
    )
    _draw_ceiling(axes, above, len(after.lines[0]))
    axes.set_title(f"after {number + 1}:\n{', '.join(after.words)}", color=_COLOURS[number], fontsize=11)


def _draw_joints(axes: Axes, joints: Sequence[str], above: int) -> None:
    """Draw a bar between the halves that are joined."""
    for row, line in enumerate(joints, start=-above):
        for column, mark in enumerate(line):
            if mark in _JOINTS:
                dx, dy = _JOINTS[mark]
                axes.plot([column + 0.5, column + 0.5 + dx], [row + 0.5, row + 0.5 + dy], color=_CEILING, linewidth=3)


def _draw_ceiling(axes: Axes, above: int, columns: int) -> None:
    """Draw the line between hidden and visible rows."""
    if above:
        axes.plot([0, columns], [0, 0], color=_CEILING, linewidth=2, linestyle="dotted")


def _fills(looks: Looks, notation: Notation) -> Fills:
    """Returns the colours of the kinds that a board tells apart, in pastel, so that what is written on them is read."""
    kinds = range(1, len(notation.cells)) if len(notation.cells) > 2 else ()
    return {notation.cell(kind): _pastel(looks.kind(kind).colour) for kind in kinds}


def _pastel(colour: str) -> str:
    return "#" + "".join(f"{255 - (255 - part) * 3 // 4:02x}" for part in bytes.fromhex(colour[1:]))


def _fill(fills: Fills, letter: str) -> str:
    return "white" if letter == _EMPTY else fills.get(letter, _STACK)


def _cell(axes: Axes, column: int, row: int, fill: str, edge: str, width: float = 1) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=fill, edgecolor=edge, linewidth=width))


def _draw_values(axes: Axes, explained: Explanation, risks: Sequence[str]) -> None:
    """Draw how much less than the best each placement is worth."""
    placements = explained.placements
    best = placements[0].value
    lost = [best - placement.value for placement in placements]
    axes.barh(range(len(placements)), lost, color=BARS)
    axes.set_yticks(
        range(len(placements)),
        [
            f"{number}{'*' if placement.chosen else ''}  {placement.name}"
            for number, placement in enumerate(placements, start=1)
        ],
    )
    for place, (placement, risk, less) in enumerate(zip(placements, risks, lost, strict=True)):
        axes.annotate(f" {placement.value:,.0f}   dies {risk}", (less, place), va="center", fontsize=9)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(_NUMBERS)
    axes.set_xlim(0, max(*lost, 1e-9) * 2 if len(lost) > 1 else 1)
    axes.set_xlabel(f"less than the best{' in ' if explained.unit else ''}{explained.unit}; * the bot plays this one")


def _draw_parts(axes: Axes, placements: Sequence[ExplainedPlacement]) -> None:
    """Draw what the first placement has more than each of the next two, part by part.

    If the parts are no features, those of the fields after the placements tell more.
    """
    first = placements[0].after
    of_fields = first is not None and bool(first.parts) and all(part.amount is None for part in placements[0].parts)
    drawn = [each.after.parts if of_fields and each.after else each.parts for each in placements[:_SHOWN]]
    parts = [{part.name: part.value for part in of_placement} for of_placement in drawn]
    names = [name for name in dict.fromkeys(name for values in parts for name in values) if _differs(name, parts)]
    others = parts[1:]
    thickness = 0.8 / max(len(others), 1)
    for number, other in enumerate(others):
        more = [parts[0].get(name, 0.0) - other.get(name, 0.0) for name in names]
        places = [place + number * thickness - 0.4 + thickness / 2 for place in range(len(names))]
        axes.barh(places, more, height=thickness, color=_COLOURS[number + 1], label=f"1 more than {number + 2}")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(_NUMBERS)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    if others:
        axes.legend()
    what = f"what the difference between the fields is made of, in {first.unit}" if of_fields and first else ""
    axes.set_title(what or "what the difference is made of")


def _differs(name: str, parts: Sequence[dict[str, float]]) -> bool:
    return len({values.get(name, 0.0) for values in parts}) > 1
