"""Drops a piece and waits until the next one obeys the pad; knows no board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis
from emubot.discovery.lab import History, Lab
from emubot.discovery.pads import DropKind, Hand
from emubot.pad import Pad

_LONGEST: Final = 1500  # frames in which a piece must have come to rest
_CHUNK: Final = 16  # frames that are played before they are looked at
_MOST_SHIFTS: Final = 16  # columns to one side
_SETTLES: Final = 4  # frames after the last tap
_SHOWS: Final = 8  # frames after a press in which its effect must have come
_WAITS: Final = 260  # frames from a lock to a next piece that obeys; a game shows cleared rows meanwhile
_LOOKS: Final = 6  # frames from look to look
COPIED: Final = 2  # frames of the next piece in which a game has made all copies of its place


@dataclass(frozen=True, slots=True)
class Drop:
    """A piece that fell.

    `frames` go from its first tap to a frame soon after the next piece was seen to obey; `gone` is the frame in
    which its row went elsewhere, the first after the piece. `aside` is the frame before it was dropped, when it had
    been turned and moved. `landed` says whether `gone` shows it on the ground, where it was dropped at once.
    `next_state` is the moment of the last frame. Of the frames before the next piece was seen to obey, so many as
    `unlooked` may be its own already.
    """

    frames: History
    aside: int
    gone: int
    landed: bool
    next_state: bytes
    unlooked: int = 0

    @property
    def rested(self) -> History:
        """The last frame: the board has what fell, the next piece is in the air."""
        return self.frames[-1:]

    @property
    def moved(self) -> History:
        """The frame before it was dropped."""
        return self.frames[self.aside : self.aside + 1]

    @property
    def last(self) -> History:
        """The last frame of the piece."""
        return self.frames[self.gone - 1 : self.gone]


class GoneAstray(Exception):
    """The game did not go on as an experiment needs: it is over, or no next piece came."""


@dataclass(frozen=True, slots=True)
class Dropper:
    """Drops pieces of one game, whose column and row are known.

    `pause` are frames after a piece in which the next one never obeys; `lift` are rows that a turn may lift a piece.
    `beside` are further bytes that follow LEFT and RIGHT: where pieces drop at once, they may tell one piece from the
    next.
    """

    lab: Lab
    column: Axis
    row: Axis
    hand: Hand
    pause: int = 0
    lift: int = 0
    beside: tuple[Axis, ...] = ()

    @property
    def slow(self) -> Dropper:
        """One that lets pieces fall so that they are seen in the frame before they lock."""
        if self.hand.kind is not DropKind.AT_ONCE:
            return self
        return replace(self, hand=replace(self.hand, kind=DropKind.BY_ITSELF, drop=Pad.NONE))

    def drop(self, state: bytes, pads: Iterable[Pad] = (), finely: bool = False) -> Drop:
        """Play these pads, let the piece fall, and wait for the next one; `finely`: for its very first frame.

        Raises GoneAstray if that does not happen, or happens before the pads are played.
        """
        parts = [self.lab.replay(state, [*pads, *[Pad.NONE] * _SETTLES])]
        if self.row.jumps(parts[0], self.lift).any():
            raise GoneAstray
        count = len(parts[0])
        dropping = self.hand.dropping()
        before = parts[0][-1:]
        landed = False
        for _ in range(_LONGEST // _CHUNK):
            here = self.lab.save()
            pads = [next(dropping) for _ in range(_CHUNK)]
            both = np.concatenate([before, self.lab.play(pads)])
            at_once = self.hand.kind is DropKind.AT_ONCE
            far = self.row.falls_far(both) if at_once else self.row.leaps(both)
            others = self._moved_aside(both) if at_once else np.zeros(_CHUNK, np.bool_)
            gone = np.flatnonzero(far | others | self.row.jumps(both, self.lift))
            if gone.size:
                at = int(gone[0])
                landed = at_once and bool(far[at])
                parts.append(self.lab.replay(here, pads[: at + 1]))
                count += at
                break
            parts.append(both[1:])
            before, count = both[-1:], count + _CHUNK
        else:
            raise GoneAstray
        looks = 1 if finely else _LOOKS
        parts.append(self.lab.idle(self.pause))
        for look in range(_WAITS // looks):
            here = self.lab.save()
            if self.obeys(here):
                if not finely:
                    parts.append(self.lab.replay(here, [Pad.NONE] * COPIED))
                    here = self.lab.save()
                unlooked = looks - 1 if look else 0
                return Drop(np.concatenate(parts), len(parts[0]) - 1, count, landed, here, unlooked)
            parts.append(self.lab.replay(here, [Pad.NONE] * looks))
        raise GoneAstray

    def _moved_aside(self, images: History) -> NDArray[np.bool_]:
        """Returns for each image but the first whether the piece is elsewhere aside: no pad moved it, so it is another.

        It may have entered in the frame, and in the row, in which the one before dropped.
        """
        columns = [axis.index for axis in (self.column, *self.beside)]
        return np.asarray((images[1:, columns] != images[:-1, columns]).any(1), np.bool_)

    def obeys(self, state: bytes) -> bool:
        """Returns whether a piece is in its place and follows the pad at this moment: by a column, and in its way.

        A press that begins a game moves the piece, too, but not so.
        """
        waits = [Pad.NONE] * _SHOWS
        images = self.lab.replay(state, [Pad.NONE] * self.hand.press + waits)
        if self.row.jumps(images).any():  # it enters later, from where it was parked, or has locked
            return False
        still = int(images[-1, self.column.index])
        for way, columns in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
            pressed = self.lab.replay(state, [way] * self.hand.press + waits)
            gained = int(pressed[-1, self.column.index]) - still
            stays = not self.row.jumps(np.concatenate([images[:1], pressed])).any()
            if stays and (gained - columns * self.column.step) % 256 == 0:
                return True
        return False

    def tapped(self, button: Pad, times: int = 1) -> list[Pad]:
        """Returns the pads that tap a button so often."""
        return [*self.hand.taps(button, times)]

    def in_every_column(self, state: bytes, turning: Iterable[Pad] = ()) -> Mapping[int, Drop]:
        """Returns the drops of one piece by the columns that it was moved to the right, from wall to wall.

        `turning` are the pads before. Raises GoneAstray as `drop` does.
        """
        turning = list(turning)
        middle = self.drop(state, turning)
        drops = {0: middle}
        for way, sign in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
            for times in range(1, _MOST_SHIFTS + 1):
                moved = self.drop(state, [*turning, *self.tapped(way, times)])
                if self.column.since(middle.moved, moved.moved)[0] != sign * times:
                    break
                drops[sign * times] = moved
        return dict(sorted(drops.items()))
