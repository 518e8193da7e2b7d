"""The server answers what the bot would play, one clear sentence to what it cannot answer, and harms nobody else."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from emubot.cli import COMMANDS
from emubot.errors import EmubotError, StorageError, UsageError
from emubot.games.offers import ToolParameter
from emubot.serve import connection
from emubot.serve import server as serving_module
from emubot.serve.server import AnswerServer
from tests.serve.asking import Client, serving

pytestmark = pytest.mark.jit
T_SLOT = {"board": ["####.....#"], "piece": "T", "next": "I", "nodes": 500}


class Echo:
    """A tool that says what it was asked; `slow` waits until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go, self.asked = threading.Event(), threading.Event(), 0

    @property
    def paths(self) -> tuple[str, ...]:
        return ("echo", "slow", "no")

    def parameters(self, path: str) -> Sequence[ToolParameter]:
        return (ToolParameter("what", "is said again", needed=True),)

    def answer(self, path: str, given: Mapping[str, str]) -> str:
        self.asked += 1
        if path == "slow":
            self.begun.set()
            assert self.go.wait(30)
        if path == "no":
            raise EmubotError("There is no answer.")
        return json.dumps(given)


@pytest.fixture(name="client", scope="module")
def _client() -> Iterator[Client]:
    with serving(AnswerServer("127.0.0.1", 0, {"echo": Echo()})) as client:
        yield client


def test_a_decision_is_the_first_of_the_ranking_and_of_the_explanation(client: Client) -> None:
    decided = client.post("decide", **T_SLOT)
    assert (decided.status, decided.headers["content-type"]) == (200, "application/json")
    best = decided.json["placement"]
    ranked = client.post("rank", **T_SLOT, top=1000).json
    assert ranked["placements"][0] == best
    assert ranked["reachable"] == len(ranked["placements"]) > 9
    values = [one["value"] for one in ranked["placements"]]
    assert values == sorted(values, reverse=True)
    explained = client.post("explain", **T_SLOT, top=20).json["placements"]
    (chosen,) = [one for one in explained if one["chosen"]]
    assert all(chosen[name] == best[name] for name in ("orientation", "column", "row", "inputs"))


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "puyo", "board": ["R.....", "RRB..."], "piece": "RB", "next": "GG"},
        {"game": "puyo", "rules": "tsu", "colors": 4, "board": ["......"], "piece": "YY"},
        {"game": "matching", "board": ["B......."], "piece": "ry", "next": "bb"},
        {"game": "tetris", "board": [".........."], "piece": "I", "rules": "nes-pal", "level": 29, "taps": "das"},
    ],
    ids=str,
)
def test_every_family_is_asked_in_the_same_way(client: Client, asked: dict[str, Any]) -> None:
    said = client.post("decide", **asked, nodes=300)
    assert said.status == 200, said.text
    assert isinstance(said.json["placement"]["value"], float)


