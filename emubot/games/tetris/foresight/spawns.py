"""In which frame the next piece spawns after a lock, with and without a pause; knows no generator and no search.

Source: NES Tetris facts 3.2 and 3.3. Frames are counted from the frame in which the drop fails; a frame shows what it
does at its end.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from emubot.games.tetris.rules import ROWS

# From the frame in which the game is ready for the next piece, the playfield is copied to the screen four rows a frame.
# The piece spawns once that is done; a pause in these frames begins the copy anew.
_COPY: Final = ROWS // 4
_CHECKED_ROWS: Final = 4
_ANIMATION: Final = 17  # frames of a line clear, up to three more
_ANIMATED_EVERY: Final = 4  # the animation advances in every fourth frame of the frame counter
LONGEST_WAIT: Final = ROWS // 2 + _CHECKED_ROWS + _ANIMATION + _ANIMATED_EVERY + 2 * _COPY


class Wait(NamedTuple):
    """The frames from a lock to the next piece: `ready` is the first in which a pause costs nothing but its own time.

    A START in one of the `Wait.starts` and another `frames` later move the spawn to `_COPY` frames after the second.
    """

    ready: int

    @property
    def spawn(self) -> int:
        """The frame of the spawn without a pause."""
        return self.ready + _COPY

    @property
    def starts(self) -> range:
        """The frames in which START begins a pause."""
        return range(self.ready, self.ready + _COPY)

    def spawn_after(self, resumed: int) -> int:
        """Returns the frame of the spawn if a pause ends with START in frame `resumed`."""
        return resumed + _COPY


def wait_after(row: int, cleared: int, frame_counter: int) -> Wait:
    """Returns the wait after a lock with its pivot in `row`.

    `frame_counter` is the game's, in the frame of the lock.
    """
    copied = -(-(ROWS - max(0, row - 2)) // 4)  # frames of the copy that the lock waits for, before and after it
    checked = 2 * copied + _CHECKED_ROWS - 1
    if not cleared:
        return Wait(checked)
    return Wait(checked + _ANIMATION + -(frame_counter + checked) % _ANIMATED_EVERY)
