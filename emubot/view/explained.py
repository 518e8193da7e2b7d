"""Draws an explained position with matplotlib (extra `train`), imported on use; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.explanation import ExplainedPlacement, Explanation
from emubot.snapshot import Piece
from emubot.view.appearance import Appearance
from emubot.view.plots import BARS, CURVE, OTHER, picture, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STACK, _GRID, _IN_AIR = "#9aa5b1", "#e3e7ec", "#d8b13a"
_SHOWN: Final = 3  # placements on the board: the best one filled, the others as outlines
_COLOURS: Final = (CURVE, OTHER, "#2e8b57")
_HEIGHT: Final = 7.0  # inches


def draw_explained(path: Path, look: Appearance, explained: Explanation, risks: Sequence[str]) -> None:
    """Write a PNG or SVG, as the file's name says: the board, and what the placements are worth and why.

    `risks` are texts, one for each placement. Raises UsageError without matplotlib, StorageError if the file cannot be
    written.
    """
    figure = picture(11, _HEIGHT)
    board, right = figure.subplots(1, 2, width_ratios=[1, 1.7])
    _draw_board(board, look, explained)
    placements = explained.placements
    if placements:
        upper, lower = right.get_subplotspec().subgridspec(2, 1, height_ratios=[1, 1.6]).subplots()
        right.remove()
        _draw_values(upper, explained, risks)
        _draw_parts(lower, placements)
    else:
        right.set_axis_off()
        right.text(0, 0.5, "the piece can lock nowhere within reach")
    save(figure, path)


def _draw_board(axes: Axes, look: Appearance, explained: Explanation) -> None:
    snapshot, settings = explained.snapshot, explained.settings
    rows, columns = snapshot.playfield.shape
    for row in range(rows):
        for column in range(columns):
            _cell(axes, column, row, _STACK if snapshot.playfield[row, column] else "white", _GRID)
    if snapshot.current is not None:
        for cell in look.cells(snapshot, snapshot.current):
            _cell(axes, cell.column, cell.row, _IN_AIR, _IN_AIR)
    shown = list(enumerate(explained.placements[:_SHOWN]))
    for number, one in reversed(shown):  # the best one is drawn over the others
        place, colour = one.placement, _COLOURS[number]
        cells = look.cells(snapshot, Piece(place.orientation, place.column, place.row))
        for cell in cells:
            _cell(axes, cell.column, cell.row, colour if number == 0 else "none", colour, width=2)
            axes.text(
                cell.column + 0.2 + 0.3 * number, cell.row + 0.5, str(number + 1),
                color="white" if number == 0 else colour, ha="center", va="center", weight="bold",
            )  # fmt: skip
    axes.set(xlim=(-0.1, columns + 0.1), ylim=(rows + 0.1, -1.1), aspect="equal")
    axes.set_axis_off()
    axes.set_title(
        f"{explained.piece}, next {explained.next_piece or 'not known'}\n"
        f"level {settings['level']}, {settings['lines']} lines, taps {settings['taps']}"
    )


def _cell(axes: Axes, column: int, row: int, fill: str, edge: str, width: float = 1) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=fill, edgecolor=edge, linewidth=width))


def _draw_values(axes: Axes, explained: Explanation, risks: Sequence[str]) -> None:
    """Draw how much less than the best each placement is worth."""
    placements = explained.placements
    best = placements[0].value
    lost = [best - one.value for one in placements]
    axes.barh(range(len(placements)), lost, color=BARS)
    axes.set_yticks(
        range(len(placements)),
        [f"{number}{'*' if one.chosen else ''}  {one.name}" for number, one in enumerate(placements, start=1)],
    )
    for place, (one, risk, less) in enumerate(zip(placements, risks, lost, strict=True)):
        axes.annotate(f" {one.value:,.0f}   dies {risk}", (less, place), va="center", fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(0, max(*lost, 1e-9) * 2 if len(lost) > 1 else 1)
    axes.set_xlabel(f"less than the best{' in ' if explained.unit else ''}{explained.unit}; * the bot plays this one")


def _draw_parts(axes: Axes, placements: Sequence[ExplainedPlacement]) -> None:
    """Draw what the first placement has more than each of the next two, part by part."""
    parts = [{part.name: part.value for part in one.parts} for one in placements[:_SHOWN]]
    names = [name for name in dict.fromkeys(name for one in parts for name in one) if _differs(name, parts)]
    others = parts[1:]
    thickness = 0.8 / max(len(others), 1)
    for number, other in enumerate(others):
        more = [parts[0].get(name, 0.0) - other.get(name, 0.0) for name in names]
        places = [place + number * thickness - 0.4 + thickness / 2 for place in range(len(names))]
        axes.barh(places, more, height=thickness, color=_COLOURS[number + 1], label=f"1 more than {number + 2}")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    if others:
        axes.legend()
    axes.set_title("what the difference is made of")


def _differs(name: str, parts: Sequence[dict[str, float]]) -> bool:
    return len({one.get(name, 0.0) for one in parts}) > 1
