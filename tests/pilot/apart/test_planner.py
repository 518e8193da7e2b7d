"""A planner in another process: the console never waits for it, and each piece locks where it was meant to."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import EmubotError, UsageError
from emubot.games.strength import Strength
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.pilot.apart.link import Link, LinkClosed
from emubot.pilot.apart.mind import ApartMind
from emubot.pilot.apart.process import Desk
from emubot.pilot.apart.wire import Ask, Begin, Order, Ready, Refused, Reply, line_of, order_of, reply_of
from emubot.pilot.doubts import Doubts
from emubot.pilot.piece_in_play import PieceControl, PieceInPlay
from emubot.pilot.scorekeeper import LATE, Scorekeeper
from emubot.pilot.skill import Skill
from emubot.pilot.tally import Tally
from emubot.rammap import load_map
from emubot.snapshot import Phase, Piece, Placement

MAPS = ("nes_tetris_usa", "demo_pairs", "demo_capsules")
pytestmark = pytest.mark.jit


class Frames:
    """The frames of a test, and whether the compiled kernels are there."""

    def __init__(self) -> None:
        self.number = 0
        self.compiled = False
        self.links: list[DelayedLink] = []
        self.taken_over = 0

    def is_compiled(self) -> bool:
        return self.compiled

    def is_near(self) -> bool:
        return self.number >= 300

    def take_over(self) -> None:
        self.taken_over += 1


class DelayedLink(Link):
    """Answers as the process does, some frames later, or ends."""

    def __init__(self, frames: Frames, compiled: bool, delay: Callable[[], int | None]) -> None:
        self.compiled, self.closed, self.asked = compiled, False, list[Ask]()
        self.started_at, self.begun_at = frames.number, -1
        self._frames, self._delay = frames, delay
        self._replies: deque[tuple[int, Reply | None]] = deque()
        self._desk: Desk | None = None
        frames.links.append(self)

    def tell(self, order: Order) -> None:
        order = order_of(line_of(order))
        if isinstance(order, Begin):
            self._desk, self.begun_at = Desk(order), self._frames.number
            self._replies.append((self._frames.number + 5, Ready()))
        elif isinstance(order, Ask):
            assert self._desk is not None
            self.asked.append(order)
            delay = self._delay()
            answer = None if delay is None else reply_of(line_of(self._desk.answer(order)))
            self._replies.append((self._frames.number + (delay or 0), answer))

    def reply(self, patience: float | None) -> Reply | None:
        if not self._replies or (patience is not None and patience < 1 and self._replies[0][0] > self._frames.number):
            return None
        reply = self._replies.popleft()[1]
        if reply is None:
            raise LinkClosed
        return reply

    def close(self) -> None:
        self.closed = True


def played(
    ram_map: str,
    frames: Frames,
    delay: Callable[[], int | None],
    pieces: int,
    paced: bool = True,
    bridge: type[SimulatedBridge] = SimulatedBridge,
    link: type[DelayedLink] = DelayedLink,
) -> Pilot:
    """Play on a simulated console."""
    edition = games.open_edition(load_map(ram_map))
    assert edition.simulator is not None
    console = bridge(edition.simulator.machine(np.random.default_rng(1)))

    def linked(compiled: bool) -> Link:
        return link(frames, compiled, delay)

    mind = ApartMind(None, Strength(nodes=0), paced, frames.is_compiled, frames.take_over, linked, frames.is_near)
    pilot = Pilot(console, Goal(pieces), edition, Skill(strength=Strength(nodes=0)), mind)
    while not pilot.finished:
        pilot.step()
        frames.number += 1
        if frames.number == 500:
            frames.compiled = True
        assert frames.number < 60_000
    return pilot


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("ram_map", "latest"), [*((ram_map, latest) for ram_map in MAPS for latest in (0, 2, 9)), ("nes_tetris_usa", 70)]
)
def test_late_answers_misplace_nothing(ram_map: str, latest: int) -> None:
    rng, frames = random.Random(latest), Frames()
    pilot = played(ram_map, frames, lambda: rng.randint(0, latest), pieces=14)
    assert (pilot.tally.pieces, pilot.tally.misplaced, pilot.tally.replans) == (14, 0, 0)
    assert frames.taken_over == 1
    first, second = frames.links
    assert (first.compiled, first.closed, second.compiled, second.closed) == (False, True, True, False)
    assert second.started_at < 500 <= second.begun_at, "it starts while the last kernels are compiled"
    if latest:
        assert max(ask.wait for ask in first.asked) >= 2, "a late answer is asked for again, for a later frame"


def test_a_bridge_without_a_pace_waits_and_plays_as_in_one_process() -> None:
    edition = games.open_edition(load_map("nes_tetris_usa"))
    assert edition.simulator is not None
    bridge = SimulatedBridge(edition.simulator.machine(np.random.default_rng(1)))
    here = Pilot(bridge, Goal(40), edition, Skill(strength=Strength(nodes=0)))
    here.run()
    frames = Frames()
    apart = played("nes_tetris_usa", frames, lambda: 3, pieces=40, paced=False)
    assert (apart.tally.score, apart.tally.lines, apart.frames) == (here.tally.score, here.tally.lines, here.frames)
    assert apart.tally.nodes == here.tally.nodes


def test_a_piece_without_an_answer_just_falls() -> None:
    frames, delays, pressed = Frames(), iter([0, 0, 10_000]), list[int]()

    class Watched(SimulatedBridge):
        def press(self, port: int, pad: Pad) -> None:
            if pad:
                pressed.append(frames.number)
            super().press(port, pad)

    pilot = played("demo_pairs", frames, lambda: next(delays), pieces=3, bridge=Watched)
    assert (pilot.tally.pieces, pilot.tally.misplaced) == (3, 0)
    assert len(frames.links[0].asked) == 3
    assert frames.number - max(pressed) > 100


def test_a_process_that_ends_is_started_again() -> None:
    frames, ends = Frames(), iter([0, 0, None, 0, None])
    pilot = played("nes_tetris_usa", frames, lambda: next(ends, 0), pieces=12)
    assert (pilot.tally.pieces, pilot.tally.misplaced) == (12, 0)
    assert len(frames.links) == 4, "the first, two in its place, and that of compiled kernels"
    assert frames.number < 4_000, "no piece just fell"


def test_a_process_that_ends_before_it_takes_over_is_closed_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = Frames()
    reply = DelayedLink.reply

    def ends_once(self: DelayedLink, patience: float | None) -> Reply | None:
        if self.compiled and len(frames.links) == 2:
            raise LinkClosed
        return reply(self, patience)

    monkeypatch.setattr(DelayedLink, "reply", ends_once)
    pilot = played("nes_tetris_usa", frames, lambda: 0, pieces=18)
    assert (pilot.tally.misplaced, frames.taken_over) == (0, 1)
    assert [link.closed for link in frames.links] == [True, True, False]


def test_compiled_kernels_are_loaded_before_they_may_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame would wait for it: up to half a second."""
    loaded: list[int] = []
    edition = type(games.open_edition(load_map("demo_pairs")))
    monkeypatch.setattr(edition, "kernels", lambda self: [("all", lambda: loaded.append(1))])
    frames = Frames()
    played("demo_pairs", frames, lambda: 0, pieces=1)
    assert loaded == [1]
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    played("demo_pairs", frames, lambda: 0, pieces=1)
    assert loaded == [1], "uncompiled ones would run for seconds"


