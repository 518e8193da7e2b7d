"""Frames of Pad that carry a piece to its Placement; knows timing, not emulators and not games."""

from __future__ import annotations

from typing import Final

from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement, Step
from emubot.tempo import InputState, Tempo

_USUAL: Final = Buttons.model_validate(
    {"left": "LEFT", "right": "RIGHT", "rotate_clockwise": "A", "rotate_counterclockwise": "B", "start": "START"}
)
ANYWHERE: Final = -1  # a move's orientation where nobody knows yet what the input does: only that it was sent matters
_PATIENCE: Final = 12  # frames that an input may take to show, beside the bridge's latency


class Steering:
    """Plays one placement, one pad a frame, and says whether the piece is where the placement's plan put it.

    A timeline is played frame by frame. `latency` is the bridge's: a pad given now shows its effect that many frames
    later than it would at latency 0, so a frame is compared with the step whose pad the game has really used. Moves
    without a timeline are sent one by one, each after the one before is seen to have worked; then the soft drop is
    held, or the hard drop tapped where there is one. `buttons` says which buttons do that.
    """

    def __init__(self, tempo: Tempo, latency: int = 0, buttons: Buttons = _USUAL) -> None:
        self._tempo = tempo
        self._latency = latency
        self._drops = (buttons.soft_drop or Pad.NONE, buttons.hard_drop or Pad.NONE)
        # The soft drop is free: no input edge. Plain numbers, for flags are slow where a frame takes microseconds.
        turns = (buttons.rotate_clockwise, buttons.rotate_counterclockwise, buttons.hard_drop)
        self._shifts = int(buttons.left) | int(buttons.right)
        self._turns = sum({int(pad) for pad in turns if pad})
        self._steps: tuple[Step, ...] = ()
        self._sent = 0
        self._feeler: _Feeler | None = None
        self._held = Pad.NONE
        self._since_shift = self._since_turn = tempo.period
        self._in_control = 0

    def set_tempo(self, tempo: Tempo) -> None:
        """Press at this tempo from now on."""
        self._tempo = tempo

    def input_state(self) -> InputState:
        """What the pad holds as the next one is chosen."""
        reaction = self._tempo.reaction - self._in_control
        gap = self._tempo.period - 1
        rest, turn_rest = gap - self._since_shift, gap - self._since_turn
        if not self._tempo.das:  # taps: one clock for both
            rest = turn_rest = max(rest, turn_rest)
        return InputState(self._held, max(reaction, rest, 0), max(reaction, turn_rest, 0))

    @property
    def active(self) -> bool:
        """Whether a placement is being followed."""
        return bool(self._steps) or self._feeler is not None

    def new_piece(self) -> None:
        """A piece came under control: reaction time starts."""
        self._in_control = 0
        self.forget()

    def forget(self) -> None:
        """Drop the placement; the next pads are empty until another is followed."""
        self._steps, self._sent, self._feeler = (), 0, None

    def follow(self, placement: Placement, linger: int = 0) -> None:
        """Take up a placement whose timeline, or first move, begins with the next pad.

        After moves the piece falls `linger` rows by itself before it is dropped, for somebody who measures its fall.
        """
        self._steps, self._sent = placement.timeline, 0
        self._feeler = None if placement.timeline else _Feeler(placement.moves, self._latency, linger, *self._drops)

    def agrees(self, piece: Piece) -> bool:
        """Whether the piece is where the inputs that took effect should have put it; once for each frame."""
        if self._feeler is not None:
            return self._feeler.read(piece)
        index = self._sent - self._latency - 1
        if index < 0:
            return True
        if index >= len(self._steps):
            return False
        step = self._steps[index]
        return step.column == piece.column and step.row == piece.row and step.orientation == piece.orientation

    def next_pad(self, piece: Piece) -> Pad:
        """The pad for the next frame, the piece being there now; NONE when the timeline is over."""
        pad = Pad.NONE
        if self._feeler is not None:
            input_state = self.input_state()
            pad = self._feeler.pad(piece, ready=max(input_state.rest, input_state.turn_rest) == 0)
        elif self._sent < len(self._steps):
            pad = self._steps[self._sent].pad
        self._sent += 1
        self._in_control += 1
        return self._give(pad)

    def idle_pad(self, pad: Pad = Pad.NONE) -> Pad:
        """A pad outside control: nothing, or a menu's tap."""
        return self._give(pad)

    def _give(self, pad: Pad) -> Pad:
        pressed = int(pad) & ~int(self._held) if pad != self._held else 0
        self._since_shift = 0 if pressed & self._shifts else min(self._since_shift + 1, self._tempo.period)
        self._since_turn = 0 if pressed & self._turns else min(self._since_turn + 1, self._tempo.period)
        self._held = pad
        return pad


class _Feeler:
    """One input, what it did, the next; then the drop. Expects no rows of moves: the piece falls meanwhile."""

    def __init__(self, moves: tuple[Step, ...], latency: int, linger: int, soft_drop: Pad, hard_drop: Pad) -> None:
        self._moves = moves
        self._linger = linger
        self._done_at: int | None = None  # the row in which the last move was done
        self._patience = _PATIENCE + latency
        self._soft_drop, self._hard_drop = soft_drop, hard_drop
        self._done = 0
        self._before: tuple[int, int] | None = None  # where the piece was when an input was sent that has not shown yet
        self._waited = 0
        self._dropped = False

    def read(self, piece: Piece) -> bool:
        """Whether the piece did what the moves say; False if an input did something else, or nothing for too long."""
        here = (piece.orientation, piece.column)
        if self._before is None:
            last = self._moves[self._done - 1] if self._done else None
            return last is None or last.orientation == ANYWHERE or here == (last.orientation, last.column)
        self._waited += 1
        move = self._moves[self._done]
        if here == self._before and self._waited <= self._patience:
            return True
        worked = move.orientation == ANYWHERE or here == (move.orientation, move.column)
        self._done += 1
        self._before = None
        return worked

    def pad(self, piece: Piece, ready: bool) -> Pad:
        """The pad for the next frame; `ready` says that the tempo allows an input."""
        if self._before is not None:
            return Pad.NONE
        if self._done < len(self._moves):
            if not ready:
                return Pad.NONE
            self._before, self._waited = (piece.orientation, piece.column), 0
            return self._moves[self._done].pad
        self._done_at = piece.row if self._done_at is None else self._done_at
        if piece.row - self._done_at < self._linger:
            return Pad.NONE
        if not self._hard_drop:
            return self._soft_drop
        if self._dropped or not ready:
            return Pad.NONE
        self._dropped = True
        return self._hard_drop
