"""A session for a page: what it shows is what was played, what it hears is done, and a child that fails says why."""

from __future__ import annotations

import asyncio
import json
import struct
from collections import Counter
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from emubot.arena.feed import Feed, rgb565
from emubot.arena.orders import Close, Order
from emubot.arena.play_link import PlayLink
from emubot.arena.request import Do
from emubot.arena.wire import Input
from emubot.pad import Pad
from emubot.session.request import SessionRequest
from emubot.session.session import open_session
from emubot.tempo import tempo_for_speed
from emubot.view.framing import boards_of, framed
from tests.arena.test_wire import unpacked

INSIGHT = Do(type="insight")

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-feed")]


def fed(pieces: int, *orders: Order, human: int | None = None, **request: Any) -> tuple[list[bytes], Any]:
    """The messages of a session on the simulator, and its match."""
    messages: list[bytes] = []
    tempo = tempo_for_speed(10)
    wanted = SessionRequest(bridge="simulated", tempos=(tempo, tempo), human=human, **request)
    with closing(open_session(wanted)) as opened:
        match = opened.match(pieces, None)
        feed = Feed(opened, match, messages.append, human)
        feed.open()
        for order in orders:
            feed.mail.put(order)
        while not match.finished and not feed.closed:
            feed.step()
        feed.close(match.result)
    return messages, match


def events(messages: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(message) for message in messages if message[:1] == b"{"]


@pytest.mark.parametrize("demo", ["tetris", "puyo"])
def test_it_tells_what_is_played_and_how_it_ended(demo: str) -> None:
    messages, match = fed(12, demo=demo)
    told = events(messages)
    assert (told[0]["event"], told[0]["family"], told[0]["bridge"]) == ("opened", demo, "simulated")
    assert told[-1]["event"] == "over"
    counted = [one["sides"] for one in told if one["event"] == "statistics"]
    assert all(set(side) == {"Tetris rate", "drought", "burn"} for sides in counted for side in sides)
    assert bool(counted) == (demo == "tetris"), "what no family counts is not told"
    assert told[-1]["result"]["sides"][0]["pieces"] == 12
    _, (last,) = unpacked([message[1:] for message in messages if message[:1] == b"F"][-1])
    assert last["pieces"] == 12
    assert last["score"] == match.pilots[0].tally.score


def test_two_bots_have_two_boards() -> None:
    messages, _ = fed(5, demo="puyo", against_itself=True)
    _, boards = unpacked([message[1:] for message in messages if message[:1] == b"F"][-1])
    assert [(board["rows"], board["columns"]) for board in boards] == [(13, 6)] * 2


@pytest.mark.slow
def test_insight_tells_each_plan_and_explains_decisions() -> None:
    messages, _ = fed(150, INSIGHT, INSIGHT, demo="tetris")
    told = Counter(words["event"] for words in events(messages))
    assert told["plan"] in (150, 151), "the last piece may set out before the end"
    pieces = [words["piece"] for words in events(messages) if words["event"] == "plan"]
    assert pieces == list(range(len(pieces))), "one plan for each piece, which names it"
    explained = [words for words in events(messages) if words["event"] == "insight"]
    assert explained
    for words in explained:
        values = [one["value"] for one in words["placements"]]
        assert values == sorted(values, reverse=True)
        assert all(len(one["cells"]) == 4 for one in words["placements"])
        assert words["side"] == 0


def test_an_order_to_close_ends_it() -> None:
    _, match = fed(10_000, Close(), demo="puyo")
    assert match.pilots[0].tally.pieces == 0


def test_a_person_s_pad_reaches_the_person_s_port_once_a_game_begins() -> None:
    messages: list[bytes] = []
    request = SessionRequest(bridge="simulated", demo="puyo", human=1)
    with closing(open_session(request)) as opened:
        match = opened.match(None, 1)
        feed = Feed(opened, match, messages.append, 1)
        feed.open()
        feed.mail.put(Input(0, 9, Pad.DOWN))
        (pilot,) = match.pilots
        in_game: list[tuple[bool, int]] = []
        while sum(playing for playing, _ in in_game) < 200:
            feed.step()
            in_game.append((pilot.in_game, opened.bridges[0]._held[1]))  # type: ignore[attr-defined]
    assert {held for playing, held in in_game if not playing} == {Pad.NONE}, "the bot has the menus"
    assert {held for playing, held in in_game if playing} <= {Pad.NONE, Pad.DOWN}
    assert in_game[-1] == (True, Pad.DOWN)
    assert events(messages)[0]["sides"][-1] == {"player": 1, "person": True}
    _, (bot, person) = unpacked([message[1:] for message in messages if message[:1] == b"F"][-1])
    assert (bot["echo"], person["echo"]) == (0, 9)
    assert person["pieces"] >= 1
    assert len(person["lists"][1]) == 2, "the person's board is shown too, with the next pair"


def test_the_page_shows_the_emulators_picture_with_the_board_framed() -> None:
    messages: list[bytes] = []
    black = np.zeros((240, 256, 3), np.uint8)
    with closing(open_session(SessionRequest(bridge="simulated", demo="tetris"))) as opened:
        opened.bridges[0].picture = lambda: black  # type: ignore[attr-defined]
        feed = Feed(opened, opened.match(1, None), messages.append)
        feed.step()
        frame = framed(black, boards_of(opened.edition.ram_map, [0]))
    (picture,) = [message for message in messages if message[:1] == b"P"]
    assert picture.endswith(rgb565(frame))
    assert frame.any()


def test_a_picture_is_packed_to_two_bytes_a_pixel() -> None:
    rgb = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], dtype=np.uint8)
    assert struct.unpack("<4H", rgb565(rgb)) == (0xF800, 0x07E0, 0x001F, 0xFFFF)


async def child(words: list[str], orders: list[Order]) -> tuple[list[bytes], list[dict[str, Any]]]:
    """What a child of `emubot play` says until it is over or fails."""
    shown: list[bytes] = []
    told: list[dict[str, Any]] = []
    ended = asyncio.Event()

    def hear(event: dict[str, Any]) -> None:
        told.append(event)
        if event["event"] in ("over", "failed"):
            ended.set()
        if event["event"] == "opened":
            for order in orders:
                link.tell(order)

    link = PlayLink(["play", *words], shown.append, hear)
    await asyncio.wait_for(ended.wait(), 120)
    link.close()
    await link._task
    return shown, told


def test_a_child_plays_and_says_when_it_is_over() -> None:
    words = "--demo puyo --bridge simulated --emu-speed max --pieces 5".split()
    shown, told = asyncio.run(child(words, [INSIGHT]))
    assert told[-1]["event"] == "over"
    assert told[-1]["result"]["sides"][0]["pieces"] == 5
    assert unpacked(shown[-1])[1][0]["pieces"] == 5


def test_a_child_that_cannot_play_says_why_in_one_sentence() -> None:
    _, told = asyncio.run(child(["--demo", "puyo", "--bridge", "simulated", "--aim", "glory"], []))
    assert told[-1]["event"] == "failed"
    assert told[-1]["message"].startswith("Pairs are not played for 'glory'")


def test_a_child_ends_when_it_is_told_to() -> None:
    words = "--demo puyo --bridge simulated --emu-speed 1".split()
    _, told = asyncio.run(child(words, [Close()]))
    assert told[-1]["event"] == "over"
    assert told[-1]["result"]["how"] == "closed"