@pytest.mark.parametrize(("thinking", "misplaced"), [(True, 0), (False, 1)])
def test_a_piece_that_fell_and_locked_unseen_had_no_place_to_miss(thinking: bool, misplaced: int) -> None:
    tally, edition = Tally(), games.open_edition(load_map("nes_tetris_usa"))
    score, planner = Scorekeeper(Goal(), tally, edition.summary), SimpleNamespace(thinking=thinking)
    nothing: Any = None
    control = PieceControl(planner, nothing, score, Doubts(edition.ram_map, tally), nothing)  # type: ignore[arg-type]
    control.landings.use(edition)
    snapshot = replace(edition.decoder()(bytes(2048)), playfield=np.zeros((20, 10), dtype=np.uint8))
    control.piece = PieceInPlay(snapshot, chosen=None if thinking else Placement(1, 5, 17))
    control.leave(replace(snapshot, phase=Phase.CLEARING))
    for _ in range(LATE + 1):
        control.landings.hold_up(replace(snapshot, phase=Phase.PLAYING, current=Piece(1, 5, 0)), plans=True)
    assert (tally.pieces, tally.misplaced) == (1, misplaced)


def test_a_process_that_always_ends_is_said_in_a_sentence() -> None:
    with pytest.raises(EmubotError, match="The process that plans has ended several times: start emubot again"):
        played("nes_tetris_usa", Frames(), lambda: None, pieces=5)


