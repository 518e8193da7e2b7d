"""Boards of a review as SVG: cells with light and depth, joined as the game joins them; judges nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt
from typing import Final

from emubot.looks import RELIEF, SIGNS, Kind, Looks, tones
from emubot.snapshot import JOINED_DOWN, JOINED_LEFT, JOINED_RIGHT, JOINED_UP, Cell
from emubot.view.outlines import outlines

_CELL: Final = 16  # units of a drawing
_GAP, _EDGE = max(1.0, RELIEF.gap * _CELL), RELIEF.edge * _CELL
_TONES: Final = ("", "l", "d")  # of a kind's variables: the middle, the lit edge, the dark edge
_SPREAD: Final = pi / 3  # from the middle of a bridge to where it leaves the disk
_SIDES: Final = ((JOINED_RIGHT, 1, 0), (JOINED_DOWN, 0, 1), (JOINED_LEFT, -1, 0), (JOINED_UP, 0, -1))


def style(looks: Looks) -> str:
    """Returns the colours of all kinds, on a light ground and on a dark one."""
    light = "".join(_variables(number, kind, kind.on_light or kind.colour) for number, kind in enumerate(looks.kinds))
    dark = "".join(_variables(number, kind, kind.colour) for number, kind in enumerate(looks.kinds))
    return f":root {{ {light} }} @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"


def _variables(number: int, kind: Kind, colour: str) -> str:
    if not kind.colour:
        return ""
    return "".join(f"--k{number}{tone}:{value};" for tone, value in zip(_TONES, tones(colour), strict=True))


class Drawings:
    """Draws boards; the cells that they have are drawn once, in `pictures`, which stands before the boards."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._pictures: dict[tuple[int, int], str] = {}

    @property
    def pictures(self) -> str:
        """The cells of all boards so far."""
        pictures = "".join(self._pictures.values())
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{pictures}</svg>'

    def board(self, rows: int, columns: int, stack: Iterable[Cell], piece: Sequence[Cell], colour: str) -> str:
        """Returns a board; an outline of this colour goes around the piece."""
        ground = f'<rect width="{columns * _CELL}" height="{rows * _CELL}" fill="var(--field)"/>'
        cells = "".join(map(self._use, (*stack, *piece)))
        around = "".join(
            "M" + "L".join(f"{x * _CELL:g} {y * _CELL:g}" for x, y in points) + "Z"
            for points in outlines(((cell.column, cell.row) for cell in piece), 0.0)
        )
        words = ", ".join(f"column {cell.column + 1} row {rows - cell.row}" for cell in piece)
        return (
            f'<svg viewBox="0 0 {columns * _CELL} {rows * _CELL}" role="img" aria-label="{words}">{ground}{cells}'
            f'<path d="{around}" fill="none" stroke="var(--{colour})" stroke-width="3" stroke-linejoin="round"/></svg>'
        )

    def _use(self, cell: Cell) -> str:
        kind = self._looks.plain(cell.kind)
        if cell.row < 0 or not self._looks.kind(kind).colour:
            return ""
        if (kind, cell.joins) not in self._pictures:
            self._pictures[kind, cell.joins] = self._picture(kind, cell.joins)
        return f'<use href="#c{kind}-{cell.joins}" x="{cell.column * _CELL}" y="{cell.row * _CELL}"/>'

    def _picture(self, kind: int, joins: int) -> str:
        name, shape = f"c{kind}-{joins}", self._looks.shape(kind)
        if shape == "disk":
            parts = _disk(kind, joins, self._looks.bridge)
        elif shape == "facet":
            parts = _facet(kind)
        else:
            parts = _block(kind, joins)
        sign = self._looks.kind(kind).sign
        return f'<symbol id="{name}" width="{_CELL}" height="{_CELL}">{parts}{_sign(sign) if sign else ""}</symbol>'


def _block(kind: int, joins: int) -> str:
    left, top = (0.0 if joins & side else _GAP for side in (JOINED_LEFT, JOINED_UP))
    right, bottom = (_CELL if joins & side else _CELL - _GAP for side in (JOINED_RIGHT, JOINED_DOWN))
    corner = RELIEF.corner * _CELL
    sides = (JOINED_LEFT | JOINED_UP, JOINED_RIGHT | JOINED_UP, JOINED_RIGHT | JOINED_DOWN, JOINED_LEFT | JOINED_DOWN)
    radii = [0.0 if joins & both else corner for both in sides]
    parts = _path(_rounded(left, top, right, bottom, radii), f"--k{kind}")
    if not joins & JOINED_UP:
        parts += _path(_rounded(left, top, right, top + _EDGE, [*radii[:2], 0, 0]), f"--k{kind}l")
    if not joins & JOINED_DOWN:
        parts += _path(_rounded(left, bottom - _EDGE, right, bottom, [0, 0, *radii[2:]]), f"--k{kind}d")
    return parts


