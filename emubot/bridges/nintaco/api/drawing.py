"""Drawing over the picture; ids 92-116, 122 and 163 of the API."""

from __future__ import annotations

from collections.abc import Sequence

from emubot.bridges.nintaco.api.calls import Calls, printable, short, within
from emubot.bridges.nintaco.api.wire import LONGEST
from emubot.errors import UsageError


class Drawing(Calls):
    """Draws into the frame that a frame listener holds; draw again in every frame what is to stay.

    Coordinates are pixels from the top left of 256 by 240. Angles are degrees counter-clockwise from three o'clock. As
    in Java, an outline of `width` by `height` covers one pixel more in each direction; a filled shape does not.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sprites: set[int] = set()  # ids on the server; it closes the connection on an unknown one

    def set_color(self, color: int) -> None:
        """Draw with this palette index, 0x00-0x1FF, from now on; id 92."""
        self._void(92, within(color, 0, 0x1FF, "A colour"))

    def get_color(self) -> int:
        """The current palette index; id 93."""
        return self._number(93)

    def set_clip(self, x: int, y: int, width: int, height: int) -> None:
        """Draw only inside this rectangle; id 94."""
        self._void(94, x, y, width, height)

    def clip_rect(self, x: int, y: int, width: int, height: int) -> None:
        """Draw only inside the intersection of this rectangle with the current one; id 95."""
        self._void(95, x, y, width, height)

    def reset_clip(self) -> None:
        """Draw everywhere; id 96."""
        self._void(96)

    def copy_area(self, x: int, y: int, width: int, height: int, dx: int, dy: int) -> None:
        """Copy a rectangle by (dx, dy); id 97."""
        self._void(97, x, y, width, height, dx, dy)

    def draw_line(self, x1: int, y1: int, x2: int, y2: int) -> None:
        """Draw a line, both ends included; id 98."""
        self._void(98, x1, y1, x2, y2)

    def draw_oval(self, x: int, y: int, width: int, height: int) -> None:
        """Draw an ellipse's outline; id 99."""
        self._void(99, x, y, width, height)

    def draw_polygon(self, xs: Sequence[int], ys: Sequence[int]) -> None:
        """Draw a closed outline through the points; id 100."""
        self._void(100, *_points(xs, ys))

    def draw_polyline(self, xs: Sequence[int], ys: Sequence[int]) -> None:
        """Draw lines from point to point; id 101."""
        self._void(101, *_points(xs, ys))

    def draw_rect(self, x: int, y: int, width: int, height: int) -> None:
        """Draw a rectangle's outline; id 102."""
        self._void(102, x, y, width, height)

    def draw_round_rect(self, x: int, y: int, width: int, height: int, arc_width: int, arc_height: int) -> None:
        """Draw the outline of a rectangle with round corners; id 103."""
        self._void(103, x, y, width, height, arc_width, arc_height)

    def draw_3d_rect(self, x: int, y: int, width: int, height: int, raised: bool) -> None:
        """Draw the outline of a rectangle that looks raised or sunk; id 104."""
        self._void(104, x, y, width, height, bool(raised))

    def draw_arc(self, x: int, y: int, width: int, height: int, start: int, arc: int) -> None:
        """Draw a part of an ellipse's outline; id 105."""
        self._void(105, x, y, width, height, start, arc)

    def fill_3d_rect(self, x: int, y: int, width: int, height: int, raised: bool) -> None:
        """Fill a rectangle that looks raised or sunk; id 106."""
        self._void(106, x, y, width, height, bool(raised))

    def fill_arc(self, x: int, y: int, width: int, height: int, start: int, arc: int) -> None:
        """Fill a slice of an ellipse; id 107."""
        self._void(107, x, y, width, height, start, arc)

    def fill_oval(self, x: int, y: int, width: int, height: int) -> None:
        """Fill an ellipse; id 108."""
        self._void(108, x, y, width, height)

    def fill_polygon(self, xs: Sequence[int], ys: Sequence[int]) -> None:
        """Fill a polygon; id 109."""
        self._void(109, *_points(xs, ys))

    def fill_rect(self, x: int, y: int, width: int, height: int) -> None:
        """Fill a rectangle; id 110."""
        self._void(110, x, y, width, height)

    def fill_round_rect(self, x: int, y: int, width: int, height: int, arc_width: int, arc_height: int) -> None:
        """Fill a rectangle with round corners; id 111."""
        self._void(111, x, y, width, height, arc_width, arc_height)

    def draw_char(self, char: str, x: int, y: int) -> None:
        """Draw one character with its top left corner at (x, y); id 112."""
        if len(char) != 1:
            raise UsageError(f"draw_char takes one character, not {char!r}: use draw_string.")
        self._void(112, printable(char).encode("latin-1"), x, y)

    def draw_chars(self, chars: str, offset: int, length: int, x: int, y: int, mono: bool = False) -> None:
        """Draw `length` of the characters from `offset` on; id 113."""
        if not 0 <= offset <= offset + length <= len(chars):
            raise UsageError(f"{length} characters from {offset} on are not all in a text of {len(chars)}.")
        self._void(113, printable(chars), offset, length, x, y, bool(mono))

    def draw_string(self, text: str, x: int, y: int, mono: bool = False) -> None:
        """Draw a text with its top left corner at (x, y); `mono` gives all characters the same width; id 114."""
        self._void(114, printable(text), x, y, bool(mono))

    def create_sprite(self, sprite: int, width: int, height: int, pixels: Sequence[int]) -> None:
        """Keep an image under the number `sprite`: palette indices row by row, -1 for transparent; id 115.

        It is lost at a reconnection.
        """
        within(width, 0, LONGEST, "A sprite's width")
        within(height, 0, LONGEST, "A sprite's height")
        if len(pixels) != width * height:
            raise UsageError(f"A sprite of {width} by {height} has {width * height} pixels, not {len(pixels)}.")
        self._void(115, sprite, width, height, pixels)
        self._sprites.add(sprite)

    def draw_sprite(self, sprite: int, x: int, y: int) -> None:
        """Draw a kept image with its top left corner at (x, y); id 116."""
        self._void(116, self._known(sprite), x, y)

    def delete_sprite(self, sprite: int) -> None:
        """Delete a kept image; id 122."""
        self._void(122, self._known(sprite))
        self._sprites.discard(sprite)

    def get_string_width(self, text: str, mono: bool = False) -> int:
        """The width of a text in pixels; id 163."""
        return self._plain_number(163, printable(text), bool(mono))

    def get_chars_width(self, chars: str, mono: bool = False) -> int:
        """The width of characters in pixels, with the call of `get_string_width`, id 163.

        164 is never sent: the server measures its whole buffer, empty places too, and then ends the connection.
        """
        return self.get_string_width(chars, mono)

    def _known(self, sprite: int) -> int:
        if sprite not in self._sprites:
            raise UsageError(f"There is no sprite {sprite}: create it first, anew after a reconnection.")
        return sprite


def _points(xs: Sequence[int], ys: Sequence[int]) -> tuple[Sequence[int], Sequence[int], int]:
    if len(xs) != len(ys):
        raise UsageError(f"A polygon has as many y as x; these are {len(ys)} and {len(xs)}.")
    short(len(xs), "points")
    return xs, ys, len(xs)
