"""Matches spread over processes: where each goes, that orders find it, and what a process that dies takes with it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from emubot.arena import match_pool
from emubot.arena.match_pool import BUSY, MatchPool
from emubot.arena.orders import Close, Open, ToMatch, ToProcess, Warm
from emubot.arena.request import Do, MatchRequest, SideRequest


class FakeLink:
    """A process that notes what it is told."""

    made: list[FakeLink]

    def __init__(self, on_frame: Any, on_event: Any, pace: float) -> None:
        self.on_event = on_event
        self.orders: list[ToProcess] = []
        self.inputs: list[int] = []
        FakeLink.made.append(self)

    def tell(self, message: ToProcess) -> None:
        self.orders.append(message)

    def put(self, match: int, message: bytes) -> None:
        self.inputs.append(match)

    def close(self) -> None:
        self.orders.clear()


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> tuple[MatchPool, list[FakeLink], list[dict[str, Any]]]:
    FakeLink.made = []
    monkeypatch.setattr(match_pool, "MatchLink", FakeLink)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    told: list[dict[str, Any]] = []
    return MatchPool(lambda number, frame: None, told.append), FakeLink.made, told


Pool = tuple[MatchPool, list[FakeLink], list[dict[str, Any]]]


PAUSE = ToMatch(match=BUSY + 1, order=Do(type="pause"))


def opening(number: int) -> Open:
    return Open(match=number, request=MatchRequest(sides=(SideRequest(game="pairs", bot="easy"),)), seed=1)


def homes(links: list[FakeLink]) -> list[list[int]]:
    return [[order.match for order in link.orders if isinstance(order, Open)] for link in links]


def test_the_second_process_begins_when_the_first_is_busy_and_then_they_share(pool: Pool) -> None:
    made, links, _ = pool
    for number in range(1, 2 * BUSY + 3):
        made.tell(opening(number))
    first, second = homes(links)
    assert first[:BUSY] == list(range(1, BUSY + 1))
    assert abs(len(first) - len(second)) <= 1


def test_orders_and_inputs_follow_the_match_and_end_with_it(pool: Pool) -> None:
    made, links, _ = pool
    for number in range(1, BUSY + 2):
        made.tell(opening(number))
    made.tell(PAUSE)
    made.put(BUSY + 1, b"")
    assert PAUSE in links[1].orders
    assert (links[0].inputs, links[1].inputs) == ([], [BUSY + 1])
    close = ToMatch(match=BUSY + 1, order=Close())
    made.tell(close)
    made.put(BUSY + 1, b"")
    made.tell(PAUSE)
    assert links[1].inputs == [BUSY + 1]
    assert links[1].orders[-1] == close


def test_a_process_that_dies_takes_its_own_matches_only(pool: Pool) -> None:
    made, links, told = pool
    for number in range(1, BUSY + 2):
        made.tell(opening(number))
    links[1].on_event({"event": "crashed"})
    assert [(words["event"], words.get("match")) for words in told] == [("crashed", None), ("failed", BUSY + 1)]
    made.tell(opening(99))
    assert homes(links)[1][-1] == 99


def test_what_belongs_to_no_match_goes_to_the_first(pool: Pool) -> None:
    made, links, _ = pool
    made.tell(Warm(games=("pairs",)))
    assert links[0].orders == [Warm(games=("pairs",))]


@pytest.mark.jit
def test_a_real_process_that_is_killed_says_so_and_the_next_match_has_a_new_one() -> None:
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
            made.tell(opening(number))
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
