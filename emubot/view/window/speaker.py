"""Plays samples as they come and never waits.

pygame's mixer plays one piece of sound and queues one more, without a gap between them. Further samples wait in a small
ring. If the ring is full, the oldest samples are dropped. If it runs empty, there is silence until two pieces have
come.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from numpy.typing import NDArray

from emubot.view.window.sdl import pygame

_MIXED_AT_ONCE: Final = 256  # samples; a piece is a multiple of this, else the mixer would leave a gap behind it
_PIECES_A_SECOND: Final = 40  # a piece is longer than a frame, so one check per frame is enough
_MOST_PIECES: Final = 4  # in the ring: at most 0.1 seconds behind the picture
_START_PIECES: Final = 2
_MOMENT_BYTES: Final = 4


class NoSound(Exception):
    """There is no audio device; the text is the system's reason."""


class Speaker:
    """The machine's loudspeaker for int16 (samples, 2) at `rate` samples per second. Raises NoSound."""

    def __init__(self, rate: float) -> None:
        if not 4000 <= rate <= 400_000:
            raise NoSound(f"the core announces {rate:.0f} samples a second")
        try:
            with _silent_stderr():
                # Use the exact rate: the system's mixer resamples it, so the ring neither fills nor runs empty.
                pygame.mixer.init(frequency=round(rate), size=-16, channels=2, buffer=_MIXED_AT_ONCE, allowedchanges=0)
        except pygame.error as failure:
            raise NoSound(str(failure)) from failure
        self.muted = False
        self.played = 0  # samples passed to the mixer
        self._piece = max(1, round(rate / _PIECES_A_SECOND / _MIXED_AT_ONCE)) * _MIXED_AT_ONCE * _MOMENT_BYTES
        self._ring = bytearray()
        pygame.mixer.set_num_channels(1)
        self._channel = pygame.mixer.Channel(0)

    def feed(self, samples: NDArray[Any], emu_speed: float | None = 1.0) -> None:
        """Play these after the earlier ones; every second sample at double speed, silence at unlimited speed."""
        if self.muted or emu_speed is None:
            self._ring.clear()
            return
        self._ring += samples[:: max(1, round(emu_speed))].tobytes()
        surplus = len(self._ring) - _MOST_PIECES * self._piece
        if surplus > 0:
            del self._ring[:surplus]
        if not self._channel.get_busy():
            if len(self._ring) >= _START_PIECES * self._piece:
                self._channel.play(self._next())
                self._channel.queue(self._next())
        elif self._channel.get_queue() is None and len(self._ring) >= self._piece:
            self._channel.queue(self._next())

    def close(self) -> None:
        """Release the audio device."""
        pygame.mixer.quit()

    def _next(self) -> Any:
        piece = bytes(self._ring[: self._piece])
        del self._ring[: self._piece]
        self.played += len(piece) // _MOMENT_BYTES
        return pygame.mixer.Sound(buffer=piece)


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Silence file 2 (stderr), where sound libraries print their own errors if there is no device."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no stderr, as in programs without a terminal
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)
