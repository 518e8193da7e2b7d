"""A window that shows pictures as fast as the game is played; draws with pygame (extra `window`), imported on use."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.extras import WINDOW

_SCALE: Final = 3


class Window:
    """Opens with the first picture. Raises UsageError, with the command that helps, if pygame is not there."""

    def __init__(self, title: str, rate: float) -> None:
        WINDOW.require()
        self._title, self._rate = title, rate
        self._screen: Any = None
        self._clock: Any = None

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Show a picture, (height, width, 3), and wait until it is time for the next one."""
        import pygame

        height, width, _ = picture.shape
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode((_SCALE * width, _SCALE * height))
            self._clock = pygame.time.Clock()
        large = picture.repeat(_SCALE, axis=0).repeat(_SCALE, axis=1)
        pygame.surfarray.blit_array(self._screen, large.swapaxes(0, 1))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close it. A closed window opens again with the next picture."""
        if self._screen is not None:
            import pygame

            pygame.display.quit()
            self._screen = None
