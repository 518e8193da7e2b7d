"""Matches spread over processes: where each goes, that orders find it, and what a process that dies takes with it."""

from __future__ import annotations

import asyncio
from typing import Any, TypeAlias

import pytest

from emubot.arena import match_pool
from emubot.arena.match_pool import BUSY, MatchPool
from emubot.arena.orders import Close, Open, ToMatch, ToProcess, Warm
from emubot.arena.request import Do, MatchRequest, SideRequest
from emubot.rammap import RamMap
from emubot.session.readiness import FULL

FAILED = "not compiled: the bot thinks less far, and the next start tries again"


class FakeLink:
    """A process that notes what it is told."""

    made: list[FakeLink]

    def __init__(self, on_frame: Any, on_event: Any, compiled: bool, pace: float) -> None:
        self.on_event, self.compiled, self.runs = on_event, compiled, False
        self.orders: list[ToProcess] = []
        self.inputs: list[int] = []
        FakeLink.made.append(self)

    def start(self) -> None:
        self.runs = True

    def tell(self, message: ToProcess) -> None:
        self.start()
        self.orders.append(message)

    def put(self, match: int, message: bytes) -> None:
        self.inputs.append(match)

    def close(self) -> None:
        self.runs = False


class FakeMaking:
    """A compilation that does not begin, and whose end the test says."""

    failed, progress, is_off = False, None, False

    def __init__(self, compiled: set[str]) -> None:
        self._compiled = compiled

    @property
    def ready(self) -> bool:
        return "pairs" in self._compiled


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The games that are compiled: all of them, until a test says otherwise."""
    made = {"blocks", "pairs", "capsules"}
    monkeypatch.setattr(match_pool, "_is_compiled", made.__contains__)
    return made


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch, compiled: set[str]) -> Pool:
    """A pool, its links (the first one is that of uncompiled kernels), and what it tells."""
    FakeLink.made = []
    monkeypatch.setattr(match_pool, "LATER", 0.0)
    monkeypatch.setattr(match_pool, "MatchLink", FakeLink)
    monkeypatch.setattr("emubot.session.making.Making.start", lambda ram_map: FakeMaking(compiled))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    told: list[dict[str, Any]] = []
    return MatchPool(lambda number, frame: None, told.append), FakeLink.made, told


Pool: TypeAlias = tuple[MatchPool, list[FakeLink], list[dict[str, Any]]]


PAUSE = ToMatch(match=BUSY + 1, order=Do(type="pause"))


PAIRS = MatchRequest(sides=(SideRequest(game="pairs"), SideRequest(game="pairs", bot="easy")))


def begin(pool: MatchPool, number: int, request: MatchRequest = PAIRS) -> None:
    pool.begin(Open(match=number, request=request, seed=1), request)


def homes(links: list[FakeLink]) -> list[list[int]]:
    return [[order.match for order in link.orders if isinstance(order, Open)] for link in links]


def test_the_second_process_begins_when_the_first_is_busy_and_then_they_share(pool: Pool) -> None:
    made, links, _ = pool
    for number in range(1, 2 * BUSY + 3):
        begin(made, number)
    _, first, second = homes(links)
    assert first[:BUSY] == list(range(1, BUSY + 1))
    assert abs(len(first) - len(second)) <= 1


def test_orders_and_inputs_follow_the_match_and_end_with_it(pool: Pool) -> None:
    made, links, _ = pool
    for number in range(1, BUSY + 2):
        begin(made, number)
    made.tell(PAUSE)
    made.put(BUSY + 1, b"")
    assert PAUSE in links[2].orders
    assert [link.inputs for link in links] == [[], [], [BUSY + 1]]
    close = ToMatch(match=BUSY + 1, order=Close())
    made.tell(close)
    made.put(BUSY + 1, b"")
    made.tell(PAUSE)
    assert links[2].inputs == [BUSY + 1]
    assert links[2].orders[-1] == close


def test_a_process_that_dies_takes_its_own_matches_only(pool: Pool) -> None:
    made, links, told = pool
    for number in range(1, BUSY + 2):
        begin(made, number)
    links[2].on_event({"event": "crashed"})
    assert [(words["event"], words.get("match")) for words in told] == [("crashed", None), ("failed", BUSY + 1)]
    begin(made, 99)
    assert homes(links)[2][-1] == 99


def test_the_first_process_is_the_one_that_opens_a_match_at_once(pool: Pool, compiled: set[str]) -> None:
    made, links, _ = pool
    made.open()
    made.look()
    assert [(link.compiled, link.runs) for link in links] == [(False, True), (True, True), (True, False)]
    assert links[1].orders == [Warm(games=("blocks", "pairs", "capsules"))]
    begin(made, 1)
    assert homes(links) == [[1], [], []]
    links[1].on_event({"event": "loaded"})
    begin(made, 2)
    assert homes(links) == [[1], [2], []]


def test_until_all_is_compiled_matches_go_to_the_quick_process(pool: Pool, compiled: set[str]) -> None:
    made, links, _ = pool
    compiled.clear()
    made.open()
    assert [link.runs for link in links] == [True, False, False]
    begin(made, 1)
    compiled.add("blocks")
    made.look()
    assert links[1].orders == [Warm(games=("blocks",))], "it is loaded before a match needs it"
    begin(made, 2)
    compiled.update({"pairs", "capsules"})
    made.look()
    begin(made, 3)
    assert homes(links) == [[1, 2, 3], [], []], "a match that would wait for the other process is opened at once"
    links[1].on_event({"event": "loaded"})
    begin(made, 4)
    assert homes(links)[1] == [4]


def test_the_quick_process_ends_with_its_last_match(pool: Pool, compiled: set[str]) -> None:
    made, links, _ = pool
    compiled.clear()
    made.open()
    for number in (1, 2):
        begin(made, number)
    compiled.update({"blocks", "pairs", "capsules"})
    made.look()
    links[1].on_event({"event": "loaded"})
    for number in (1, 2):
        made.look()
        assert links[0].runs
        made.tell(ToMatch(match=number, order=Close()))
    made.look()
    assert not links[0].runs
    begin(made, 3)
    assert homes(links)[1] == [3]


def test_a_family_that_cannot_play_uncompiled_waits_in_the_other_process(
    pool: Pool, compiled: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, links, _ = pool
    compiled.clear()
    made.open()
    monkeypatch.setattr(match_pool, "_plays_uncompiled", lambda name: name != "pairs")
    begin(made, 1)
    assert homes(links) == [[], [1], []]


def test_what_is_said_of_a_match_until_its_bots_are_at_full_strength(pool: Pool, compiled: set[str]) -> None:
    made, links, told = pool
    compiled.clear()
    two = MatchRequest(sides=(SideRequest(game="pairs", bot="easy"), SideRequest(game="pairs", bot="full")))
    begin(made, 1, two)
    made.look()
    assert told == [], "it is not open yet"
    links[0].on_event({"event": "opened", "match": 1})
    made.look()
    made.look()
    assert told[1:] == [{"event": "readiness", "match": 1, "words": "warming up"}]
    for words in ([], [FULL]):
        links[0].on_event({"event": "full", "match": 1, "map": "demo_pairs"})
        made.look()
        assert [one["words"] for one in told[2:]] == words
    made.tell(ToMatch(match=1, order=Close()))
    begin(made, 2, MatchRequest(sides=(SideRequest(game="pairs"),)))
    links[0].on_event({"event": "opened", "match": 2})
    made.look()
    assert len(told) == 4, "a person alone waits for nothing"


def test_a_compilation_that_failed_is_said_and_tried_again(
    pool: Pool, compiled: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, links, told = pool
    compiled.clear()
    started: list[FakeMaking] = []

    def start(ram_map: RamMap) -> FakeMaking:
        started.append(FakeMaking(compiled))
        return started[-1]

    monkeypatch.setattr("emubot.session.making.Making.start", start)
    for number in (1, 2):
        begin(made, number)
        links[0].on_event({"event": "opened", "match": number})
    assert len(started) == 1, "two matches of a game compile it once"
    started[0].failed = True
    made.look()
    assert {one["words"] for one in told if one["event"] == "readiness"} == {FAILED}
    begin(made, 3)
    links[0].on_event({"event": "opened", "match": 3})
    assert len(started) == 2


@pytest.mark.slow
def test_a_real_process_that_is_killed_says_so_and_the_next_match_has_a_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_pool, "_is_compiled", lambda game: False)
    told: list[dict[str, Any]] = []

    async def story() -> None:
        opened = asyncio.Event()

        def hear(words: dict[str, Any]) -> None:
            told.append(words)
            if words["event"] in ("opened", "failed"):
                opened.set()

        made = MatchPool(lambda number, frame: None, hear, pace=4.0)
        for number in (1, 2):
            opened.clear()
            begin(made, number)
            await asyncio.wait_for(opened.wait(), 120)
            if number == 1:
                opened.clear()
                process = made._links[0]._process
                assert process is not None
                process.kill()
                await asyncio.wait_for(opened.wait(), 20)
        made.close()

    asyncio.run(story())
    said = [(words["event"], words.get("match")) for words in told if words["event"] in ("opened", "failed")]
    assert said == [("opened", 1), ("failed", 1), ("opened", 2)]
