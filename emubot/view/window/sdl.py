"""The only import of pygame, without its greeting and with a remedy if it is missing; knows nothing of its use."""

from __future__ import annotations

import os

from emubot.errors import UsageError
from emubot.extras import WINDOW

# Without these, pygame prints a greeting on stdout, which is for results, and SDL handles SIGINT and SIGTERM itself.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")

try:
    import pygame
    from pygame._sdl2 import controller
except ImportError as missing:
    raise UsageError(WINDOW.refusal(missing)) from missing

__all__ = ["controller", "pygame"]
