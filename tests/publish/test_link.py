"""The link to a scripted server: frames arrive; whatever the server does, the game is neither slowed down nor ended."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.server import ServerConnection

from emubot.errors import PublishError, UsageError
from emubot.publish.address import address_of
from emubot.publish.frame import Frame, encode
from emubot.publish.link import WAITING, Link
from emubot.publish.secret import VARIABLE, secret, secret_file
from tests.publish.layout import read
from tests.publish.server import SECRET, WAIT, FakeServer, serving


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy", "wss_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(autouse=True)
def _secret_is_never_shown(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.DEBUG)
    yield
    said = capfd.readouterr()
    logged = [record.getMessage() for record in caplog.get_records("call")]
    assert SECRET not in "\n".join([said.out, said.err, *logged])


def frame(number: int) -> Frame:
    return Frame(1, number, bytes(200), 0, 18, number)


def link_to(server: FakeServer, login: str = "", secret: str = SECRET, gap: float = 0.0) -> Link:
    return Link(address_of(f"ws://{server.host}{login}"), secret, gap=gap, pause=0.01)


def wait_for_news(link: Link, count: int = 1) -> list[str]:
    """The next sentences, once there are as many."""
    news: list[str] = []
    for _ in range(3000):
        news += link.news()
        if len(news) >= count:
            return news
        threading.Event().wait(0.01)
    raise AssertionError(news)


@pytest.mark.parametrize(("login", "path"), [("", "/ws/room/producer/"), ("/u/yobi", "/ws/room/u/yobi/producer/")])
def test_frames_arrive_in_order_at_the_path_of_a_producer(login: str, path: str) -> None:
    with serving() as server:
        link = link_to(server, login)
        link.open()
        for number in range(20):
            link.send(frame(number))
        link.close()
        assert server.frames(20) == [encode(frame(number)) for number in range(20)]
        assert server.paths == [path + SECRET]
        assert link.news() == []


def test_a_frame_that_shows_the_same_is_sent_four_times_a_second() -> None:
    with serving() as server:
        link = link_to(server)
        link.open()
        for time in range(0, 1000, 16):
            link.send(Frame(1, time, bytes(200), 0, 18, 0))
        link.send(Frame(1, 1001, bytes(200), 0, 18, 40))
        link.close()
        times = [read(data)["ms"] for data in server.frames(5)]
        assert times == [0, 256, 512, 768, 1001]


def test_a_wrong_secret_is_refused_in_one_sentence() -> None:
    with serving() as server, pytest.raises(PublishError, match="does not know the secret") as refused:
        link_to(server, secret="wrong-one").open()
    assert "wrong-one" not in str(refused.value)
    assert refused.value.exit_code == 3


def test_an_unknown_login_is_refused_in_one_sentence() -> None:
    with serving() as server, pytest.raises(PublishError, match="knows no user nobody"):
        link_to(server, "/u/nobody").open()


def test_a_host_that_is_not_there() -> None:
    with pytest.raises(PublishError, match=r"There is no host nowhere\.invalid"):
        Link(address_of("ws://nowhere.invalid"), SECRET).open()


def test_a_port_where_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(PublishError, match=r"Nothing listens at 127\.0\.0\.1"):
        Link(address_of(f"ws://127.0.0.1:{port}"), SECRET).open()


@pytest.mark.parametrize(
    ("scheme", "answer", "words"),
    [
        ("ws", b"hello\r\n\r\n", "does not speak WebSocket"),
        ("ws", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "answers with HTTP 200"),
        ("ws", b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "answers with HTTP 503"),
        ("ws", b"", "does not speak WebSocket"),
        ("wss", b"HTTP/1.1 400 Bad Request\r\n\r\n", "cannot be reached by wss"),
    ],
)
def test_what_is_no_such_server(scheme: str, answer: bytes, words: str) -> None:
    def serve_once(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve_once, args=(listening,), daemon=True)
        thread.start()
        with pytest.raises(PublishError, match=words) as refused:
            Link(address_of(f"{scheme}://127.0.0.1:{listening.getsockname()[1]}"), SECRET).open()
        thread.join(WAIT)
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None, "a traceback must not show what holds the address"
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


def test_a_lost_connection_is_said_once_and_comes_back() -> None:
    def closes(connection: ServerConnection) -> None:
        connection.recv(timeout=WAIT)
        connection.close(1011)

    with serving(closes, closes) as server:
        server._answers.append(server.take)
        link = link_to(server)
        link.open()
        news: list[str] = []
        number = 0
        while server.received.empty():
            number += 1
            link.send(frame(number))
            news += link.news()
            threading.Event().wait(0.001)
        news += link.news()
        link.close()
        assert [sentence.split(": ")[0] for sentence in news] == [
            f"The connection to {server.host} is lost",
            f"The connection to {server.host} is back.",
        ]
        assert server.connections == 3


def test_a_secret_that_is_refused_later_ends_the_attempts() -> None:
    with serving(lambda connection: connection.close(1011)) as server:
        link = link_to(server)
        link._url, good = address_of(f"ws://{server.host}").url("revoked"), link._url
        url, link._url = link._url, good
        link.open()
        link._url = url
        news = wait_for_news(link, 2)
        link.close()
    assert news[0].endswith("is lost: the game goes on, and emubot tries again.")
    assert "does not know the secret" in news[1]
    assert news[1].endswith("The game goes on and is no longer shown there.")
    assert "revoked" not in "".join(news)


@pytest.mark.parametrize("by_message", [True, False])
def test_a_producer_that_is_sent_away_does_not_come_back(by_message: bool) -> None:
    def kicks(connection: ServerConnection) -> None:
        if by_message:
            connection.send(json.dumps(["_kick", "concurrency_limit"]))
            server.take(connection)  # until it has gone
        else:
            connection.close(4000, "concurrency_limit")

    with serving(kicks) as server:
        link = link_to(server)
        link.open()
        (news,) = wait_for_news(link)
        link._thread.join(WAIT) if link._thread else None
        link.close()
        assert "another program sends with the same secret" in news
        assert server.connections == 1


def test_a_slow_link_drops_frames_and_says_so_once() -> None:
    with serving() as server:
        link = link_to(server, gap=3600.0)
        link.open()
        for number in range(3 * WAITING):
            link.send(frame(number))  # never waits
        assert link.dropped >= WAITING
        link.close()
        while read(server.frames(1)[0])["score"] != 3 * WAITING - 1:
            pass  # the newest ones are kept, and sent at the end
        (news,) = link.news()
        assert news.startswith("Frames come faster than")


@pytest.mark.slow
def test_a_server_that_takes_nothing_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emubot.publish.link.encode", lambda frame: bytes(1 << 20))  # more than the system keeps
    done = threading.Event()

    def sleeps(_connection: ServerConnection) -> None:
        done.wait(WAIT)

    with serving(sleeps) as server:
        link = link_to(server)
        link.open()
        for number in range(3 * WAITING):
            link.send(frame(number))
        thread = link._thread
        assert thread is not None
        link.close()
        assert not thread.is_alive()
        link.close()
        done.set()
        (news,) = link.news()
        assert news.startswith("Frames come faster than"), "an end is no lost connection"


def test_noise_of_the_server_is_passed_over() -> None:
    def noisy(connection: ServerConnection) -> None:
        for message in ("no JSON", "[" * 5000, "{}", "[]", '["_kicked"]', "17", b"\x00\x01"):
            connection.send(message)
        server.take(connection)

    with serving(noisy) as server:
        link = link_to(server)
        link.open()
        link.send(frame(1))
        assert server.frames(1) == [encode(frame(1))]
        link.close()
        assert link.news() == []


# The address and the secret.


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("wss://nestrischamps.io", "wss://nestrischamps.io/ws/room/producer/X"),
        ("ws://localhost:5080/", "ws://localhost:5080/ws/room/producer/X"),
        ("wss://[::1]:80/u/yobi_9-a", "wss://[::1]:80/ws/room/u/yobi_9-a/producer/X"),
    ],
)
def test_addresses(text: str, url: str) -> None:
    assert address_of(text).url("X") == url


@pytest.mark.parametrize(
    "text",
    [
        "nestrischamps.io",
        "https://nestrischamps.io",
        f"wss://nestrischamps.io/ws/room/producer/{SECRET}",
        f"wss://{SECRET}@nestrischamps.io",
        f"wss://nestrischamps.io/u/yobi/{SECRET}",
        f"wss://nestrischamps.io?{SECRET}",
        "wss://host:0",
        "wss://host:70000",
        "wss://",
        "wss://ho st",
        "wss://host/u/Yobi",
    ],
)
def test_what_is_no_address_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(UsageError, match="--publish takes wss://HOST") as refused:
        address_of(text)
    assert SECRET not in str(refused.value)


def test_the_secret_of_the_environment_comes_first(user_config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = secret_file()
    assert file.parent == user_config
    file.write_text("from-the-file\n", encoding="ascii")
    file.chmod(0o600)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert secret() == "from-the-file"
    monkeypatch.setenv(VARIABLE, "from-the-environment")
    assert secret() == "from-the-environment"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620, 0o601])
def test_a_file_that_others_may_read_is_refused(mode: int, user_config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    file = secret_file()
    file.write_text(SECRET, encoding="ascii")
    file.chmod(mode)
    with pytest.raises(UsageError, match="chmod 600") as refused:
        secret()
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("text", ["", " ", "two words", "a/b", "a" * 300, "geheim\u00fc", "\x00", "a\nb"])
def test_a_secret_that_is_none_is_not_shown(text: str, user_config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    file = secret_file()
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(UsageError, match="letters, digits and hyphens") as refused:
        secret()
    assert not text.strip() or text not in str(refused.value)
    if text.strip() and "\x00" not in text:
        monkeypatch.setenv(VARIABLE, text)
        with pytest.raises(UsageError, match=f"The secret in {VARIABLE} is none") as refused:
            secret()
        assert text not in str(refused.value)


@pytest.mark.usefixtures("user_config")
def test_no_secret_says_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(UsageError, match="needs the secret") as refused:
        secret()
    assert VARIABLE in str(refused.value)
    assert str(secret_file()) in str(refused.value)
    secret_file().mkdir()
    with pytest.raises(UsageError, match="it is a folder"):
        secret()
