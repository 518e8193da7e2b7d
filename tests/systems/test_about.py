"""What a machine is said to be, without the names on it."""

from __future__ import annotations

import getpass
import platform
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from emubot.systems import about
from tests.systems.conftest import Become


def test_each_system_is_named_with_numbers_alone(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "release", lambda: "6.1.0-janes-box+")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.36"))
    monkeypatch.setattr(platform, "mac_ver", lambda: ("14.5", ("", "", ""), "arm64"))
    monkeypatch.setattr(platform, "version", lambda: "10.0.22631")
    named = {}
    for system in ("Linux", "macOS", "Windows"):
        become(system)
        named[system] = about.system()
    assert named == {"Linux": "Linux 6.1.0, glibc 2.36", "macOS": "macOS 14.5", "Windows": "Windows 10.0.22631"}
    become("Linux")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert about.system() == "Linux 6.1.0, another C library"


def test_users_and_machines_are_known_by_all_their_names(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*about._USERS, *about._MACHINES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SUDO_USER", "jane2")
    monkeypatch.setenv("COMPUTERNAME", "BOX")
    monkeypatch.setattr(platform, "node", lambda: "box.example")
    monkeypatch.setattr(getpass, "getuser", lambda: "jane")
    monkeypatch.setattr(Path, "home", lambda: Path("/places/jdoe"))
    account = SimpleNamespace(pw_name="jd", pw_gecos="Jane Doe,,+1 555,")
    monkeypatch.setitem(sys.modules, "pwd", SimpleNamespace(getpwuid=lambda _: account))
    ours = {"jane2", "BOX", "box.example", "box", "jane", "jdoe"}
    for system, more in (("Linux", {"jd", "Jane Doe", "+1 555"}), ("Windows", set[str]())):
        become(system)
        assert about.names() == ours | more


def test_a_user_may_have_no_name_and_no_home(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> str:
        raise KeyError("uid not found: 12345")

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(getpass, "getuser", nobody)
    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setitem(sys.modules, "pwd", SimpleNamespace(getpwuid=nobody))
    become("Linux")
    assert platform.node() in about.names() | {""}
