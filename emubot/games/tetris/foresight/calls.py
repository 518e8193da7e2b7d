"""The ways to time a lock and the next spawn, each with the piece that is drawn then; knows no RAM and no evaluation.

Frames are counted from the frame of the decision. START counts as an input edge: the tempo limits it like the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from emubot.games.tetris.foresight.draws import GeneratorState, draws
from emubot.games.tetris.foresight.spawns import LONGEST_WAIT, Wait
from emubot.pad import Pad
from emubot.snapshot import Placement
from emubot.tempo import InputState, Tempo

_LONGEST_PAUSE: Final = 240  # frames: within these, each piece that can be drawn next is drawn in some frame
_EDGES: Final = Pad.LEFT | Pad.RIGHT | Pad.A | Pad.B


class Call(NamedTuple):
    """A placement with its timeline, the frames of START for a pause, the frame of the next spawn, and what is drawn.

    `piece` is an index in rules.PIECE_NAMES.
    """

    placement: Placement
    starts: tuple[int, ...]
    spawn: int
    piece: int

    @property
    def after_lock(self) -> tuple[Pad, ...]:
        """The pads of the frames after the lock, to that of the spawn."""
        frames = range(len(self.placement.timeline) + 1, self.spawn + 1)
        return tuple(Pad.START if frame in self.starts else Pad.NONE for frame in frames)


class Caller:
    """Finds the calls of one decision."""

    def __init__(self, generator: GeneratorState, input_state: InputState, tempo: Tempo, longest: int) -> None:
        """`generator` is that of the decision's frame; no timeline has more than `longest` frames."""
        self._coming = draws(generator, longest + LONGEST_WAIT + _LONGEST_PAUSE)
        self._input_state, self._period = input_state, tempo.period

    def calls(self, ways: Sequence[tuple[Placement, Wait]]) -> dict[int, Call]:
        """Returns a call for each piece within reach after these ways to one lock; without a pause if possible."""
        found: dict[int, Call] = {}
        for way, wait in ways:
            spawn = len(way.timeline) + wait.spawn
            piece = self._coming[spawn]
            if piece not in found:
                found[piece] = Call(way, (), spawn, piece)
        for way, wait in ways[:1]:
            for call in self._with_pause(way, wait):
                found.setdefault(call.piece, call)
        return found

    def _with_pause(self, way: Placement, wait: Wait) -> Iterator[Call]:
        locked, free = len(way.timeline), self._free_from(way)
        start = next((locked + frame for frame in wait.starts if locked + frame >= free), None)
        if start is None:
            return
        for resumed in range(start + self._period, start + _LONGEST_PAUSE):
            spawn = wait.spawn_after(resumed)
            yield Call(way, (start, resumed), spawn, self._coming[spawn])

    def _free_from(self, way: Placement) -> int:
        """Returns the first frame after the last input of a way in which the tempo allows another edge."""
        held, free = self._input_state.held, 1 + max(self._input_state.rest, self._input_state.turn_rest)
        for frame, step in enumerate(way.timeline, start=1):
            if step.pad & ~held & _EDGES:
                free = frame + self._period
            held = step.pad
        return free
