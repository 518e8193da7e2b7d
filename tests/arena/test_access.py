"""Who is let in: by token, by Host and by Origin."""

from __future__ import annotations

import pytest

from emubot.arena.access import Access, Role
from emubot.listening import is_loopback, outward


def test_each_role_has_a_token_of_its_own_and_each_session_new_ones() -> None:
    first, second = Access("127.0.0.1", 8000), Access("127.0.0.1", 8000)
    tokens = [*first.tokens.values(), *second.tokens.values()]
    assert len(set(tokens)) == 2 * len(Role)
    assert all(len(token) >= 32 for token in tokens)
    for role in Role:
        assert first.role_of(first.tokens[role]) is role
    for wrong in ("", "x", second.tokens[Role.OWNER], first.tokens[Role.OWNER] + "x", "ä€"):
        assert first.role_of(wrong) is None


def test_the_token_is_in_the_fragment_alone() -> None:
    access = Access("127.0.0.1", 8000)
    address, fragment = access.url().split("#")
    assert address == "http://127.0.0.1:8000/"
    assert fragment == access.tokens[Role.OWNER]


def test_those_without_a_token_have_the_role_of_anybody_and_no_other() -> None:
    access = Access("127.0.0.1", 8000, anybody=Role.SPECTATOR)
    assert access.role_of("") is Role.SPECTATOR
    assert access.role_of("x") is None
    assert access.url(Role.SPECTATOR) == "http://127.0.0.1:8000/"
    assert access.url() == f"http://127.0.0.1:8000/#{access.tokens[Role.OWNER]}"


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_our_own_names_are_known(host: str) -> None:
    access = Access("127.0.0.1", 8000)
    assert access.is_known_host(host)
    assert access.is_own_origin(f"http://{host}")


@pytest.mark.parametrize(
    "host",
    [None, "", "127.0.0.1", "127.0.0.1:8001", "evil.example:8000", "127.0.0.1.evil.example:8000", "10.0.0.1:8000"],
)
def test_other_names_are_not(host: str | None) -> None:
    access = Access("127.0.0.1", 8000)
    assert not access.is_known_host(host)
    assert not access.is_own_origin(None if host is None else f"http://{host}")


@pytest.mark.parametrize("origin", ["null", "https://127.0.0.1:8000", "127.0.0.1:8000", "http://127.0.0.1:8000/"])
def test_other_origins_are_not_ours(origin: str) -> None:
    assert not Access("127.0.0.1", 8000).is_own_origin(origin)


def test_a_server_for_all_addresses_is_known_by_numbers_and_never_by_a_foreign_name() -> None:
    access = Access("0.0.0.0", 8000)
    assert access.is_known_host("192.168.1.7:8000")
    assert not access.is_known_host("evil.example:8000")


def test_a_server_for_all_addresses_invites_to_the_one_that_others_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    access = Access("0.0.0.0", 8000)
    monkeypatch.setattr("emubot.arena.access.outward", lambda host: "192.168.1.7")
    words = access.invitations()
    assert all(words[name].startswith("http://192.168.1.7:8000/#") for name in ("player", "spectator"))
    assert access.url().startswith("http://127.0.0.1:8000/#"), "the owner sits here"
    monkeypatch.setattr("emubot.arena.access.outward", lambda host: None)
    words = access.invitations()
    assert words["player"].startswith("http://127.0.0.1:8000/#")
    assert "--host ADDRESS" in words["instead"]
    assert "pictures" not in words


def test_the_address_that_others_reach() -> None:
    assert outward("127.0.0.1") is None
    assert outward("10.0.0.2") == "10.0.0.2"
    found = outward("0.0.0.0")
    assert found is None or (found != "0.0.0.0" and not is_loopback(found))


def test_loopback_is_told_from_the_rest() -> None:
    assert [
        is_loopback(host) for host in ("127.0.0.1", "127.3.2.1", "::1", "localhost", "0.0.0.0", "192.168.0.1", "x")
    ] == [
        *[True] * 4,
        *[False] * 3,
    ]


def test_the_headers_allow_no_inline_code_and_no_other_host() -> None:
    policy = Access("127.0.0.1", 8000).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
