"""Cells of a GIF, drawn once each with Pillow (extra `gif`), and the palette of all that they show; knows no match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from emubot.looks import RELIEF, SIGNS, Looks, mixed, tones
from emubot.snapshot import JOINED_DOWN, JOINED_LEFT, JOINED_RIGHT, JOINED_UP

if TYPE_CHECKING:
    from PIL.Image import Image

_FINER: Final = 4  # times: a cell is drawn larger, and made smaller
_MARK: Final = 0.75  # of black in a sign
_PALETTE: Final = 256
_SIDES: Final = ((JOINED_LEFT, -1, 0), (JOINED_RIGHT, 1, 0), (JOINED_UP, 0, -1), (JOINED_DOWN, 0, 1))


class CellPictures:
    """The cells of a game of these looks on a ground, so many pixels wide."""

    def __init__(self, looks: Looks, size: int, ground: str) -> None:
        self._looks, self._size, self._ground = looks, size, ground
        self._kept: dict[tuple[int, int], Image | None] = {}

    def picture(self, kind: int, joins: int) -> Image | None:
        """Returns a cell with its ground; None for a kind that is not drawn."""
        key = (self._looks.plain(kind), joins)
        if key not in self._kept:
            self._kept[key] = self._drawn(*key)
        return self._kept[key]

    def _drawn(self, kind: int, joins: int) -> Image | None:
        from PIL import Image, ImageChops, ImageDraw

        look = self._looks.kind(kind)
        if not look.colour:
            return None
        size = self._size * _FINER
        base, lit, dark = tones(look.colour)
        shape, edge = self._shape(size, kind, joins), round(size * RELIEF.edge)
        body = Image.new("RGB", (size, size), base)
        pen = ImageDraw.Draw(body)
        if self._looks.shape(kind) == "disk":
            pen.ellipse([round(size * share) for share in (0.22, 0.16, 0.46, 0.38)], fill=lit)
        elif not joins & JOINED_UP:
            pen.rectangle((0, 0, size, edge + _FINER), fill=lit)
        if not joins & JOINED_DOWN:
            above = Image.new("L", shape.size)
            above.paste(shape, (0, -edge))
            body.paste(dark, (0, 0), ImageChops.subtract(shape, above))
        if look.sign:
            _sign(pen, size, look.sign, mixed(look.colour, 0, _MARK))
        cell = Image.new("RGB", (size, size), self._ground)
        cell.paste(body, (0, 0), shape)
        return cell.resize((self._size, self._size), Image.Resampling.BOX)

    def _shape(self, size: int, kind: int, joins: int) -> Image:
        """Returns a mask of what a cell fills."""
        from PIL import Image, ImageDraw

        mask = Image.new("L", (size, size))
        pen = ImageDraw.Draw(mask)
        gap, shape = _FINER, self._looks.shape(kind)
        low, high = gap, size - gap - 1
        if shape == "disk":
            pen.ellipse((low, low, high, high), fill=255)
            half = (high - low) / 2 * self._looks.bridge
            for side, dx, dy in _SIDES:
                if joins & side:
                    pen.rectangle(_bridge(size, half, dx, dy), fill=255)
        elif shape == "facet":
            cut = round(2 * RELIEF.corner * size)
            pen.polygon(
                [
                    *((low + cut, low), (high - cut, low), (high, low + cut), (high, high - cut)),
                    *((high - cut, high), (low + cut, high), (low, high - cut), (low, low + cut)),
                ],
                fill=255,
            )
        else:
            left, top = (0 if joins & side else low for side in (JOINED_LEFT, JOINED_UP))
            right, bottom = (size if joins & side else high for side in (JOINED_RIGHT, JOINED_DOWN))
            pen.rectangle((left, top, right, bottom), fill=255)
        return mask


def _bridge(size: int, half: float, dx: int, dy: int) -> tuple[float, float, float, float]:
    """Returns the rectangle from the middle of a cell to its border in this direction."""
    middle = (size - 1) / 2
    across = (middle - half, middle + half)
    along = (middle, float(size)) if dx + dy > 0 else (0.0, middle)
    return (along[0], across[0], along[1], across[1]) if dx else (across[0], along[0], across[1], along[1])


def _sign(pen: object, size: int, name: str, colour: str) -> None:
    from PIL import ImageDraw

    assert isinstance(pen, ImageDraw.ImageDraw)
    lines, middle, reach = SIGNS[name], size / 2, size * RELIEF.sign
    width = max(round(1.5 * _FINER), round(size * RELIEF.pen))
    if isinstance(lines, float):
        box = (middle - reach * lines, middle - reach * lines, middle + reach * lines, middle + reach * lines)
        pen.ellipse(box, fill=colour if name == "dot" else None, outline=colour, width=width)
        return
    for points in lines:
        pen.line([(middle + x * reach, middle + y * reach) for x, y in points], fill=colour, width=width)


def palette_of(looks: Iterable[Looks], grounds: Iterable[str]) -> Image:
    """Returns an image with the palette of all that these games show: their tones, and what lies between."""
    from PIL import Image

    grounds = list(grounds)
    colours = dict.fromkeys(grounds)
    for one in looks:
        for kind in filter(lambda kind: kind.colour, one.kinds):
            colours |= dict.fromkeys((*tones(kind.colour), mixed(kind.colour, 0, _MARK), mixed(kind.colour, 0, 0.4)))
    found = [*colours][:_PALETTE]
    image = Image.new("P", (1, 1))
    image.putpalette(b"".join(bytes.fromhex(colour[1:]) for colour in found))
    return image
