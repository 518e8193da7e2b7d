"""Somebody else at an emulator's port: what they say is shown, on one line, and nobody is blamed who is not there."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from emubot.bridges import fceux, retroarch
from emubot.bridges.nintaco import Client
from emubot.bridges.retroarch import link
from emubot.errors import BridgeError, EmulatorNotFound

Manner = Callable[[socket.socket], None]
PATIENCE = 0.3  # seconds


def web_server(caller: socket.socket) -> None:
    """Answers when it has heard all of a request."""
    while caller.recv(1024):
        pass
    caller.sendall(b"HTTP/1.1 400 Bad Request\r\nServer: \x1b[31mred\r\n\r\n")


def login(caller: socket.socket) -> None:
    """Speaks first, and waits."""
    caller.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    while caller.recv(1024):
        pass


def silent(caller: socket.socket) -> None:
    while caller.recv(1024):
        pass


def curt(caller: socket.socket) -> None:
    """Ends at once."""


@contextmanager
def listening(manner: Manner) -> Iterator[int]:
    def serve() -> None:
        with suppress(OSError):
            while True:
                caller = server.accept()[0]
                with caller, suppress(OSError):
                    manner(caller)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def to_nintaco(port: int) -> None:
    Client(port=port, reply_timeout=PATIENCE).connect()


def to_fceux(port: int) -> None:
    fceux.connect(port=port, patience=PATIENCE)


@pytest.mark.parametrize("call", [to_nintaco, to_fceux])
@pytest.mark.parametrize(
    ("manner", "said"),
    [
        (web_server, "HTTP/1.1 400 Bad Request??Server: ?[31mred????"),
        (login, "SSH-2.0-OpenSSH_9.2??"),
    ],
)
def test_what_a_stranger_says_is_shown_without_its_control_characters(
    manner: Manner, said: str, call: Callable[[int], None]
) -> None:
    with listening(manner) as port:
        with pytest.raises(BridgeError) as caught:
            call(port)
        assert not isinstance(caught.value, EmulatorNotFound), "waiting longer would not help"
        assert f'says "{said}"' in str(caught.value)
        assert "did not answer" not in str(caught.value)


@pytest.mark.parametrize("manner", [silent, curt])
def test_who_says_nothing_is_not_called_nintaco(manner: Manner) -> None:
    with listening(manner) as port:
        with pytest.raises(EmulatorNotFound) as caught:
            to_nintaco(port)
        assert str(caught.value).startswith(f"Something at 127.0.0.1:{port} accepts the connection and says nothing")


def test_a_stranger_at_retroarchs_port_is_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_LONGEST_TIMEOUT", PATIENCE)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.bind(("127.0.0.1", 0))
        port = stranger.getsockname()[1]

        def answer() -> None:
            _, asker = stranger.recvfrom(2048)
            stranger.sendto(b"who \x1b]0;is\x07 there?", asker)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(EmulatorNotFound) as caught:
            retroarch.connect(port=port)
        thread.join()
        assert f'What answers at 127.0.0.1:{port} says "who ?]0;is? there?"' in str(caught.value)
