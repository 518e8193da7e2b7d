"""The server from outside: what it answers to its page, to strangers, and to clients that mean no good."""

from __future__ import annotations

import http.client
import json
import random
import re
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import quote, urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from emubot.arena.limits import MOST_UPLOAD
from emubot.arena.replay import MatchLog
from emubot.arena.request import MatchRequest
from emubot.arena.server import Arena
from emubot.arena.wire import Input, pack_input
from emubot.pad import Pad
from tests.arena.serving import served

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-server")]

MATCH = {"sides": [{"game": "pairs"}, {"game": "pairs", "bot": "easy"}], "seed": 3}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(4.0) as address:
        yield address


def get(
    url: str, path: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> http.client.HTTPResponse:
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


@contextmanager
def client(url: str, origin: str | None = "", hello: bool = True) -> Iterator[ClientConnection]:
    """A connection that has said hello, from the page's own origin unless another is given."""
    place = urlsplit(url)
    own = f"http://{place.netloc}"
    where = f"ws://{place.netloc}/play"
    said = own if origin == "" else origin
    # Without a limit to what waits unread, so that closing need not wait for frames that nobody reads.
    with connect(where, origin=said, open_timeout=20, max_queue=None) as made:  # type: ignore[arg-type]
        if hello:
            made.send(json.dumps({"type": "hello", "token": place.fragment}))
        yield made


def hear(
    made: ClientConnection, holds: Callable[[dict[str, object]], object], patience: float = 90.0
) -> dict[str, object]:
    """Wait for an event."""
    end = time.monotonic() + patience
    while True:
        message = made.recv(max(0.1, end - time.monotonic()))
        if isinstance(message, str) and holds(words := json.loads(message)):
            return dict(words)


def event(made: ClientConnection, name: str) -> dict[str, object]:
    return hear(made, lambda words: words["event"] == name)


@contextmanager
def overlay() -> Iterator[str]:
    """The address of a server that has the page for a stream and no other; nothing is played."""
    arena = Arena("127.0.0.1", overlay=True)
    arena.standing_session()
    ready = threading.Event()
    thread = threading.Thread(target=arena.run, args=(ready.set,))
    thread.start()
    try:
        assert ready.wait(60)
        yield arena.url
    finally:
        arena.stop()
        thread.join(60)


def is_closed(made: ClientConnection, code: int = 1008) -> bool:
    with suppress(TimeoutError):
        try:
            while True:
                made.recv(10)
        except ConnectionClosed as closed:
            return closed.rcvd is not None and closed.rcvd.code == code
    return False


def test_the_page_and_its_parts_are_served_with_strict_headers(url: str) -> None:
    page = get(url, "/")
    assert page.status == 200
    body = page.body.decode()  # type: ignore[attr-defined]
    assert '<script type="module"' in body
    for name in ("main.js", "style.css", "icon.svg", "wire.js"):
        part = get(url, f"/{name}")
        assert part.status == 200, name
        assert "default-src 'none'" in part.headers["Content-Security-Policy"]
        assert part.headers["X-Content-Type-Options"] == "nosniff"
    assert not re.search(r"\son[a-z]+=|javascript:", body), "no inline code"
    assert "style=" not in body


def test_the_page_for_a_stream_is_served_where_it_is_asked_for(url: str) -> None:
    page = get(url, "/?overlay")
    assert page.status == 200
    assert b"overlay.js" in page.body  # type: ignore[attr-defined]
    assert get(url, "/?overlay&side=2").body == page.body  # type: ignore[attr-defined]
    assert b"overlay.js" not in get(url, "/").body  # type: ignore[attr-defined]


def test_a_server_of_the_overlay_alone_lets_everybody_watch_and_nobody_order() -> None:
    with overlay() as url:
        assert not urlsplit(url).fragment
        assert b"overlay.js" in get(url, "/").body  # type: ignore[attr-defined]
        with client(url) as made:
            assert event(made, "welcome")["role"] == "spectator"
            made.send(json.dumps({"type": "pause"}))
            assert "Only the one who started" in str(event(made, "refused")["message"])
        with client(url, hello=False) as stranger:
            stranger.send(json.dumps({"type": "hello", "token": "x"}))
            assert is_closed(stranger)


@pytest.mark.parametrize(
    "path", ["/../server.py", "/%2e%2e/server.py", "/web/index.html", "/nothing", "//etc/passwd", "/play"]
)
def test_nothing_else_is_served(url: str, path: str) -> None:
    assert get(url, path).status in (400, 404)


def test_other_methods_are_refused(url: str) -> None:
    assert get(url, "/", "POST").status == 405


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:1", ""])
def test_a_foreign_name_that_leads_here_is_refused(url: str, host: str) -> None:
    assert get(url, "/", Host=host).status in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None])
