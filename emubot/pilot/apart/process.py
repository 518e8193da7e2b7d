"""The process that plans for a pilot: orders come in, answers go out; it ends with its orders, and presses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from emubot import games
from emubot.errors import EmubotError
from emubot.jit.sources import leaves_uncompiled
from emubot.pad import Pad
from emubot.pilot.apart.wire import Answer, Ask, Begin, Between, Prepare, Ready, Refused, Reply, Way, order_of, place_of
from emubot.pilot.planner import PlannedPlacement, Planner
from emubot.pilot.skill import Skill
from emubot.pilot.tally import Tally
from emubot.rammap import parse_map
from emubot.snapshot import Phase, Placement, Snapshot
from emubot.systems.signals import leave_to_parent
from emubot.weights import load_weights


def serve(lines: Iterable[bytes], reply: Callable[[Reply], object]) -> None:
    """Plan until there are no more lines. Signals to the pilot's whole group are the pilot's."""
    leave_to_parent()
    desk: Desk | None = None
    if not leaves_uncompiled():
        from emubot.jit import kernels  # noqa: F401 - loads numba, which it will need, before it is told anything
    for line in lines:
        order = order_of(line)
        if isinstance(order, Begin):
            try:
                desk = Desk(order)
            except EmubotError as refusal:
                reply(Refused(sentence=str(refusal), exit_code=refusal.exit_code))
                return
            reply(Ready())
        elif isinstance(order, Ask) and desk is not None:
            reply(desk.answer(order))
        elif isinstance(order, Prepare) and desk is not None:
            desk.prepare()
        elif isinstance(order, Between) and desk is not None:
            desk.between(order.ram)


class Desk:
    """Plans for one player of one edition."""

    def __init__(self, begin: Begin) -> None:
        ram_map = parse_map(begin.ram_map, begin.name)
        edition = games.open_edition(replace(ram_map, sha1=begin.sha1, path=Path(begin.name)))
        weights = None if begin.weights is None else load_weights(begin.weights)
        skill = Skill(weights, begin.tempo, begin.strength, begin.ahead, begin.variety)
        self._tally = Tally()
        self._plan: PlannedPlacement | None = None
        self._planner = Planner(begin.facts, self._tally, skill.variety)
        self._planner.use(edition, skill)
        if begin.wanted != begin.strength:
            replace(skill, strength=begin.wanted).mind(edition)  # which raises what it cannot do
        self._decode, self._predict = edition.decoder(begin.player), edition.predict
        if not leaves_uncompiled():
            for _, load, *_ in edition.kernels():  # no frame may wait for it once this process is asked
                load()

    def answer(self, ask: Ask) -> Answer:
        """Returns the plan."""
        self._tally.pieces, before = ask.piece, self._tally.nodes
        pads = (*map(Pad, ask.pads), *[Pad.NONE] * ask.wait)
        snapshot = self._decode(ask.ram)
        diverted = None if ask.diverted is None else Placement(*ask.diverted)
        self._plan = plan = self._planner.plan(snapshot, pads, ask.input_state, diverted, ask.shown)
        preview = None
        if plan is not None and ask.preview:
            preview = self._planner.preview(plan.ahead, plan.placement)
        ahead = self._ahead(snapshot, pads) if plan is None else plan.ahead
        return Answer(
            number=ask.number,
            way=None if plan is None else Way.of(plan.placement),
            at=None if ahead.phase is not Phase.PLAYING or ahead.current is None else place_of(ahead.current),
            preview=None if preview is None else place_of(preview),
            nodes=self._tally.nodes - before,
            milliseconds=self._tally.decision_ms[-1] if plan is not None else 0.0,
        )

    def prepare(self) -> None:
        """Begin to prepare what may come after the last plan."""
        if self._plan is not None:
            self._planner.prepare(self._plan)

    def between(self, ram: bytes) -> None:
        """Prepare what may come after this frame between two pieces."""
        self._planner.prepare_between(self._decode(ram))

    def _ahead(self, snapshot: Snapshot, pads: tuple[Pad, ...]) -> Snapshot:
        return self._predict(snapshot, pads[1:])