def test_a_review_says_what_each_move_lost(client: Client) -> None:
    best, *_, worst = client.post("rank", **T_SLOT, top=1000).json["placements"]
    places = [{name: one[name] for name in ("orientation", "column", "row")} for one in (best, worst)]
    places.append({"orientation": 2, "column": 4, "row": 3})  # in the air
    drawn = {name: T_SLOT[name] for name in ("board", "piece", "next")}
    said = client.post("review", moves=[{**drawn, "played": place} for place in places], nodes=500).json
    assert [move["best"] for move in said["moves"]] == [best] * 3
    assert [move["value"] for move in said["moves"]] == [best["value"], worst["value"], None]
    losses = [move["loss"] for move in said["moves"]]
    assert losses == [0, best["value"] - worst["value"], None]
    assert (said["judged"], said["mean_loss"]) == (2, losses[1] / 2)


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ("{", 400, "Invalid JSON"),
        ("[]", 400, "an object"),
        ('{"board": 5}', 400, "board: "),
        ('{"board": [], "peice": "T"}', 400, "peice: "),
        ('{"board": ["#"], "piece": "T"}', 400, "10"),
        ('{"board": ["#........."], "piece": "Q"}', 400, "Q"),
        ('{"board": ["#........."]}', 400, "piece"),
        ('{"board": ["#........."], "piece": "T", "taps": "13hz"}', 400, "13hz"),
        ('{"board": [], "piece": "T", "game": "chess"}', 400, "chess"),
        ('{"board": [], "piece": "T", "nodes": -1}', 400, "nodes: "),
        ('{"board": ["#........."], "piece": "T", "aim": "../../etc/passwd"}', 400, "aim"),
        ('{"board": ["......"], "game": "puyo", "piece": "RB", "lines": 3}', 400, "leave it out"),
        ("x" * (serving_module.MOST_BYTES + 1), 413, "bytes"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_question_gets_one_sentence(client: Client, body: str, status: int, sentence: str) -> None:
    said = client.ask("POST", "/v1/decide", body)
    assert said.status == status
    assert sentence in said.json["error"]
    assert "Traceback" not in said.text
    assert "--" not in said.text, "no option of the command line"
    assert client.post("decide", **T_SLOT).status == 200, "the next question is answered"


def test_misdrops_are_those_of_falling_blocks(client: Client) -> None:
    counted = client.post("explain", **T_SLOT, top=1, human_error="3:0.1").json["placements"][0]["misdrops"]
    assert 0 < counted["low95"] <= counted["share"] == counted["misses"] / counted["tries"] <= counted["high95"] < 1
    for game, board, piece in (("puyo", "R.....", "RB"), ("matching", "B.......", "ry")):
        said = client.post("explain", game=game, board=[board], piece=piece, human_error="usual")
        assert (said.status, said.json["error"]) == (
            400,
            "A person's misdrops are counted in falling blocks only: leave out human-error.",
        )


def test_a_mistake_of_ours_is_one_sentence_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(AnswerServer("127.0.0.1", 0, {"echo": Echo()})) as client:
        monkeypatch.setattr(Echo, "answer", lambda *_: 1 / 0)
        said = client.get("echo")
        assert (said.status, "This is a mistake in emubot (ZeroDivisionError" in said.text) == (500, True)
        assert said.headers["access-control-allow-origin"] == "*"


def test_on_this_machine_any_page_may_ask(client: Client) -> None:
    for said in (client.get("echo", a="1 2"), client.post("decide", **T_SLOT), client.get("nothing")):
        assert said.headers["access-control-allow-origin"] == "*"
    assert client.get("echo", a="1 2").json == {"a": "12"}, "blanks do not count"
    assert client.get("no").status == 400
    assert client.get("no").text == "There is no answer."
    before = client.ask("OPTIONS", "/v1/decide")
    assert (before.status, before.headers["access-control-allow-headers"]) == (200, "content-type")
    unknown = client.get("get-move-async")
    assert unknown.status == 404
    assert "/get-move-async is not served; what is: POST /v1/decide" in unknown.text
    assert client.get("v1/decide").status in (404, 405)


@pytest.mark.parametrize(
    "asked",
    [
        {**T_SLOT, "rollouts": 3, "human_error": "usual"},
        {**T_SLOT, "nodes": 0},
        {"game": "puyo", "board": ["R.....", "RRG...", "BBB..."], "piece": "RB", "next": "GG", "rollouts": 3},
        {"game": "matching", "board": ["B.......", "r......."], "piece": "ry", "rollouts": 3},
    ],
    ids=str,
)
def test_an_explanation_has_the_form_that_its_description_tells(client: Client, asked: dict[str, Any]) -> None:
    explained = client.post("explain", **asked, top=2)  # which looks at the form
    assert explained.status == 200, explained.text
    after = explained.json["placements"][0]["after"]
    assert (after is not None) == ("game" in asked)
    assert (after is not None and after["chain"] is not None) == (asked.get("game") == "puyo")


def test_what_can_be_asked_is_described(client: Client) -> None:
    told = client.get("openapi.json").json
    assert {"/v1/decide", "/v1/rank", "/v1/explain", "/v1/review", "/echo"} <= set(told["paths"])
    text = json.dumps(told)
    for name in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in told["components"]["schemas"], name
    assert set(told["components"]["schemas"]["Decide"]["required"]) == {"board"}
    for name, answer in (("decide", "Decided"), ("rank", "Ranked"), ("explain", "Explained"), ("review", "Reviewed")):
        said = told["paths"][f"/v1/{name}"]["post"]["responses"]
        assert said["200"]["content"]["application/json"]["schema"]["$ref"].endswith(f"/{answer}")
        assert said["400"]["content"]["application/json"]["schema"]["$ref"].endswith("/Refused")
    (parameter,) = told["paths"]["/echo"]["get"]["parameters"]
    assert (parameter["name"], parameter["in"], parameter["required"]) == ("what", "query", True)
    assert "/v1/review" in client.get("").text


def test_elsewhere_each_question_needs_the_token_and_no_page_reads() -> None:
    for none in (None, ""):
        with pytest.raises(UsageError, match=r"0\.0\.0\.0 can be reached by others"):
            AnswerServer("0.0.0.0", 0, {}, none)
    with serving(AnswerServer("127.0.0.1", 0, {"echo": Echo()}, token="secret")) as client:
        for said in (client.get("echo"), client.post("decide", **T_SLOT), client.get("openapi.json", token="secrets")):
            assert said.status == 401
            assert "token" in said.json["error"]
            assert "access-control-allow-origin" not in said.headers
        right = client.ask("GET", "/echo", headers={"Authorization": "bearer secret"})
        other = client.ask("GET", "/echo?token=secret", headers={"Authorization": "Basic x"})
        assert other.status == 200
        assert (right.status, client.get("echo", token="secret").status) == (200, 200)
        assert "access-control-allow-origin" not in right.headers


def test_a_hundred_clients_at_once_all_get_their_answers(client: Client) -> None:
    answers: list[int] = []

    def ask() -> None:
        answers.append(client.post("decide", **T_SLOT).status)

    threads = [threading.Thread(target=ask) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [200] * 100


def test_where_too_many_wait_the_next_one_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_module, "MOST_WAITING", 1)
    echo = Echo()
    with serving(AnswerServer("127.0.0.1", 0, {"echo": echo})) as client, ThreadPoolExecutor(1) as other:
        first = other.submit(client.get, "slow")
        assert echo.begun.wait(30)
        busy = client.get("echo")
        echo.go.set()
        assert (busy.status, "ask again later" in busy.text) == (503, True)
        assert first.result(30).status == 200
        assert client.get("echo").status == 200


def test_a_slow_client_and_one_that_leaves_hold_up_nobody(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.2)
    host, port = client.address.split(":")
    begun = b"POST /v1/decide HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
    with socket.create_connection((host, int(port))) as slow, socket.create_connection((host, int(port))) as gone:
        slow.sendall(begun)
        gone.sendall(begun)
        gone.close()
        assert client.post("decide", **T_SLOT).status == 200
        slow.settimeout(30)
        assert slow.recv(4096).startswith(b"HTTP/1.1 408")
    for junk in (b"\x00\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /ping"):
        with socket.create_connection((host, int(port))) as other:
            other.sendall(junk)
    assert client.post("decide", **T_SLOT).status == 200


@pytest.mark.few(1)
@pytest.mark.parametrize("begun", [b"", b"POST /v1/dec"])
@pytest.mark.parametrize("asked_before", [False, True])
def test_a_connection_whose_question_does_not_come_leaves_its_place_to_others(
    begun: bytes, asked_before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.5)
    monkeypatch.setattr(serving_module, "MOST_CLIENTS", 5)
    with serving(AnswerServer("127.0.0.1", 0, {"echo": Echo()})) as client, contextlib.ExitStack() as open_ones:
        host, port = client.address.split(":")
        silent = [open_ones.enter_context(socket.create_connection((host, int(port)))) for _ in range(4)]
        for one in silent:
            one.settimeout(30)
            if asked_before:
                one.sendall(b"GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")
                assert _until(one, b"{}").startswith(b"HTTP/1.1 200")
            one.sendall(begun)
        for one in silent:
            told = _until(one)
            assert (told[:12], b"took more than 0.5 seconds" in told) == (b"HTTP/1.1 408", True) or not (begun or told)
        assert client.get("echo").status == 200


@pytest.mark.slow
def test_questions_one_after_the_other_in_a_connection_have_all_their_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.5)
    host, port = client.address.split(":")
    with socket.create_connection((host, int(port))) as one:
        one.settimeout(30)
        for part in (b"GET /echo HTTP/1.1\r\n", b"Host: x\r\n\r\n") * 4:
            one.sendall(part)
            time.sleep(0.25)
            if part.endswith(b"\r\n\r\n"):
                assert _until(one, b"{}").startswith(b"HTTP/1.1 200")


