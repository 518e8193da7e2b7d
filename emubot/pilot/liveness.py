"""Decides whether RAM is that of a running game: trust, lag frames, pauses not in the map; knows no bridge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from emubot.snapshot import Phase, Snapshot

_TRUST: Final = 8  # consecutive valid frames with a moving game counter before the first button is pressed
_STILL: Final = 90  # more frames of play than this without any movement are a pause that the map does not know
_FRAMES_APART: Final = 8  # a bridge that is not in lock step may skip a few frames

Advanced = Callable[[Snapshot, Snapshot], bool]


class Pulse:
    """Follows the frames of one player. Call `phase`, then `lagged`, once for every frame."""

    def __init__(self, counter: str | None, advanced: Advanced) -> None:
        """`counter` is the map's `game_counter`. `advanced` is the family's test of whether the game advanced."""
        self._name = counter
        self._advanced = advanced
        self.forget()

    def forget(self) -> None:
        """Forget all frames so far; trust starts at zero again."""
        self._counter: int | None = None
        self._trust = 0
        self._still = 0

    @property
    def trusted(self) -> bool:
        """Whether enough frames were valid for buttons to be pressed."""
        return self._trust >= _TRUST

    def phase(self, before: Snapshot | None, snapshot: Snapshot) -> Phase:
        """Returns the map's phase, or PAUSED if nothing has moved in play for longer than any piece can rest.

        `before` is the last frame of the game being played, or None outside a game.
        """
        moved = snapshot.phase is not Phase.PLAYING or before is None or self._advanced(before, snapshot)
        self._still = 0 if moved else self._still + 1
        return Phase.PAUSED if self._still > _STILL else snapshot.phase

    def lagged(self, before: Snapshot | None, snapshot: Snapshot, was_playing: bool) -> bool:
        """Returns whether this frame of play is a lag frame; also updates `trusted`.

        Before the game is trusted, a frame in which the counter does not move resets the trust.
        """
        known = snapshot.phase is not Phase.UNKNOWN
        if self._name is None:
            self._trust = min(self._trust + 1, _TRUST) if known else 0
            return False
        now, last = snapshot.counters[self._name], self._counter
        self._counter = now
        if not known:
            self._trust = 0
        elif not self.trusted:
            moved = last is not None and 0 < now - last <= _FRAMES_APART
            self._trust = self._trust + 1 if moved else 0
        elif was_playing and snapshot.phase is Phase.PLAYING and before is not None:
            return now == last or not self._advanced(before, snapshot)
        return False
