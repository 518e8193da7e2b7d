"""The one import of pygame, quiet and with a remedy; knows nothing of what it is for."""

from __future__ import annotations

import os

from emubot.errors import UsageError

# Without these pygame greets on stdout, which belongs to results, and SDL takes SIGINT and SIGTERM for itself.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")

try:
    import pygame
    from pygame._sdl2 import controller
except ImportError as missing:
    raise UsageError('The window needs pygame-ce: pip install "emubot[window]", or take --view board.') from missing

__all__ = ["controller", "pygame"]
