"""The demo cartridge in a window on the stage, and what the tests do with it: press keys, look at what is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.bridges.libretro import LibretroBridge, connect
from emubot.demos import image
from tests.bridges.cores import require_core
from tests.view.stage import require_pygame

pygame: Any = require_pygame()

from emubot.view.window import Controls, Window  # noqa: E402


def started(name: str = "fceumm") -> LibretroBridge:
    bridge = connect(rom=image("tetris"), core=str(require_core(name)), emu_speed=None)
    for _ in range(30):
        bridge.advance()
    bridge.emu_speed = 1.0
    return bridge


def surface() -> NDArray[np.uint8]:
    """What the window shows: uint8 (height, width, 3)."""
    shown = pygame.display.get_surface()
    return np.ascontiguousarray(pygame.surfarray.array3d(shown).swapaxes(0, 1))


def enlarged(picture: NDArray[np.uint8], scale: int) -> NDArray[np.uint8]:
    return picture.repeat(scale, axis=0).repeat(scale, axis=1)


def key(code: int, down: bool = True) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=code))


def own_id() -> str:
    """The open window's name for the X server."""
    return str(pygame.display.get_wm_info()["window"])


def after(window: Window, *codes: int) -> Controls:
    """What the window says to these keys, pressed and let go."""
    for code in codes:
        key(code)
        key(code, down=False)
    return window.frame()


def quiet(window: Window) -> Window:
    """The window without the sentence it begins with."""
    window.say("")
    return window


def said_by(window: Window, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(window, "say", said.append)
    return said