def _until(one: socket.socket, end: bytes | None = None) -> bytes:
    """Returns what comes until that end, or until the connection is closed."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while (end is None or not said.endswith(end)) and (part := one.recv(4096)):
            said += part
    return said


def test_nobody_thinks_for_a_client_that_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_module, "_LOOKS", 0.05)
    echo = Echo()
    with serving(AnswerServer("127.0.0.1", 0, {"echo": echo})) as client:
        host, port = client.address.split(":")
        first = threading.Thread(target=lambda: client.get("slow"))
        first.start()
        assert echo.begun.wait(30)
        with socket.create_connection((host, int(port))) as gone:
            gone.sendall(b"GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")
            time.sleep(0.2)
        time.sleep(0.5)
        echo.go.set()
        first.join(30)
        assert client.get("echo").status == 200
    assert echo.asked == 2, "the one in between was left out"


def test_a_question_of_minutes_is_refused(client: Client) -> None:
    drawn = {name: T_SLOT[name] for name in ("board", "piece", "next")}
    long = client.post("explain", **drawn, top=20, rollouts=200)
    assert (long.status, "top times rollouts" in long.json["error"]) == (400, True)
    move = {**drawn, "played": {"orientation": 2, "column": 4, "row": 18}}
    long = client.post("review", moves=[move] * 50, nodes=100_000)
    assert (long.status, "moves times nodes" in long.json["error"]) == (400, True)


def test_a_port_that_is_taken_is_named(client: Client) -> None:
    with pytest.raises(
        StorageError, match=r"The server cannot listen on 127\.0\.0\.1, port \d+: .*choose another --port"
    ):
        AnswerServer("127.0.0.1", int(client.address.split(":")[1]), {})


def test_the_command_is_listed() -> None:
    assert "serve" in COMMANDS
