"""Writes what a survey found as the text of an address map, with the evidence beside each value; plays nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.learn.discovery.moves import Axis
from emubot.learn.discovery.screens import Condition, PhaseConditions
from emubot.learn.discovery.survey import Survey
from emubot.rammap.spaces import address_of
from emubot.text import counted

_STATE: Final = "state"
_SMALL: Final = 2  # cells


def draft(survey: Survey, title: str, sha1: str) -> str:
    """Returns the YAML text of a map of the family tetris; what is not known yet is marked `learn`."""
    names = _names(survey.screens)
    parts = (_head(survey, title, sha1), _values(survey, names), _grid(survey), _phases(survey, names), _rest(survey))
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(survey: Survey, title: str, sha1: str) -> Iterator[str]:
    pieces, frames = counted(len(survey.locks), "piece"), counted(survey.frames, "frame")
    yield f"# Drafted by emubot from {pieces} that locked, in {frames} of experiments."
    yield "# `emubot maps learn --probe` finds what says learn here, and the timing. Nothing looks for score, lines,"
    yield "# level and hidden rows: add them if you know where they are."
    yield f"title: {_quoted(title)}"
    yield "family: tetris"
    yield "profile: plain"
    yield "identities:"
    yield f'  - {{ title: {_quoted(title)}, sha1: "{sha1}" }}'


def _values(survey: Survey, names: Mapping[int, str]) -> Iterator[str]:
    yield "values:"
    for index, name in names.items():
        yield f"  {name}: {_hex(index)}{_numbers(survey.screens, index)}"
    across, down = _pivots(survey)
    yield f"  x: {value_of(survey.column, across)} # LEFT and RIGHT move it"
    yield f"  y: {value_of(survey.row, down)} # it moves while the piece falls, and faster while DOWN is held"
    yield f"  piece: {_hex(survey.piece)} # each of its numbers locked the same cells every time"
    if survey.next_piece is not None:
        yield f"  next_piece: {_hex(survey.next_piece)} # the number of `piece` when the next one entered, every time"


def _grid(survey: Survey) -> Iterator[str]:
    lattice = survey.lattice
    highest = survey.rows - 1 if lattice.down < 0 else 0
    yield "grid: # from pieces dropped in every column"
    yield f"  at: {_hex(int(lattice.cells(survey.rows)[highest, 0]), 4)}"
    yield f"  rows: {survey.rows} # from the floor to where pieces enter; rows above them are not known"
    yield f"  columns: {lattice.columns}"
    yield f"  row_stride: {abs(lattice.down)}"
    yield f"  column_stride: {lattice.right}"
    if lattice.down < 0:
        yield "  first_row: bottom"
    yield f"  cell: {{ empty: 0x{survey.empty:02X}, kinds: {{ block: learn }} }}"
    yield "pieces: learn"


def _phases(survey: Survey, names: Mapping[int, str]) -> Iterator[str]:
    screens = survey.screens
    yield "phases: # the first one that holds; playing must be true of a piece under control, and of nothing else"
    apart = (
        ""
        if screens.told_apart == 1
        else f" # it holds in {100 * (1 - screens.told_apart):.1f} % of the other frames, too"
    )
    yield f"  - {{ state: playing, phase: playing, when: {_when(screens.playing, names)} }}{apart}"
    for state, condition in (("locked", screens.between), ("over", screens.over), ("menu", screens.menus)):
        if condition:
            yield f"  - {{ state: {state}, phase: {state}, when: {_when(condition, names)} }}"
    yield "  # On all other screens nothing is pressed: add those that were not seen, such as a row that clears."


def _rest(survey: Survey) -> Iterator[str]:
    yield "buttons:"
    yield "  left: LEFT"
    yield "  right: RIGHT"
    for move, button in zip(("rotate_clockwise", "rotate_counterclockwise"), survey.turns, strict=False):
        yield f"  {move}: {button}"
    yield "  soft_drop: DOWN"
    yield "  start: START"
    yield "menu:"
    yield "  pace: 30"
    states = "[menu, over]" if survey.screens.over else "menu"
    yield f"  steps: [{{ state: {states}, tap: START }}] # taps from power-on to a game: {survey.starts}"


def _names(screens: PhaseConditions) -> dict[int, str]:
    """Returns a name for each byte of the conditions."""
    indices = dict.fromkeys([*screens.playing, *screens.between, *screens.over, *screens.menus])
    return {index: _STATE if not number else f"{_STATE}_{number + 1}" for number, index in enumerate(indices)}


def _numbers(screens: PhaseConditions, index: int) -> str:
    """Returns a remark on what a byte of the conditions was seen to be."""
    seen = {"play": screens.playing, "locks": screens.between, "the end": screens.over, "menus": screens.menus}
    words = [f"{', '.join(map(str, allowed[index]))} in {where}" for where, allowed in seen.items() if index in allowed]
    return f" # {'; '.join(words)}"


def _pivots(survey: Survey) -> tuple[int, int]:
    """Returns what x and y lack to be a column and a row of the piece's own cells."""
    images = np.concatenate([lock.frames[lock.at - 1 : lock.at] for lock in survey.locks if lock.at])
    cells = [lock.cells for lock in survey.locks if lock.at and lock.cells]
    lowest = np.array([max(row for row, _ in piece) for piece in cells])
    leftmost = np.array([min(column for _, column in piece) for piece in cells])
    across = leftmost - survey.column.of(images) * np.sign(survey.column.step)
    down = lowest - survey.row.of(images) * np.sign(survey.row.step)
    return _nearly_none(across), _nearly_none(down)


def _nearly_none(missing: NDArray[np.int64]) -> int:
    """Returns the usual one of these distances; 0 if it is so small that the pivot may be another cell of the piece."""
    usual = round(float(np.median(missing)))
    return usual if abs(usual) > _SMALL else 0


def value_of(axis: Axis, offset: int) -> str:
    """Returns the value of a column or a row: `offset` is what the byte, counted in its direction, lacks."""
    parts = [f"at: {_hex(axis.index)}"]
    parts += [f"offset: {offset * axis.step}"] if offset else []
    parts += ["scale: -1"] if axis.step < 0 else []
    parts += [f"divide: {abs(axis.step)}"] if abs(axis.step) > 1 else []
    parts += ["format: signed"] if axis.step == 1 else []
    return "{ " + ", ".join(parts) + " }"


def _when(condition: Condition, names: Mapping[int, str]) -> str:
    parts = [
        f"{names[index]}: {numbers[0] if len(numbers) == 1 else list(numbers)}" for index, numbers in condition.items()
    ]
    return "{ " + ", ".join(parts) + " }"


def _hex(index: int, digits: int = 2) -> str:
    address = address_of(index)
    return f"0x{address:0{max(digits, 4 if address > 0xFF else 2)}X}"


def _quoted(text: str) -> str:
    """Returns a line of text as YAML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