def test_a_foreign_page_gets_no_connection(url: str, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as caught, client(url, origin):
        pass
    assert caught.value.response.status_code == 403


def bring(url: str, content: bytes, name: str = "a.match.json", **headers: str) -> http.client.HTTPResponse:
    """Bring a recorded match, as the owner's page does unless other headers are given."""
    place = urlsplit(url)
    own = {"Authorization": f"Bearer {place.fragment}", "Origin": f"http://{place.netloc}", **headers}
    return get(url, f"/replays?name={quote(name)}", "POST", content, **own)


def test_a_match_that_the_owner_brings_is_kept_under_a_harmless_name(url: str) -> None:
    content = MatchLog().replay(MatchRequest.model_validate_json(json.dumps(MATCH)), 3, {}).model_dump_json().encode()
    names = [
        ("my best.match.json", b"my best.match.json"),
        ("../../../x y", b"match.match.json"),
        ("", b"match-2.match.json"),
    ]
    for name, kept in names:
        answer = bring(url, content, name)
        assert (answer.status, answer.body) == (200, kept)  # type: ignore[attr-defined]
    for wrong in (b"", b"{}", b"\x00" * 1000, content[:-5]):
        answer = bring(url, wrong)
        assert answer.status == 422
        assert b"\n" not in answer.body  # type: ignore[attr-defined]
        assert b"/tmp" not in answer.body  # type: ignore[attr-defined]


def test_nobody_else_brings_a_match(url: str) -> None:
    with client(url) as owner:
        owner.send(json.dumps({"type": "start", "match": MATCH}))
        event(owner, "opened")
        owner.send(json.dumps({"type": "invite"}))
        links = event(owner, "invitations")
    guests = [urlsplit(str(links[name])).fragment for name in ("player", "spectator")]
    for token in ("", "guess", *guests):
        assert bring(url, b"{}", Authorization=f"Bearer {token}").status == 403
    assert bring(url, b"{}", Origin="http://example.org").status == 421
    assert bring(url, b"{}", Host="example.org").status == 421
    with suppress(OSError, http.client.HTTPException):  # it may close before all is sent
        assert bring(url, b"{" * (MOST_UPLOAD + 1)).status == 413


def test_the_answer_never_holds_the_token(url: str) -> None:
    token = urlsplit(url).fragment
    for path in ("/", "/main.js", f"/?{token}", "/nothing"):
        assert token not in get(url, path).body.decode()  # type: ignore[attr-defined]


def test_a_wrong_token_or_no_hello_ends_the_connection(url: str) -> None:
    for first in ('{"type": "hello", "token": "guess"}', '{"type": "leave"}', "", "[" * 2000, b"\x02\x00"):
        with client(url, hello=False) as made:
            made.send(first)
            assert is_closed(made), first


def test_a_message_too_large_ends_the_connection(url: str) -> None:
    with client(url) as made:
        event(made, "welcome")
        made.send("x" * 5000)
        assert is_closed(made, 1009)


def test_a_match_is_played_over_the_connection(url: str) -> None:
    """The last input applied is echoed, and the piece that was dropped locks."""
    with client(url) as made:
        event(made, "welcome")
        made.send(json.dumps({"type": "start", "match": MATCH}))
        event(made, "opened")
        made.send(pack_input(Input(0, 41, Pad.DOWN)))
        end = time.monotonic() + 60
        echo = pieces = 0
        while pieces < 2 and time.monotonic() < end:
            message = made.recv(20)
            if isinstance(message, bytes):
                echo, *_, pieces = struct.unpack_from("<IBBIHBHI", message, 9)
        assert (echo, pieces) == (41, 2)
        made.send('{"type": "leave"}')
        event(made, "left")


def test_what_is_not_offered_is_refused_in_one_sentence(url: str) -> None:
    with client(url) as made:
        event(made, "welcome")
        made.send(json.dumps({"type": "start", "match": {"sides": [{"game": "chess"}]}}))
        assert str(event(made, "refused")["message"]).startswith("There is no game 'chess' here")


def hostile(url: str, messages: int, seed: int) -> None:
    """Send random messages over connections that come and go, while somebody plays; the game goes on."""
    draw = random.Random(seed)
    words = ["start", "pause", "resume", "rematch", "leave", "hello", "join", "", "\0", "day", "race", "gif", "play-on"]

    def anything() -> str | bytes:
        kind = draw.randrange(6)
        if kind == 0:
            return draw.randbytes(draw.randrange(0, 40))
        if kind == 1:
            return pack_input(Input(draw.randrange(256), draw.randrange(2**32), Pad(draw.randrange(256))))
        if kind == 2:
            more = {name: draw.randrange(-2, 9) for name in ("side", "start", "tick") if draw.randrange(2)}
            return json.dumps({"type": draw.choice(words), **more})
        if kind == 3:
            sides = [
                {"game": draw.choice(["pairs", "blocks", "x" * 30]), "attack": draw.randrange(-5, 200)}
            ] * draw.randrange(4)
            return json.dumps({"type": "start", "match": {"sides": sides, "seed": draw.randrange(-9, 2**33)}})
        if kind == 4:
            return json.dumps([draw.random()] * draw.randrange(200))
        return "".join(chr(draw.randrange(1, 0xD7FF)) for _ in range(draw.randrange(200)))

    with client(url) as player:
        event(player, "welcome")
        player.send(json.dumps({"type": "start", "match": {"sides": [{"game": "blocks", "bot": "easy"}]}}))
        event(player, "opened")
        sent = 0
        while sent < messages:
            with suppress(ConnectionClosed, TimeoutError), client(url) as attacker:
                for _ in range(60):
                    sent += 1
                    attacker.send(anything())
            with suppress(TimeoutError):
                while True:
                    player.recv(0)
        ticks: list[int] = []
        while len(ticks) < 30:
            message = player.recv(20)
            if isinstance(message, bytes):
                ticks.append(struct.unpack_from("<I", message, 1)[0])
        assert ticks == sorted(ticks)
        assert ticks[-1] > ticks[0]
    assert get(url, "/").status == 200


def test_a_hostile_client_harms_only_its_own_match() -> None:
    with served(1.0) as url:
        hostile(url, 1_000, 1)


@pytest.mark.slow
def test_a_hostile_client_harms_only_its_own_match_for_long() -> None:
    with served(1.0) as url:
        hostile(url, 100_000, 2)
