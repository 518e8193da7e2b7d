"""Every game that a family offers, in every mode of the arena, by the messages of a page; the next family's too."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from emubot.arena.catalogue import CHALLENGES, demos, families, offered
from emubot.arena.wire import Input, pack_input
from emubot.pad import Pad
from tests.arena.serving import for_long, served
from tests.arena.test_server import client, event, hear

pytestmark = [pytest.mark.slow, pytest.mark.jit, pytest.mark.xdist_group("every-game")]

PACE = 25.0
every_game = pytest.mark.parametrize("game", list(offered()))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(PACE) as address:
        yield address


class Page:
    """A page that says what one wants, and fails if the server refuses it or a game breaks."""

    def __init__(self, made: ClientConnection) -> None:
        self.made = made
        self.numbers = 0

    def say(self, **words: Any) -> None:
        self.made.send(json.dumps(words))

    def press(self, side: int, pad: Pad) -> None:
        self.numbers += 1
        self.made.send(pack_input(Input(side, self.numbers, pad)))

    def event(self, *names: str) -> dict[str, Any]:
        """Wait for one of these events."""
        told = hear(self.made, lambda words: words["event"] in (*names, "refused", "failed", "said"))
        assert told["event"] in names, told
        return dict(told)

    def open(self, *sides: dict[str, Any], **more: Any) -> None:
        self.say(type="start", match={"sides": sides, "seed": 5, **more})
        self.event("opened")

    def play(self, side: int = 0) -> dict[str, Any]:
        """Drop each piece where it comes, to the end; returns the result."""
        self.press(side, Pad.DOWN)
        return dict(self.event("over")["result"])

    def tap_down(self) -> dict[str, Any]:
        """Press DOWN again and again, to the end: each turn wants its own; returns the result."""
        frames = 0
        while True:
            message = self.made.recv(30)
            if isinstance(message, bytes):
                frames += 1
                if frames % 4 == 0:
                    self.press(0, Pad.NONE if frames % 20 == 0 else Pad.DOWN)
            elif (words := json.loads(message))["event"] == "over":
                return dict(words["result"])

    def save_and_open(self) -> str:
        self.say(type="save")
        name = str(self.event("saved")["name"])
        self.say(type="replay", name=name)
        return name


@contextmanager
def page(url: str) -> Iterator[Page]:
    with client(url) as made:
        event(made, "welcome")
        yield Page(made)
        made.send('{"type": "leave"}')
        event(made, "left")


@every_game
def test_alone_then_saved_gone_through_raced_against_and_played_on(url: str, game: str) -> None:
    with page(url) as one:
        one.open({"game": game})
        assert one.play()["sides"][0]["pieces"] > 3
        name = one.save_and_open()
        opened = one.event("opened")
        assert (opened["replay"], opened["free"]) == (True, [0])
        one.say(type="next", side=0)
        one.say(type="next", side=0)
        one.say(type="advice", side=0)
        candidates = one.event("insight")["placements"]
        assert candidates[0]["name"]
        assert candidates[0]["cells"]
        one.say(type="race", side=0)
        assert one.event("opened")["ghost"]
        result = one.play()
        assert len(result["sides"]) == 2, "the ghost's figures too"
        one.say(type="replay", name=name)
        one.event("opened")
        one.say(type="play-on", side=0, tick=int(opened["ticks"]) // 2)
        one.event("opened")


@every_game
def test_against_a_bot_that_explains_itself_and_counts(url: str, game: str) -> None:
    with page(url) as one:
        one.open({"game": game, "bot": "middle"})  # alone, which takes longer than an explanation
        one.say(type="insight")
        assert one.event("insight")["placements"][0]["parts"], "what its value is made of"
        one.open({"game": game}, {"game": game, "bot": "middle"})
        result = one.play()
        assert result["winner"] == 1
        assert "against this bot" in one.event("counted-result")["words"]
        rival = one.event("results")["rivals"][-1]
        assert (rival["mine"], rival["its"], rival["games"]) == (game, game, 1)
        one.say(type="rematch")
        one.event("opened")


@every_game
def test_two_people(url: str, game: str) -> None:
    with page(url) as one:
        one.open({"game": game}, {"game": game})
        assert one.play(side=1)["winner"] == 0


@every_game
@pytest.mark.parametrize("mode", ["extreme", "arcade", *map(for_long, sorted({*CHALLENGES} - {"extreme", "arcade"}))])
def test_in_turns(url: str, game: str, mode: str) -> None:
    with page(url) as one:
        one.open({"game": game}, {"game": game, "bot": "strong"}, challenge=mode)
        result = one.tap_down()
        first, second = (side["pieces"] for side in result["sides"])
        assert first > 2
        assert abs(first - second) <= 1


@every_game
def test_bots_that_play_as_fast_as_they_can(url: str, game: str) -> None:
    with page(url) as one:
        one.open({"game": game, "bot": "full"}, {"game": game, "bot": "gentle"}, pace=0)
        sides: Any = [{"pieces": 0}]
        while sides[0]["pieces"] <= 5:
            sides = event(one.made, "figures")["sides"]
        assert sides[0]["value"] is not None


@pytest.mark.parametrize("demo", list(demos()))
def test_each_demo_is_watched_and_explained(url: str, demo: str) -> None:
    with page(url) as one:
        one.say(type="watch", options={"what": f"demo:{demo}", "bot": "middle", "emu_speed": "max"})
        opened = hear(one.made, lambda words: words["event"] in ("opened", "failed"))
        assert opened["family"] in families()
        one.say(type="insight")
        assert hear(one.made, lambda words: words["event"] == "insight")["placements"]


@pytest.mark.slow
@every_game
def test_a_saved_match_is_reviewed_and_drawn(url: str, game: str) -> None:
    with page(url) as one:
        one.open({"game": game}, {"game": game, "bot": "gentle"})
        one.play()
        one.save_and_open()
        one.event("opened")
        one.say(type="review", side=0)
        moves = one.event("review")["moves"]
        assert len(moves) > 1
        assert all(move["best"] for move in moves)
        one.say(type="gif", start=1)
        assert one.event("clip")["picture"]


@pytest.mark.slow
@pytest.mark.parametrize("family", list(families()))
def test_a_bot_of_each_family_is_trained_and_watched(url: str, family: str) -> None:
    with page(url) as one:
        one.say(type="train", options={"game": family, "method": "ga", "games": 1, "generations": 1000})
        name = one.event("training")["name"]
        generations: list[Any] = []
        while not generations:
            one.say(type="run", name=name)
            generations = one.event("run")["generations"]
            time.sleep(0.3)
        one.say(type="individual", name=name, individual=0)
        opened = one.event("opened")
        assert opened["family"] == family
        hear(one.made, lambda words: words["event"] == "figures")
        one.say(type="stop-run", name=name)
        hear(one.made, lambda words: words["event"] == "runs" and name not in words["running"])  # type: ignore[operator]
