"""Timelines for bridges that can change only one button per frame, and the best placement that has one.

Knows no emulator and no game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise, repeat
from typing import Final

from emubot.games.thinking import Decision
from emubot.games.variety import LOST, Choose, Place
from emubot.pad import Pad
from emubot.snapshot import Phase, Placement, Snapshot, Step

Predict = Callable[[Snapshot, Sequence[Pad]], Snapshot]

_MOST_CANDIDATES: Final = 12  # tried at most: each costs a decision
_MOST: Final = 1200  # frames of one placement at most: more than a fall of 20 rows takes at the slowest gravity
_BUTTONS: Final = tuple(button for button in Pad if button)  # directions first
_ORDERS: Final = (_BUTTONS, _BUTTONS[::-1])


def spread(placement: Placement, ahead: Snapshot, held: Pad, period: int, predict: Predict) -> Placement | None:
    """Returns the same placement with a timeline that changes at most one button per frame; None if there is none.

    `ahead` is the snapshot in which the first pad is chosen, `held` the pad of the frame before it, `period` the
    tempo's frames from one input to the next. A shift and a rotation in one frame become two inputs. A button that is
    replaced by another is released a frame earlier. The new timeline is checked frame by frame with `predict`, the
    game's own. If it ends in another place, as a tuck that comes too late does, it is rejected.
    """
    pads = [step.pad for step in placement.timeline]
    if all((one ^ other).bit_count() <= 1 for one, other in pairwise([held, *pads])):
        return placement
    for order in _ORDERS:
        steps = _followed(list(_single(pads, held, period, order)), ahead, predict)
        last = steps[-1]
        if (last.orientation, last.column, last.row) == (placement.orientation, placement.column, placement.row):
            return dataclasses.replace(placement, timeline=tuple(steps))
    return None


def best_carried(
    decide_by: Callable[[Choose | None], Decision],
    choose: Choose | None,
    carried: Callable[[Placement], Placement | None],
) -> Decision:
    """Returns the decision of `choose` (None: the best) if the bridge can carry it, else the best that it can carry.

    `decide_by` makes a decision with a function that chooses among the candidates. `carried` returns a placement with a
    timeline that the bridge can carry, or None if there is none. Most tucks have none, because their inputs must come
    together. If no tried candidate has one, the first decision is returned unchanged. Other candidates are not tried if
    they lose the game.
    """
    candidates = 0

    def counting(places: Sequence[Place], values: Sequence[float]) -> int:
        nonlocal candidates
        candidates = len(values)
        return max(range(candidates), key=values.__getitem__) if choose is None else choose(places, values)

    first = decision = decide_by(counting)
    nodes, tried = first.nodes, set[tuple[int, int, int]]()
    ranks = iter(range(0 if choose is not None else 1, min(candidates, _MOST_CANDIDATES)))
    while decision.placement is not None:
        place = (decision.placement.orientation, decision.placement.column, decision.placement.row)
        way = None if place in tried else carried(decision.placement)
        tried.add(place)
        if way is not None:
            return dataclasses.replace(decision, placement=way, nodes=nodes)
        rank = next(ranks, None)
        if rank is None:
            break
        decision = decide_by(_nth(rank))
        nodes += decision.nodes
        if decision.value <= LOST:
            break
    return dataclasses.replace(first, nodes=nodes)


def _nth(rank: int) -> Choose:
    """Returns a chooser of the candidate of this rank by value, 0 being the best; of the last if there are fewer."""

    def choose(places: Sequence[Place], values: Sequence[float]) -> int:
        order = sorted(range(len(values)), key=lambda index: -values[index])
        return order[min(rank, len(order) - 1)]

    return choose


def _followed(pads: Sequence[Pad], ahead: Snapshot, predict: Predict) -> list[Step]:
    """Returns the steps of a piece under these pads, frame by frame to its lock; the last pad is repeated."""
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
    """Yields the pads with frames inserted, so that each differs from the one before in at most one button.

    Inputs of the same frame are sent in the sequence of `order`.
    """
    now, rested = held, period  # the pad of the last frame; frames since the last input (DOWN is not an input)
    for before, pad, after in zip([held, *pads], pads, [*pads[1:], Pad.NONE], strict=False):
        frames = 0
        new = pad & ~before
        for button in order:  # release first
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
