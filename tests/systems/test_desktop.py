"""Shells and displays of each system."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.systems import desktop
from tests.systems.conftest import Become


def test_words_of_a_shell(become: Become) -> None:
    for system in ("Linux", "macOS"):
        become(system)
        assert [desktop.quoted(word) for word in ("a.b", "a b", "it's")] == ["a.b", "'a b'", "'it'\"'\"'s'"]
        assert desktop.python() == "python3"
    become("Windows")
    words = ("C:\\a-b.c", "C:\\Program Files\\x", "numpy>=1.26")
    assert [desktop.quoted(word) for word in words] == ["C:\\a-b.c", '"C:\\Program Files\\x"', '"numpy>=1.26"']
    assert desktop.python() == "py"


def test_only_on_linux_a_display_may_be_missing(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    for system, has in (("Linux", False), ("macOS", True), ("Windows", True)):
        become(system)
        assert desktop.has_display() is has
    become("Linux")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert desktop.has_display()


def test_only_linux_has_snaps(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_dir", lambda _: True)
    for system, has in (("Linux", True), ("macOS", False), ("Windows", False)):
        become(system)
        assert desktop.has_snaps() is has
