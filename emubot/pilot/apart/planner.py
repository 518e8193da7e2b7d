"""Plans in another process, first with uncompiled kernels and then with compiled ones; nothing here waits for them.

A piece whose placement is not there yet just falls. Uncompiled, a decision takes some frames, and by then the piece is
elsewhere: so the way to its placement is asked for again, from where it will be some frames later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from emubot.bridges.protocol import BridgeFacts
from emubot.errors import EmubotError
from emubot.games.edition import Edition
from emubot.games.variety import Variety
from emubot.pad import Pad
from emubot.pilot.apart.link import Link, LinkClosed
from emubot.pilot.apart.wire import Answer, Ask, Begin, Between, Order, Prepare, Ready, Refused, place_of
from emubot.pilot.planner import PlannedPlacement, Planner
from emubot.pilot.skill import Skill
from emubot.pilot.tally import Tally
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState

if TYPE_CHECKING:
    from emubot.pilot.apart.mind import ApartMind

_PATIENCE: Final = 0.004  # seconds of a frame for an answer that was prepared
_START: Final = 5.0  # seconds of the first piece's first frame, in which the process may start
_FIRST_WAIT: Final = 2  # frames from a late answer to the begin of its way
_MOST_WAIT: Final = 180
_LOOK: Final = 20  # frames between two looks whether the kernels are compiled
_MOST_ENDS: Final = 3  # processes in a row that end without an answer
_STILL: Final = 60.0  # seconds without an answer that is waited for, after which the process counts as ended


class ApartPlanner(Planner):
    """Plans for one player in a process; a second process with compiled kernels takes over between two pieces."""

    def __init__(self, facts: BridgeFacts, tally: Tally, variety: Variety | None, mind: ApartMind, player: int) -> None:
        """Call `use` before the first plan, and `close` at the end."""
        super().__init__(facts, tally, variety)
        self._mind, self._player = mind, player
        self._link: Link | None = None
        self._next: Link | None = None  # of compiled kernels, until it takes over
        self._is_begun = self._is_full = False  # whether it was told what to plan, and whether it has taken over
        self._is_ready = False  # whether the process has answered anything
        self._ram = b""
        self._number = self._ends = self._failures = self._seen = 0
        self._asked: Ask | None = None  # which waits for its answer or its frame
        self._answer: Answer | None = None
        self._frames = 0  # since it was asked
        self._preview: Piece | None = None
        self._again = False  # the process ended, and the piece has no plan yet

    def use(self, edition: Edition, skill: Skill, mind: object = None) -> None:
        """Plan for this edition with this skill from now on. What it cannot do is raised in a frame to come."""
        del mind
        self._edition, self._skill = edition, skill
        if self._next is not None:
            self._next.close()
            self._next, self._is_begun = None, False
        self._open(self._is_full)

    def close(self) -> None:
        """End the processes."""
        for link in (self._link, self._next):
            if link is not None:
                link.close()
        self._link = self._next = None

    @property
    def thinking(self) -> bool:
        """Whether an answer, its frame or another process is waited for."""
        return self._asked is not None or self._again

    def new_piece(self) -> None:
        """Forget what was asked for an earlier piece; here compiled kernels take over."""
        self._asked = self._answer = None
        self._again = False
        if self._next is not None and self._is_begun and self._heard(self._next, 0.0):
            assert self._link is not None
            self._link.close()
            self._link, self._next, self._is_full = self._next, None, True
            self._mind.taken_over()

    def observe(self, ram: bytes) -> None:
        """Keep the frame, which is what the process gets to see; start that of compiled kernels in time."""
        self._ram, self._seen = ram, self._seen + 1
        if self._seen % _LOOK or self._is_full or self._is_begun or self._failures >= _MOST_ENDS:
            return
        if self._next is None and self._mind.is_nearly_compiled():
            self._next = self._mind.link(True)
        if self._next is not None and self._mind.is_compiled():
            self._next.tell(self._begin(True))
            self._is_begun = True

    def plan(
        self,
        snapshot: Snapshot,
        pads: Sequence[Pad],
        input_state: InputState,
        diverted: Placement | None,
        shown: bool = True,
    ) -> PlannedPlacement | None:
        """Returns the plan for the piece as `Planner.plan` does, or None while it is `thinking`."""
        self._frames += 1
        target = None if diverted is None else place_of(diverted)
        try:
            self._again = False
            if self._asked is None:
                self._ask(pads, input_state, target, shown, wait=0)
            return self._settled(snapshot, pads, input_state)
        except LinkClosed:
            self._ends += 1
            if self._ends >= _MOST_ENDS:
                raise EmubotError("The process that plans has ended several times: start emubot again.") from None
            self._open(self._is_full)
            self._again = True
            return None

    def prepare(self, plan: PlannedPlacement) -> None:
        """Let the process prepare what may come after the plan that it found last."""
        del plan
        if self._skill.ahead:
            self._tell(Prepare())

    def prepare_between(self, snapshot: Snapshot) -> None:
        """Let the process prepare what may come after this frame, if it prepares at all."""
        del snapshot
        if self._skill.ahead and self._asked is None:
            self._tell(Between(ram=self._ram))

    def preview(self, ahead: Snapshot, placement: Placement) -> Piece | None:
        """Returns the place planned for the next piece; uncompiled kernels have no time for it."""
        del ahead, placement
        return self._preview

    def _tell(self, order: Order) -> None:
        if self._link is not None:
            self._link.tell(order)

    def _settled(self, snapshot: Snapshot, pads: Sequence[Pad], input_state: InputState) -> PlannedPlacement | None:
        """Returns the plan if its answer is there and begins in this frame."""
        asked = self._asked
        assert asked is not None
        if self._answer is None:
            self._answer = self._heard_answer(asked)
        answer = self._answer
        if answer is None or (answer.way is not None and self._frames < asked.wait):
            return None
        self._asked = self._answer = None
        self._tally.nodes += answer.nodes
        if answer.way is None:
            return None
        ahead = self._edition.predict(snapshot, tuple(pads)[1:])
        begins_here = ahead.current is not None and place_of(ahead.current) == answer.at
        if self._frames > asked.wait or not begins_here:
            wait = min(max(self._frames if asked.wait else 0, _FIRST_WAIT), _MOST_WAIT)
            self._ask(pads, input_state, answer.way.place, asked.shown, wait)
            return None
        self._tally.decided(answer.milliseconds)
        self._preview = None if answer.preview is None else Piece(*answer.preview)
        return PlannedPlacement(answer.way.placement, ahead)

    def _ask(
        self,
        pads: Sequence[Pad],
        input_state: InputState,
        target: tuple[int, int, int] | None,
        shown: bool,
        wait: int,
    ) -> None:
        """Ask for a plan that begins after `wait` more frames."""
        self._number, self._frames = self._number + 1, 0
        self._asked = Ask(
            number=self._number,
            piece=self._tally.pieces,
            ram=self._ram,
            pads=tuple(map(int, pads)),
            held=int(input_state.held),
            rest=input_state.rest,
            turn_rest=input_state.turn_rest,
            diverted=target,
            shown=shown,
            wait=wait,
            preview=self._is_full,
        )
        if self._link is None:
            self._open(self._is_full)
        assert self._link is not None
        self._link.tell(self._asked)

    def _heard_answer(self, asked: Ask) -> Answer | None:
        """Returns the answer to what was asked. Compiled kernels, and a bridge without a pace, are waited for."""
        assert self._link is not None
        waits = self._is_full or not self._mind.paced
        while reply := self._link.reply(_STILL if waits else self._patience):
            if isinstance(reply, Refused):
                raise _refusal(reply)
            self._is_ready = True
            if isinstance(reply, Answer) and reply.number == asked.number:
                self._ends = 0
                return reply
        if waits:
            raise LinkClosed
        return None

    @property
    def _patience(self) -> float:
        """The seconds that a frame waits for an answer: long only before the first piece, while the process starts."""
        if self._mind.waits_for_start and not self._is_ready:
            return _START
        return 0.0 if self._frames else _PATIENCE

    def _heard(self, link: Link, patience: float | None) -> bool:
        """Returns whether a process that was started can be asked; one that ended is started again later."""
        try:
            reply = link.reply(patience)
        except LinkClosed:
            link.close()
            self._next, self._is_begun, self._failures = None, False, self._failures + 1
            return False
        if isinstance(reply, Refused):
            raise _refusal(reply)
        return isinstance(reply, Ready)

    def _open(self, compiled: bool) -> None:
        if self._link is not None:
            self._link.close()
        self._asked = self._answer = None
        self._link = self._mind.link(compiled)
        self._link.tell(self._begin(compiled))

    def _begin(self, compiled: bool) -> Order:
        from emubot.rammap.writing import map_text

        ram_map, skill = self._edition.ram_map, self._skill
        return Begin(
            ram_map=map_text(replace(ram_map, text=""), {}),  # remarks would take a fifth of a second
            name=str(ram_map.path),
            sha1=ram_map.sha1,
            weights=self._mind.weights,
            tempo=skill.tempo,
            strength=skill.strength if compiled else self._mind.at_once,
            wanted=skill.strength,
            variety=skill.variety,
            facts=self._facts,
            player=self._player,
            ahead=skill.ahead,
        )


def _refusal(refused: Refused) -> EmubotError:
    error = EmubotError(refused.sentence)
    error.exit_code = refused.exit_code
    return error
