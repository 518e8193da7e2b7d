"""Chooses the pad of each frame that moves a piece to its placement; knows timing, no emulator and no game."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from emubot.human_error import Hands
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement, Step
from emubot.tempo import InputState, Tempo

_USUAL: Final = Buttons.model_validate(
    {"left": "LEFT", "right": "RIGHT", "rotate_clockwise": "A", "rotate_counterclockwise": "B", "start": "START"}
)
ANYWHERE: Final = -1  # a move's orientation if the effect of the input is not known yet: any effect is accepted
_PATIENCE: Final = 12  # frames that an input may take to show, in addition to the bridge's latency


class Steering:
    """Plays one placement, one pad per frame, and checks whether the piece is where the plan expects it.

    A timeline is played frame by frame. `latency` is the bridge's: the effect of a pad shows that many frames later
    than at latency 0, so a frame is compared with the step whose pad the game has really used. Moves without a timeline
    are sent one by one, each after the one before has shown its effect. Then the hard drop is tapped if there is one,
    otherwise the soft drop is held, or the piece is tapped down row by row. `buttons` are the game's buttons. Each pad
    stays for `press` frames at least. `hands` press a timeline in their own way; without them each pad is as planned.
    """

    def __init__(
        self,
        tempo: Tempo,
        latency: int = 0,
        buttons: Buttons = _USUAL,
        press: int = 1,
        hands: Hands | None = None,
    ) -> None:
        self._tempo = tempo
        self._latency = latency
        self._drops = _Drops(*(pad or Pad.NONE for pad in (buttons.soft_drop, buttons.hard_drop, buttons.step_down)))
        # The soft drop is free: not an input edge. Plain integers, because flags are slow where a frame takes
        # microseconds.
        turns = [buttons.rotate_clockwise, buttons.rotate_counterclockwise, buttons.hard_drop, buttons.hold]
        turns += [] if buttons.soft_drop else [buttons.step_down]
        self._shifts = int(buttons.left) | int(buttons.right)
        self._turns = sum({int(pad) for pad in turns if pad})
        self._start = buttons.start
        self.hands = hands
        self._steps: tuple[Step, ...] = ()
        self._pads: Sequence[Pad] = ()  # that are pressed for the steps
        self._after_lock: deque[Pad] = deque()
        self._sent = 0
        self._feeler: _Feeler | None = None
        self._held = Pad.NONE
        self._since_shift = self._since_turn = tempo.period
        self._in_control = 0
        self._press, self._steady = press, press  # frames for which the pad has not changed, `press` at most

    def set_tempo(self, tempo: Tempo) -> None:
        """Press at this tempo from now on."""
        self._tempo = tempo

    def input_state(self) -> InputState:
        """Returns the state of the inputs before the next frame."""
        reaction = self._tempo.reaction - self._in_control
        gap = self._tempo.period - 1
        rest, turn_rest = gap - self._since_shift, gap - self._since_turn
        if not self._tempo.das:  # taps: shifts and rotations share one limit
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
        """Drop the placement; the next pads are empty until `follow` is called."""
        self._steps, self._pads, self._sent, self._feeler = (), (), 0, None
        self._after_lock.clear()

    def lose_track(self) -> None:
        """Drop the placement, because the piece is elsewhere; a person has to see that first."""
        if self.hands is not None:
            self._in_control = 0
        self.forget()

    def follow(
        self, placement: Placement, linger: int = 0, after_lock: Sequence[Pad] = (), gently: bool = False
    ) -> None:
        """Follow a placement whose timeline, or first move, begins with the next pad.

        After moves the piece falls `linger` rows by itself before it is dropped, so that a learner can measure its
        fall; `gently` leaves out the hard drop, after which nothing tells where the piece was last. `after_lock` are
        the pads from the lock to the next spawn, for `between_pad`.
        """
        self._steps, self._sent = placement.timeline, 0
        self._pads = [step.pad for step in self._steps]
        if self.hands is not None and self._pads:
            self._pads = self.hands.press(self._pads, self._held, self._drops.held)
        self._after_lock = deque(after_lock)
        drops = self._drops._replace(at_once=Pad.NONE) if gently else self._drops
        patience = _PATIENCE + self._latency + self._press - 1
        self._feeler = None if placement.timeline else _Feeler(placement.moves, patience, linger, drops)

    def agrees(self, piece: Piece) -> bool:
        """Returns whether the piece is where the inputs should have put it; call it once per frame."""
        if self._feeler is not None:
            return self._feeler.read(piece)
        index = self._sent - self._latency - 1
        if index < 0:
            return True
        if index >= len(self._steps):
            return False
        step = self._steps[index]
        return step.column == piece.column and step.row == piece.row and step.orientation == piece.orientation

    def foresees(self, piece: Piece) -> bool:
        """Returns whether a timeline has the piece here in this frame."""
        return self._feeler is None and self.active and self.agrees(piece)

    @property
    def is_over(self) -> bool:
        """Whether the game has used all pads of a timeline: by the plan the piece has locked."""
        return bool(self._steps) and self._sent - self._latency > len(self._steps)

    def next_pad(self, piece: Piece) -> Pad:
        """Returns the pad for the next frame; `piece` is where it is now. NONE after the end of the timeline."""
        pad = Pad.NONE
        if self._feeler is not None:
            input_state = self.input_state()
            ready = max(input_state.rest, input_state.turn_rest) == 0
            if self._press > 1:
                ready = ready and not self._held and self._steady == self._press
            pad = self._feeler.pad(piece, ready)
        elif self._sent < len(self._pads):
            pad = self._pads[self._sent]
        self._sent += 1
        self._in_control += 1
        return self._give(pad)

    def idle_pad(self, pad: Pad = Pad.NONE) -> Pad:
        """Returns a pad for a frame without a piece under control: nothing, or a menu's tap."""
        return self._give(pad)

    @property
    def pausing(self) -> bool:
        """Whether the plan has a START before the next spawn: one to pause, or one to end a pause."""
        return self._start in self._after_lock

    @property
    def pauses_next(self) -> bool:
        """Whether the next pad between a lock and a spawn is a START of the plan."""
        return bool(self._after_lock) and self._after_lock[0] is self._start

    def between_pad(self) -> Pad:
        """Returns the pad for a frame between a lock and the next spawn. A START of the plan counts as an edge."""
        pad = self._give(self._after_lock.popleft() if self._after_lock else Pad.NONE)
        if pad:
            self._since_shift = self._since_turn = 0
        return pad

    def _give(self, pad: Pad) -> Pad:
        if self._press > 1:
            pad = self._kept(pad)
        pressed = int(pad) & ~int(self._held) if pad != self._held else 0
        self._since_shift = 0 if pressed & self._shifts else min(self._since_shift + 1, self._tempo.period)
        self._since_turn = 0 if pressed & self._turns else min(self._since_turn + 1, self._tempo.period)
        self._held = pad
        return pad

    def _kept(self, pad: Pad) -> Pad:
        """Returns the pad, or the one before as long as that must last."""
        if pad != self._held and self._steady < self._press:
            pad = self._held
        self._steady = min(self._steady + 1, self._press) if pad == self._held else 1
        return pad


class _Drops(NamedTuple):
    """The buttons that bring a piece down: held, at once, one row a press; NONE for what there is not."""

    held: Pad
    at_once: Pad
    by_rows: Pad


class _Feeler:
    """Sends one input, waits for its effect, sends the next; then drops. Rows are not compared: the piece falls."""

    def __init__(self, moves: tuple[Step, ...], patience: int, linger: int, drops: _Drops) -> None:
        """`patience` is how many frames an input may take to show."""
        self._moves = moves
        self._linger = linger
        self._done_at: int | None = None  # the row in which the last move was done
        self._patience, self._drops = patience, drops
        self._done = 0
        self._before: tuple[int, int] | None = None  # where the piece was at the last input, until its effect shows
        self._waited = 0
        self._dropped = False

    def read(self, piece: Piece) -> bool:
        """Returns whether the piece moved as planned; False if an input had another effect, or none for too long."""
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
        """Returns the pad for the next frame; `ready` is true if the tempo allows an input."""
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
        drops = self._drops
        if not drops.at_once:
            return drops.held or (drops.by_rows if ready else Pad.NONE)
        if self._dropped or not ready:
            return Pad.NONE
        self._dropped = True
        return drops.at_once
