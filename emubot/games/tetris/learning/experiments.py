"""Experiments that press buttons on a falling-block cartridge: held shifts and turns, the wait on the ground, the fall.

Each is a generator: it yields the pad for the next frame and is sent that frame's memory. It needs a map that states
the pieces. Knows no emulator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Final, TypeVar

from emubot.learn import LONGEST, GaveUp, Script, ScriptedPlay
from emubot.pad import Pad
from emubot.snapshot import Phase
from emubot.text import counted

T = TypeVar("T")

_STILL: Final = 40  # frames without a change, after which a held button does nothing more
_PIECES: Final = 6  # pieces that an experiment uses at most
_AGREED: Final = 3  # of them that must agree
_TAPS: Final = 2  # in each direction


class TetrisExperiments(ScriptedPlay):
    """The experiments for one player. `run` is the script of all of them; the results are added to a report."""

    def run(self) -> Script:
        """Run all experiments in turn; one that does not reach its situation is noted as unseen."""
        yield from self._run(
            (
                ("timing.das_initial", "what a held direction does", self._shifts),
                ("timing.rotate_delay", "what a held turn button does", self._turns),
                ("timing.lock_delay", "how long a piece waits on the ground", self._rests),
                ("timing.gravity", "the fall of every level", self._levels),
            )
        )

    def _shifts(self) -> Script:
        """Tap, then hold a direction from wall to wall, on a board that is low at first."""
        left, right = self._map.buttons.left, self._map.buttons.right
        seen: list[tuple[int, int]] = []
        single = 0
        yield from self._lose()
        for _ in range(_PIECES):
            yield from self._next_piece()
            for _ in range(_TAPS):
                yield from self._tap(right)
                yield from self._tap(left)
            yield from self._held(right)
            moves = yield from self._held(left)
            single += len(moves) == 1
            if len(moves) > 2:
                seen.append((moves[1] - moves[0], moves[2] - moves[1]))
            if (agreed := _agreed(seen)) is not None:
                initial, period = agreed
                remark = f"a direction held by {counted(len(seen), 'piece')}"
                self._made.add("timing", "das_initial", initial, remark)
                self._made.add(
                    "timing", "das_reset", max(initial - period, 0), f"{remark}: then every {counted(period, 'frame')}"
                )
                break
        self._delay("shift_delay", self._clock.shift_delay, "direction")
        if "das_initial" not in self._made.timing:
            if single < _AGREED:
                raise GaveUp
            self._made.notes.append("shifts: a held direction does not repeat")

    def _turns(self) -> Script:
        """Hold a turn button."""
        buttons = self._map.buttons
        turn = buttons.rotate_clockwise or buttons.rotate_counterclockwise
        if turn is None:
            return
        seen: list[int] = []  # frames from a turn to the next, 0 for never
        for _ in range(_PIECES * 2):
            yield from self._next_piece()
            yield from self._frame()
            moves = yield from self._held(turn)
            seen += [moves[1] - moves[0] if len(moves) > 1 else 0] if moves else []
            if _agreed(seen) is not None:
                break
        self._delay("rotate_delay", self._clock.rotate_delay, "turn button")
        period = _agreed(seen)
        if period is None:
            raise GaveUp
        does = f"turns again after {counted(period, 'frame')}" if period else "does not repeat"
        self._made.notes.append(f"turns: a held turn button {does}")

    def _delay(self, name: str, frames: int | None, what: str) -> None:
        if frames is not None:
            self._made.add("timing", name, frames, f"presses of a {what}")

    def _held(self, pad: Pad) -> Generator[Pad, bytes, list[int]]:
        """Hold a button until nothing changes any more; returns the frames, from 0, of each shift or turn."""
        moves: list[int] = []
        before = self._piece[:2]
        since = frame = 0
        while since < _STILL and self._now is not None:
            yield from self._frame(pad)
            if self._now.phase is not Phase.PLAYING or self._now.current is None:
                break
            now = self._piece[:2]
            if now != before:
                moves.append(frame)
                since = 0
            before, frame, since = now, frame + 1, since + 1
        yield from self._press(Pad.NONE)
        return moves

    def _rests(self) -> Script:
        """Let pieces fall and lock with nothing pressed."""
        seen: list[tuple[int, int]] = []  # frames from the ground to the lock, of the last row before
        for _ in range(_PIECES):
            yield from self._next_piece()
            fall, rest = yield from self._landing()
            seen += [(rest, fall)] if fall else []
            if _agreed(seen) is not None:
                break
        agreed = _agreed(seen)
        if agreed is None:
            raise GaveUp
        rest, fall = agreed
        if rest == fall:
            self._made.notes.append(
                f"lock: on the ground a piece locks when it would fall next, after {counted(rest, 'frame')}"
            )
        else:
            # The frame in which it came to the ground counts too.
            self._made.add(
                "timing", "lock_delay", rest + 1, f"{counted(len(seen), 'piece')} on the ground with nothing pressed"
            )

    def _landing(self) -> Generator[Pad, bytes, tuple[int, int]]:
        """Wait for the lock; returns the frames of the last whole row that fell (0: none), and those from there."""
        falls: list[int] = []
        row, since = self._piece[2], 0
        for _ in range(LONGEST):
            yield from self._frame()
            since += 1
            if self._now is None or self._now.phase is not Phase.PLAYING or self._now.current is None:
                frames = [after - before for before, after in pairwise(falls)]
                return (frames[-1] if frames else 0), since
            if self._piece[2] != row:
                falls.append(self._frames)
                row, since = self._piece[2], 0
        raise GaveUp


def _agreed(seen: Sequence[T]) -> T | None:
    """Returns what enough observations agree on, None if there is nothing yet."""
    best, count = Counter(seen).most_common(1)[0] if seen else (None, 0)
    return best if count >= _AGREED else None
