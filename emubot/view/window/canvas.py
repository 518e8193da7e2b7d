"""Draws one frame of the window: pictures, planned placements, figures, messages, help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.looks import RELIEF
from emubot.view.window.layout import CONSOLE, Rectangle, Screen, Size, WindowLayout, cell_rectangle, fit, roomy
from emubot.view.window.sdl import pygame

Cell = tuple[int, int, str]  # column, row (0 = top visible row), colour #rrggbb; "" for white

BAR: Final = 26  # window pixels for the figures
_SURROUNDINGS: Final = (16, 16, 20)
_INK: Final = (225, 225, 230)
_SHADE: Final = (0, 0, 0, 170)
_TINT: Final = round(255 * RELIEF.fill)
_SIDES: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # above, right, below, left
_TEXT: Final = 20  # points of pygame's own font


class Canvas:
    """The window itself, resizable or full-screen; needs pygame.display and pygame.font initialised."""

    def __init__(self, title: str, pictures: Sequence[Size], lines: int = 1) -> None:
        """Open a window for pictures of these sizes side by side, and so many lines of text below them.

        Raises pygame.error if that is not possible.
        """
        self._bar = lines * BAR
        self.sizes = [size if min(size) > 0 else CONSOLE for size in pictures]
        self._windowed = roomy(pygame.display.get_desktop_sizes()[0], self.sizes, self._bar)
        self.full = False
        self._surface = pygame.display.set_mode(self._windowed, pygame.RESIZABLE)
        pygame.display.set_caption(title)
        self._font = pygame.font.Font(None, _TEXT)

    def toggle_fullscreen(self) -> None:
        """Switch to full screen, or back to a window."""
        if not self.full:
            self._windowed = pygame.display.get_window_size()
            self._surface = pygame.display.set_mode(pygame.display.get_desktop_sizes()[0], pygame.FULLSCREEN)
        else:
            self._surface = pygame.display.set_mode(self._windowed, pygame.RESIZABLE)
        self.full = not self.full

    def draw(
        self,
        pictures: Sequence[NDArray[np.uint8] | None],
        overlays: Sequence[tuple[int, Screen, Sequence[Cell]]],
        figures: Sequence[str],
        message: str,
        status: str,
        help_lines: Sequence[tuple[str, str]],
    ) -> None:
        """Draw and show everything. An overlay is (picture number, screen, cells); a picture of None is skipped."""
        surface = pygame.display.get_surface() or self._surface
        for number, pixels in enumerate(pictures):
            if pixels is not None:
                self.sizes[number] = (pixels.shape[1], pixels.shape[0])
        layout = fit(surface.get_size(), self.sizes, self._bar)
        surface.fill(_SURROUNDINGS)
        for pixels, place in zip(pictures, layout.pictures, strict=True):
            if pixels is not None:
                _picture(surface, pixels, place)
        for number, screen, cells in overlays:
            self._overlay(surface, layout, number, screen, cells)
        if figures:
            self._figures(surface, layout, figures)
        width, height = surface.get_size()
        if status:
            self._plate(surface, status, (width // 2, height - BAR // 2))
        if message:
            self._plate(surface, message, (width // 2, height // 2))
        if help_lines:
            self._help(surface, help_lines)
        pygame.display.flip()

    def _overlay(self, surface: Any, layout: WindowLayout, number: int, screen: Screen, cells: Sequence[Cell]) -> None:
        """Draw one outline around all cells of a place, each in its own colour, and tint them."""
        left, top, width, height = layout.pictures[number]
        clip = pygame.Rect(left, top, width, height)
        places = {(column, row) for column, row, _ in cells}
        for column, row, name in cells:
            if row < 0:  # above the visible playfield
                continue
            x, y, w, h = cell_rectangle(screen, column, row, self.sizes[number], layout.scale)
            cell = pygame.Rect(left + x, top + y, w, h)
            if not clip.contains(cell):
                continue
            colour = pygame.Color(name or "#ffffff")
            tint = pygame.Surface(cell.size, pygame.SRCALPHA)
            tint.fill((*colour[:3], _TINT))
            surface.blit(tint, cell)
            around = [(column + dx, row + dy) in places for dx, dy in _SIDES]
            corners = [
                (column + dx + ex, row + dy + ey) in places
                for (dx, dy), (ex, ey) in zip(_SIDES, (*_SIDES[1:], _SIDES[0]), strict=True)
            ]
            _outline(surface, cell, max(1, round(w * RELIEF.ghost)), colour, around, corners)

    def _figures(self, surface: Any, layout: WindowLayout, figures: Sequence[str]) -> None:
        """Draw a line under each picture; if the numbers of lines and pictures differ, join the lines into one."""
        width, height = surface.get_size()
        middle = height - self._bar + BAR // 2
        if len(figures) != len(layout.pictures):
            self._plate(surface, "   |   ".join(figures), (width // 2, middle))
            return
        for line, (left, _, wide, _) in zip(figures, layout.pictures, strict=True):
            self._plate(surface, line, (left + wide // 2, middle))

    def _plate(self, surface: Any, text: str, centre: tuple[int, int]) -> None:
        """Draw text on a dark plate around a point; a text that is too long for the window is made smaller."""
        written = self._font.render(text, True, _INK)
        room = surface.get_width() - 12
        if written.get_width() > room > 0:
            height = max(1, written.get_height() * room // written.get_width())
            written = pygame.transform.smoothscale(written, (room, height))
        plate = pygame.Surface((written.get_width() + 12, written.get_height() + 8), pygame.SRCALPHA)
        plate.fill(_SHADE)
        plate.blit(written, (6, 4))
        surface.blit(plate, plate.get_rect(center=centre))

    def _help(self, surface: Any, lines: Sequence[tuple[str, str]]) -> None:
        """Draw two columns, key and meaning, on a plate in the middle."""
        rows = [tuple(self._font.render(text, True, _INK) for text in line) for line in lines]
        left = max(row[0].get_width() for row in rows)
        right = max(row[1].get_width() for row in rows)
        step = self._font.get_linesize() + 2
        plate = pygame.Surface((left + right + 48, step * len(rows) + 24), pygame.SRCALPHA)
        plate.fill((*_SHADE[:3], 215))
        for number, (key, meaning) in enumerate(rows):
            plate.blit(key, (16, 12 + number * step))
            plate.blit(meaning, (32 + left, 12 + number * step))
        pygame.draw.rect(plate, _INK, plate.get_rect(), width=1)
        surface.blit(plate, plate.get_rect(center=surface.get_rect().center))


def _picture(surface: Any, pixels: NDArray[np.uint8], place: Rectangle) -> None:
    """Scale a picture by an integer directly into its place; a window that is too small shows the middle."""
    small = pygame.image.frombuffer(pixels.tobytes(), (pixels.shape[1], pixels.shape[0]), "RGB")
    small = small.convert(surface)
    target = pygame.Rect(place)
    if surface.get_rect().contains(target):
        pygame.transform.scale(small, target.size, surface.subsurface(target))
    else:
        surface.blit(pygame.transform.scale(small, target.size), target)


def _outline(surface: Any, cell: Any, line: int, colour: Any, around: Sequence[bool], corners: Sequence[bool]) -> None:
    """Draw the sides of a cell that have no neighbour (above, right, below, left), and corners that turn inwards.

    `corners` are the neighbours over a corner: above right, below right, below left, above left.
    """
    left, top, width, height = cell
    right, low = left + width - line, top + height - line
    sides = ((left, top, width, line), (right, top, line, height), (left, low, width, line), (left, top, line, height))
    turns = ((right, top), (right, low), (left, low), (left, top))
    for side in range(4):
        following = (side + 1) % 4
        if not around[side]:
            surface.fill(colour, sides[side])
        elif around[following] and not corners[side]:
            surface.fill(colour, (*turns[side], line, line))
