"""The only import of pygame, with a remedy if it is missing, and whether there is a display to open a window on."""

from __future__ import annotations

import os
from typing import Final

from emubot.errors import UsageError
from emubot.extras import WINDOW
from emubot.systems.desktop import has_display

# Without these, pygame prints a greeting on stdout, which is for results, and SDL handles SIGINT and SIGTERM itself.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")

try:
    import pygame
    from pygame._sdl2 import controller
except ImportError as missing:
    raise UsageError(WINDOW.refusal(missing)) from missing

_UNSEEN: Final = ("dummy", "offscreen")  # drivers that SDL takes where there is no display: nobody sees what they draw
_CHOSEN: Final = ("SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER")

__all__ = ["check_display", "controller", "no_window", "open_display", "pygame"]


def no_window(reason: object) -> UsageError:
    """Returns the error for a window that cannot be opened."""
    return UsageError(f"No window can be opened here ({reason}): take --view board or --view web.")


def open_display() -> None:
    """Initialise pygame.display. Raises UsageError without a display, unless the user chose a driver without one."""
    chosen = any(os.environ.get(name) for name in _CHOSEN)
    if not has_display() and not chosen:  # SDL would try one after the other, and they print what they miss
        raise no_window("there is no display")
    try:
        pygame.display.init()
    except pygame.error as failure:
        raise no_window(failure) from failure
    if pygame.display.get_driver() in _UNSEEN and not chosen:
        pygame.display.quit()
        raise no_window("there is no display")


def check_display() -> None:
    """Raise UsageError if no window could be opened."""
    open_display()
    pygame.display.quit()
