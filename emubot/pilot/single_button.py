"""One button's change a frame: timelines for bridges whose wire carries no more; knows no emulator and no game."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise, repeat
from typing import Final

from emubot.pad import Pad
from emubot.snapshot import Phase, Placement, Snapshot, Step

Predict = Callable[[Snapshot, Sequence[Pad]], Snapshot]

_MOST: Final = 1200  # frames of one placement: more than 20 rows take at the slowest gravity
_BUTTONS: Final = tuple(button for button in Pad if button)  # directions first
_ORDERS: Final = (_BUTTONS, _BUTTONS[::-1])


def spread(placement: Placement, ahead: Snapshot, held: Pad, period: int, predict: Predict) -> Placement:
    """The same placement by a timeline in which no frame changes more than one button, if there is one.

    `ahead` is the snapshot in which the first pad is chosen, `held` the pad of the frame before it, `period` the
    tempo's frames from one input to the next. A shift and a rotation of one frame become two inputs; a button that
    gives way to another is let go a frame earlier. The way is followed frame by frame with `predict`, the game's own:
    if it ends in another lock (a tuck that would come too late), the placement comes back as it was.
    """
    pads = [step.pad for step in placement.timeline]
    if all((one ^ other).bit_count() <= 1 for one, other in pairwise([held, *pads])):
        return placement
    for order in _ORDERS:
        steps = _followed(list(_single(pads, held, period, order)), ahead, predict)
        last = steps[-1]
        if (last.orientation, last.column, last.row) == (placement.orientation, placement.column, placement.row):
            return dataclasses.replace(placement, timeline=tuple(steps))
    return placement


def _followed(pads: Sequence[Pad], ahead: Snapshot, predict: Predict) -> list[Step]:
    """Where these pads take the piece, frame by frame to its lock; what is held at the end is held on."""
    steps: list[Step] = []
    snapshot = ahead
    for pad in chain(pads, repeat(pads[-1], _MOST)):
        snapshot = predict(snapshot, [pad])
        if (piece := snapshot.current) is not None:
            steps.append(Step(pad, piece.orientation, piece.column, piece.row))
        if snapshot.phase is not Phase.PLAYING:
            break
    return steps


def _single(pads: Sequence[Pad], held: Pad, period: int, order: Sequence[Pad]) -> Iterator[Pad]:
    """The pads with frames put in, so that each differs from the one before in one button at most.

    Of inputs in one frame those come first that are first in `order`.
    """
    now, rested = held, period  # the pad of the last frame; frames since the last input (DOWN is none)
    for before, pad, after in zip([held, *pads], pads, [*pads[1:], Pad.NONE], strict=False):
        frames = 0
        new = pad & ~before
        for button in order:  # what is over
            if button in now and button not in pad & before:
                now, rested, frames = now & ~button, rested + 1, frames + 1
                yield now
        for button in order:
            if button not in new:
                continue
            for tapped in order:  # one tap ends before the next begins
                if tapped in now & new and tapped not in after | Pad.DOWN:
                    now, rested = now & ~tapped, rested + 1
                    yield now
            while button is not Pad.DOWN and rested < period - 1:
                rested += 1
                yield now
            now, rested, frames = now | button, rested + 1 if button is Pad.DOWN else 0, frames + 1
            yield now
        if not frames:
            rested += 1
            yield now
