"""Completes a map that was proved: the counters and previews that its own play shows, and what stays open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from emubot.discovery.counters import Found, level_of, lines_of, numbers_at, several_at_once
from emubot.discovery.previews import Preview, previews_of
from emubot.discovery.recording import Marks
from emubot.discovery.score import score_of
from emubot.discovery.sharing import free_in, with_values
from emubot.games.tetris.decode.value_names import PREVIEWS
from emubot.rammap import RamMap
from emubot.rammap.spaces import index_of
from emubot.text import counted

_FEW: Final = 10  # lines of one game below which binary numbers and decimals are alike


@dataclass(frozen=True, slots=True)
class Completion:
    """A map with what was found, how each value is known by its dotted key, and half a sentence for what stays open."""

    ram_map: RamMap
    evidence: dict[str, str]
    left_open: tuple[str, ...]


def completed(ram_map: RamMap, marks: Marks) -> Completion:
    """Returns the map with lines, level, score and the next piece, as far as these moments show them for certain."""
    free = free_in(ram_map, marks.images.shape[1])
    values: dict[str, Any] = {}
    evidence: dict[str, str] = {}
    left_open: list[str] = []
    near = index_of(ram_map.addresses("y")[0]) if "y" in ram_map.value_names else 0

    def add(name: str, found: Sequence[Found], why: str) -> None:
        agreeing = [each for each in found if (each.number.of(marks.images) == found[0].number.of(marks.images)).all()]
        free[sorted(numbers_at(agreeing))] = False
        if not found or name in ram_map.value_names:
            left_open.extend([] if found else [f"{name} ({why})"])
            return
        values[name], evidence[f"values.{name}"] = found[0].value(), found[0].evidence

    lines = lines_of(marks, free)
    add("lines", lines, _why_no_lines(marks))
    near = lines[0].number.index if lines else near
    add(
        "score",
        score_of(marks, free),
        "no number of several bytes grew just where rows vanished or pieces were dropped",
    )
    add("level", level_of(marks, free, near), "no number grew by one twice, each time after as many lines")
    if PREVIEWS[0] not in ram_map.value_names:
        previews = previews_of(marks, free, near)
        for name, preview in zip(PREVIEWS, previews, strict=False):
            values[name] = preview.value()
            evidence[f"values.{name}"] = _told(preview)
        if not previews:
            left_open.append("the next piece (no byte told it every time)")
    return Completion(with_values(ram_map, values), evidence, tuple(left_open))


def _why_no_lines(marks: Marks) -> str:
    most = int(marks.lines.max(initial=0))
    if most < _FEW:
        return f"no game had more than {counted(most, 'line')}"
    if not several_at_once(marks):
        return "no two rows vanished together, and a score may grow by one for each, too"
    return "no number grew by just the rows that vanished"


def _told(preview: Preview) -> str:
    return f"told the next piece {preview.times} times, with a code for each kind"
