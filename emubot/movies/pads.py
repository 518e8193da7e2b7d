"""What all movies share: pads from power-on, the frames between emulators, what is refused; knows no format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import TraceError, UsageError
from emubot.text import printable

# By the emulator's name: how many frames later than that emulator FCEUX reaches the same place after power-on. FCEUX
# and FCEUmm keep the picture unit off for two frames, Nestopia for one. From there on every byte of RAM was the same
# in every frame (measured: both demo cartridges, FCEUX 2.6.5, FCEUmm ec7a6271, Nestopia 1.52).
LATER: Final = {"FCEUmm": 0, "Nestopia": 1}

# The same for NesHawk, BizHawk's core; worked out from its source, never run: its first frame ends with the first
# vertical blank (`NewDeadPPU` in PPU.run.cs, with `ppudead` 1 in PPU.cs), and each later one begins with one, as in
# FCEUX, which counts two such frames (`ppudead` 2 in ppu.cpp).
LATER_THAN_NESHAWK: Final = 1


@dataclass(frozen=True, slots=True, eq=False)
class Movie:
    """A movie that was read.

    `pads` (frames, 2) uint8 are the Pad bits of both ports from power-on; FCEUX is in the same place `later` frames
    later. `md5` is of the cartridge's PRG and CHR, in upper case, or "". `hashes`, upper case, are MD5 and SHA-1 of
    which the movie does not say whether the file's header is in them.
    """

    pads: NDArray[Any]
    md5: str = ""
    hashes: frozenset[str] = frozenset()
    later: int = 0

    def pads_for(self, emulator: str) -> NDArray[Any]:
        """Returns the pads of each frame from power-on in the emulator of that name, (frames, 2) uint8."""
        core = next((later for name, later in LATER.items() if emulator.startswith(name)), 0)
        by = self.later - core
        return preceded(self.pads, by) if by > 0 else self.pads[-by:]


def preceded(pads: NDArray[Any], by: int) -> NDArray[Any]:
    """Returns the pads with `by` frames without a button before them."""
    return np.concatenate([np.zeros((by, 2), dtype=np.uint8), pads])


def without_first(pads: NDArray[Any], count: int, why: str) -> NDArray[Any]:
    """Returns the pads without the first `count` frames. Raises UsageError, with the reason, if one has a button."""
    pressed = np.flatnonzero(pads[:count].any(axis=1))
    if len(pressed):
        raise UsageError(f"Frame {pressed[0]} has a button, and {why}.")
    return pads[count:]


def check_pads(pads: NDArray[Any]) -> None:
    """Raise UsageError unless the pads are (frames, 2) uint8."""
    if pads.ndim != 2 or pads.shape[1] != 2 or pads.dtype != np.uint8:
        raise UsageError(f"A movie needs the pads as (frames, 2) bytes, not {pads.shape} of {pads.dtype}.")


def check_lines(texts: Sequence[str]) -> None:
    """Raise UsageError for a text of more than one line."""
    for text in texts:
        if len(text.splitlines()) > 1:
            raise UsageError(f"A line of a movie cannot hold {text!r}: leave out what breaks it.")


def refused(what: str, detail: str) -> TraceError:
    """Returns the error for a movie that a core with two pads on an NTSC console would play otherwise."""
    return TraceError(f"This movie {what} ({printable(detail, 40)}), and such a movie cannot be reviewed.")


def unreadable(number: int, line: str) -> TraceError:
    """Returns the error for a damaged frame."""
    return TraceError(f"Frame {number} of the movie cannot be read: {printable(line, 60)!r}.")
