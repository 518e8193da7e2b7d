"""Matches spread over processes: where each goes, that orders find it, and what a process that dies takes with it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from emubot.arena import match_pool
from emubot.arena.match_pool import BUSY, MatchPool


class FakeLink:
    """A process that notes what it is told."""

    made: list[FakeLink]

    def __init__(self, on_frame: Any, on_event: Any, pace: float) -> None:
        self.on_event = on_event
        self.orders: list[tuple[str, dict[str, Any]]] = []
        self.inputs: list[int] = []
        FakeLink.made.append(self)

    def tell(self, do: str, **words: Any) -> None:
        self.orders.append((do, words))

    def put(self, match: int, message: bytes) -> None:
        self.inputs.append(match)

    def close(self) -> None:
        self.orders.append(("end", {}))


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> tuple[MatchPool, list[FakeLink], list[dict[str, Any]]]:
    FakeLink.made = []
    monkeypatch.setattr(match_pool, "MatchLink", FakeLink)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    told: list[dict[str, Any]] = []
    return MatchPool(lambda number, frame: None, told.append), FakeLink.made, told


Pool = tuple[MatchPool, list[FakeLink], list[dict[str, Any]]]


def homes(links: list[FakeLink]) -> list[list[int]]:
    return [[words["match"] for do, words in link.orders if do == "open"] for link in links]


def test_the_second_process_begins_when_the_first_is_busy_and_then_they_share(pool: Pool) -> None:
    made, links, _ = pool
    for number in range(1, 2 * BUSY + 3):
        made.tell("open", match=number)
    first, second = homes(links)
    assert first[:BUSY] == list(range(1, BUSY + 1))
    assert abs(len(first) - len(second)) <= 1


def test_orders_and_inputs_follow_the_match_and_end_with_it(pool: Pool) -> None:
    made, links, _ = pool
    for number in range(1, BUSY + 2):
        made.tell("open", match=number)
    made.tell("pause", match=BUSY + 1)
    made.put(BUSY + 1, b"")
    assert ("pause", {"match": BUSY + 1}) in links[1].orders
    assert (links[0].inputs, links[1].inputs) == ([], [BUSY + 1])
    made.tell("close", match=BUSY + 1)
    made.put(BUSY + 1, b"")
    made.tell("pause", match=BUSY + 1)
    assert links[1].inputs == [BUSY + 1]
    assert links[1].orders[-1][0] == "close"


def test_a_process_that_dies_takes_its_own_matches_only(pool: Pool) -> None:
    made, links, told = pool
    for number in range(1, BUSY + 2):
        made.tell("open", match=number)
    links[1].on_event({"event": "crashed"})
    assert [(words["event"], words.get("match")) for words in told] == [("crashed", None), ("failed", BUSY + 1)]
    made.tell("open", match=99)
    assert homes(links)[1][-1] == 99


def test_what_belongs_to_no_match_goes_to_the_first(pool: Pool) -> None:
    made, links, _ = pool
    made.tell("warm", games=["pairs"])
    assert links[0].orders == [("warm", {"games": ["pairs"]})]


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
        request = {"sides": [{"game": "pairs", "bot": "easy"}]}
        for number in (1, 2):
            opened.clear()
            made.tell("open", match=number, request=request, seed=1)
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