def _rounded(left: float, top: float, right: float, bottom: float, radii: Sequence[float]) -> str:
    first, second, third, last = radii
    return (
        f"M{left + first:g} {top:g}H{right - second:g}Q{right:g} {top:g} {right:g} {top + second:g}"
        f"V{bottom - third:g}Q{right:g} {bottom:g} {right - third:g} {bottom:g}"
        f"H{left + last:g}Q{left:g} {bottom:g} {left:g} {bottom - last:g}"
        f"V{top + first:g}Q{left:g} {top:g} {left + first:g} {top:g}Z"
    )


def _disk(kind: int, joins: int, bridge: float) -> str:
    middle = _CELL / 2
    radius = middle - _GAP
    parts = f'<circle cx="{middle:g}" cy="{middle:g}" r="{radius:g}" fill="var(--k{kind})"/>'
    parts += "".join(
        _path(_bridge(middle, radius, bridge, dx, dy), f"--k{kind}") for side, dx, dy in _SIDES if joins & side
    )
    parts += "".join(
        f'<ellipse cx="{0.34 * _CELL:g}" cy="{0.28 * _CELL:g}" rx="{width * _CELL:g}" ry="{0.75 * width * _CELL:g}" '
        f'fill="var(--k{kind}l)" opacity="0.6"/>'
        for width in (0.16, 0.1)
    )
    if joins & JOINED_DOWN:  # below a bridge there is no edge
        return parts
    level, bottom = _CELL - _GAP - _EDGE, _CELL - _GAP
    half = sqrt(radius**2 - (level - middle) ** 2)
    is_straight = bridge >= 1
    left = f"M0 {level:g}V{bottom:g}" if is_straight and joins & JOINED_LEFT else f"M{middle - half:g} {level:g}"
    down = (
        f"H{middle:g}" if is_straight and joins & JOINED_LEFT else f"A{radius:g} {radius:g} 0 0 0 {middle:g} {bottom:g}"
    )
    up = (
        f"H{_CELL}V{level:g}"
        if is_straight and joins & JOINED_RIGHT
        else f"A{radius:g} {radius:g} 0 0 0 {middle + half:g} {level:g}"
    )
    return parts + _path(f"{left}{down}{up}Z", f"--k{kind}d")


def _bridge(middle: float, radius: float, bridge: float, dx: int, dy: int) -> str:
    """Returns a bridge from a disk to the border of its cell; one as wide as the disk makes a capsule of two halves."""

    def at(along: float, across: float) -> str:
        return f"{middle + along * dx - across * dy:g} {middle + along * dy + across * dx:g}"

    half = radius * bridge
    start, across = (radius * cos(_SPREAD), radius * sin(_SPREAD)) if bridge < 1 else (0.0, radius)
    return (
        f"M{at(start, -across)}Q{at(0.8 * middle, -half)} {at(middle, -half)}"
        f"L{at(middle, half)}Q{at(0.8 * middle, half)} {at(start, across)}Z"
    )


def _facet(kind: int) -> str:
    rim = _GAP + _EDGE
    cut, inner = 2 * RELIEF.corner * _CELL, RELIEF.corner * _CELL
    low, high = _GAP, _CELL - _GAP
    parts = _path(_octagon(low, cut), f"--k{kind}")
    step = cut - _EDGE  # the cut sides lean by as much as they are high
    upper = f"M{low + cut:g} {low:g}H{high - cut:g}L{high - step:g} {low + _EDGE:g}H{low + step:g}Z"
    lower = f"M{low + cut:g} {high:g}H{high - cut:g}L{high - step:g} {high - _EDGE:g}H{low + step:g}Z"
    parts += _path(upper, f"--k{kind}l") + _path(lower, f"--k{kind}d")
    return parts + (
        f'<path d="{_octagon(rim, inner)}" fill="none" stroke="var(--k{kind}d)" '
        f'stroke-width="{RELIEF.outline * _CELL:g}"/>'
    )


def _octagon(low: float, cut: float) -> str:
    high = _CELL - low
    return (
        f"M{low + cut:g} {low:g}H{high - cut:g}L{high:g} {low + cut:g}V{high - cut:g}L{high - cut:g} {high:g}"
        f"H{low + cut:g}L{low:g} {high - cut:g}V{low + cut:g}Z"
    )


def _sign(name: str) -> str:
    lines, middle, reach = SIGNS[name], _CELL / 2, RELIEF.sign * _CELL
    width = f'stroke="var(--mark)" stroke-width="{max(1.5, RELIEF.pen * _CELL):g}"'
    if isinstance(lines, float):
        fill = 'fill="var(--mark)"' if name == "dot" else f'fill="none" {width}'
        return f'<circle cx="{middle:g}" cy="{middle:g}" r="{reach * lines:g}" {fill}/>'
    path = "".join(
        "M" + "L".join(f"{middle + x * reach:g} {middle + y * reach:g}" for x, y in points) for points in lines
    )
    return f'<path d="{path}" fill="none" {width}/>'


def _path(path: str, colour: str) -> str:
    return f'<path d="{path}" fill="var({colour})"/>'