def test_what_the_search_cannot_do_is_refused_with_its_own_exit_code() -> None:
    class Refusing(DelayedLink):
        def reply(self, patience: float | None) -> Reply | None:
            return Refused(sentence="The weights are of another game.", exit_code=2)

    edition = games.open_edition(load_map("nes_tetris_usa"))
    assert edition.simulator is not None
    bridge = SimulatedBridge(edition.simulator.machine(np.random.default_rng(1)))
    frames = Frames()
    mind: Any = ApartMind(
        None, Strength(nodes=0), True, frames.is_compiled, link=lambda compiled: Refusing(frames, compiled, lambda: 0)
    )
    pilot = Pilot(bridge, Goal(5), edition, Skill(strength=Strength(nodes=0)), mind)
    with pytest.raises(EmubotError, match="The weights are of another game") as refused:
        pilot.run()
    assert refused.value.exit_code == 2


def test_compiled_kernels_that_never_come_are_given_up() -> None:
    """The game goes on two pieces deep, and no further process is started."""

    class Broken(DelayedLink):
        def reply(self, patience: float | None) -> Reply | None:
            if self.compiled:
                raise LinkClosed
            return super().reply(patience)

    frames = Frames()
    frames.compiled = True
    pilot = played("nes_tetris_usa", frames, lambda: 0, pieces=14, link=Broken)
    assert (pilot.tally.pieces, pilot.tally.misplaced, frames.taken_over) == (14, 0, 0)
    assert [link.compiled for link in frames.links] == [False, True, True, True]


def test_a_process_that_stands_still_counts_as_ended() -> None:
    """Where its answer is waited for, a game would else stand still with it."""

    waited: list[float | None] = []

    class Still(DelayedLink):
        def reply(self, patience: float | None) -> Reply | None:
            waited.append(patience)
            return None

    with pytest.raises(EmubotError, match="has ended several times"):
        played("nes_tetris_usa", Frames(), lambda: 0, pieces=1, paced=False, link=Still)
    assert waited == [60.0] * 3


def test_a_strength_that_the_search_cannot_have_is_refused_before_it_is_needed() -> None:
    """Not only when compiled kernels take over, in the middle of a game."""
    edition = games.open_edition(load_map("nes_tetris_usa"))
    assert edition.simulator is not None
    bridge = SimulatedBridge(edition.simulator.machine(np.random.default_rng(1)))
    frames, sent = Frames(), list[Begin]()

    class Told(DelayedLink):
        def tell(self, order: Order) -> None:
            assert isinstance(order, Begin)
            sent.append(order)

    mind = ApartMind(
        None, Strength(nodes=0), True, frames.is_compiled, link=lambda compiled: Told(frames, compiled, int)
    )
    Pilot(bridge, Goal(5), edition, Skill(strength=Strength(nodes=0, aggression=0.9)), mind)
    with pytest.raises(UsageError, match="know no price of death: leave out --aggression"):
        Desk(sent[0])


def test_only_the_first_piece_of_all_waits_for_the_process_to_start() -> None:
    """Else a game in which pieces fall at once would be lost before the bot has begun."""
    waited: list[float | None] = []

    class Starting(DelayedLink):
        def reply(self, patience: float | None) -> Reply | None:
            waited.append(patience)
            return super().reply(None if patience == 5.0 else patience)

    def link(compiled: bool) -> Link:
        return Starting(frames, compiled, lambda: 3)

    frames, edition = Frames(), games.open_edition(load_map("nes_tetris_usa"))
    assert edition.simulator is not None
    bridge = SimulatedBridge(edition.simulator.machine(np.random.default_rng(1)))
    mind = ApartMind(None, Strength(nodes=0), True, frames.is_compiled, link=link, waits_for_start=True)
    pilot = Pilot(bridge, Goal(3), edition, Skill(strength=Strength(nodes=0)), mind)
    while not pilot.finished:
        pilot.step()
        frames.number += 1
    assert waited.index(5.0) == 0
    assert waited.count(5.0) == 1
    assert pilot.tally.misplaced == 0
