"""Frames of Pad that carry a piece to its Placement; knows timing, not emulators and not games."""

from __future__ import annotations

from emubot.pad import HORIZONTAL, Pad
from emubot.snapshot import Piece, Placement, Step
from emubot.tempo import Hands, Tempo

# DOWN is free: it does not count as an input edge. Plain numbers, for flags are slow where a frame takes microseconds.
_SHIFTS = int(HORIZONTAL)
_TURNS = int(Pad.A | Pad.B)


class Steering:
    """Plays one placement's timeline, one pad a frame, and says whether the piece is where the timeline put it.

    `latency` is the bridge's: a pad given now shows its effect that many frames later than it would at latency 0, so a
    frame is compared with the step whose pad the game has really used.
    """

    def __init__(self, tempo: Tempo, latency: int = 0) -> None:
        self._tempo = tempo
        self._latency = latency
        self._steps: tuple[Step, ...] = ()
        self._sent = 0
        self._held = Pad.NONE
        self._since_shift = self._since_turn = tempo.period
        self._in_control = 0

    def hands(self) -> Hands:
        """The hands as the next pad is chosen."""
        reaction = self._tempo.reaction - self._in_control
        gap = self._tempo.period - 1
        rest, turn_rest = gap - self._since_shift, gap - self._since_turn
        if not self._tempo.das:  # taps: one clock for both
            rest = turn_rest = max(rest, turn_rest)
        return Hands(self._held, max(reaction, rest, 0), max(reaction, turn_rest, 0))

    @property
    def active(self) -> bool:
        """Whether a placement is being followed."""
        return bool(self._steps)

    def new_piece(self) -> None:
        """A piece came under control: reaction time starts."""
        self._in_control = 0
        self.forget()

    def forget(self) -> None:
        """Drop the placement; the next pads are empty until another is followed."""
        self._steps, self._sent = (), 0

    def follow(self, placement: Placement) -> None:
        """Take up a placement whose timeline begins with the next pad."""
        self._steps, self._sent = placement.timeline, 0

    def agrees(self, piece: Piece) -> bool:
        """Whether the piece is where the steps that took effect say."""
        index = self._sent - self._latency - 1
        if index < 0:
            return True
        if index >= len(self._steps):
            return False
        step = self._steps[index]
        return step.column == piece.column and step.row == piece.row and step.orientation == piece.orientation

    def next_pad(self) -> Pad:
        """The pad for the next frame; NONE when the timeline is over."""
        pad = self._steps[self._sent].pad if self._sent < len(self._steps) else Pad.NONE
        self._sent += 1
        self._in_control += 1
        return self._give(pad)

    def idle_pad(self, pad: Pad = Pad.NONE) -> Pad:
        """A pad outside control: nothing, or a menu's tap."""
        return self._give(pad)

    def _give(self, pad: Pad) -> Pad:
        pressed = int(pad) & ~int(self._held) if pad != self._held else 0
        self._since_shift = 0 if pressed & _SHIFTS else min(self._since_shift + 1, self._tempo.period)
        self._since_turn = 0 if pressed & _TURNS else min(self._since_turn + 1, self._tempo.period)
        self._held = pad
        return pad
