"""A machine that says it is another one."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable

import pytest

Become = Callable[..., None]
PLATFORMS = {"Linux": "linux", "macOS": "darwin", "Windows": "win32", "FreeBSD": "freebsd14"}


@pytest.fixture
def become(monkeypatch: pytest.MonkeyPatch) -> Become:
    """A function that lets Python name another system, and another processor, until the end of the test."""

    def now(system: str, machine: str = "x86_64") -> None:
        monkeypatch.setattr(sys, "platform", PLATFORMS[system])
        monkeypatch.setattr(platform, "machine", lambda: machine)

    return now
