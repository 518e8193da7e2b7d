"""How a person's presses differ from planned ones: too early, too late, or missed; knows no game and no piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.pad import Pad
from emubot.text import printable

_MOST_FRAMES: Final = 30.0
_OPPOSITES: Final = int(Pad.LEFT | Pad.RIGHT), int(Pad.UP | Pad.DOWN)


@dataclass(frozen=True, slots=True)
class HumanError:
    """How a person's taps differ from planned ones: the standard deviation in frames, and the share that is missed."""

    frames: float
    missed: float

    def __str__(self) -> str:
        return f"{self.frames:g}:{self.missed:g}"


USUAL_ERROR: Final = HumanError(1.0, 0.01)  # our own choice; no measurement of people is known to us


def parse_human_error(text: str) -> HumanError:
    """Returns an error of `FRAMES`, `FRAMES:SHARE` or `usual`. Raises UsageError for anything else."""
    if text == "usual":
        return USUAL_ERROR
    frames, colon, missed = text.partition(":")
    try:
        error = HumanError(float(frames), float(missed) if colon else USUAL_ERROR.missed)
    except ValueError:
        error = HumanError(-1, 0)
    if not (0 <= error.frames <= _MOST_FRAMES and 0 <= error.missed <= 1):
        raise UsageError(
            f"A human error is FRAMES or FRAMES:SHARE, such as {USUAL_ERROR}, or usual, not {printable(text)!r}: the "
            f"standard deviation of a tap, 0 to {_MOST_FRAMES:g}, and the share of missed taps, 0 to 1."
        )
    return error


def taps_of(pads: Sequence[int], held: int, buttons: Iterable[Pad]) -> NDArray[np.int64]:
    """Returns the presses of these buttons: button, first frame, and frames, int64 (taps, 3); `held` is held before."""
    taps, shown = [], [held, *pads]
    for button in buttons:
        down = np.array([bool(pad & button) for pad in shown])
        begins = np.flatnonzero(down[1:] & ~down[:-1])
        for begin in begins.tolist():
            up = np.flatnonzero(~down[begin + 1 :])
            taps.append((int(button), begin, int(up[0]) if up.size else len(down) - 1 - begin))
    return np.array(taps, dtype=np.int64).reshape(-1, 3)


def kept(pads: Sequence[int], held: int, buttons: Iterable[Pad]) -> NDArray[np.int64]:
    """Returns the pads of those of these buttons that are held before and go on being held, int64 (len(pads),)."""
    going_on, down = np.zeros(len(pads), dtype=np.int64), held & sum(map(int, buttons))
    for frame, pad in enumerate(pads):
        down &= pad
        going_on[frame] = down
    return going_on


def made(taps: NDArray[np.int64], error: HumanError, rng: np.random.Generator, frames: int) -> NDArray[np.int64]:
    """Returns the pads of a person who makes these taps, int64 (frames,).

    Taps keep their order only by chance, and two of one button that meet are one. Of two opposite directions at once
    there is neither: one thumb presses them.
    """
    begins = np.maximum(np.rint(taps[:, 1] + rng.normal(0, error.frames, len(taps))).astype(np.int64), 0)
    hits = rng.random(len(taps)) >= error.missed
    pads = np.zeros(frames, dtype=np.int64)
    for (button, _, length), begin in zip(taps[hits].tolist(), begins[hits].tolist(), strict=True):
        pads[begin : begin + length] |= button
    return _by_one_thumb(pads)


def _by_one_thumb(pads: NDArray[np.int64]) -> NDArray[np.int64]:
    for both in _OPPOSITES:
        pads[pads & both == both] &= ~both
    return pads


class Hands:
    """The hands of a person with this error: presses planned pads, each tap in its own wrong way."""

    def __init__(self, error: HumanError, rng: np.random.Generator) -> None:
        self.error, self._rng = error, rng

    def press(self, pads: Sequence[Pad], held: Pad, free: Pad) -> list[Pad]:
        """Returns the pads that are pressed for planned ones, and after them those that come too late.

        `held` is held before. Buttons of `free` are pressed as planned: the soft drop, which nobody times.
        """
        buttons = [button for button in Pad if button & ~free]
        taps = taps_of(pads, held, buttons)
        late = int(np.ceil(6 * self.error.frames)) + 1
        pressed = made(taps, self.error, self._rng, len(pads) + late)
        pressed[: len(pads)] |= kept(pads, held, buttons)
        pressed = _by_one_thumb(pressed)
        planned = np.array([pad & free for pad in pads] + [Pad.NONE] * late, dtype=np.int64)
        return [Pad(pad) for pad in _by_one_thumb(pressed | planned).tolist()]
