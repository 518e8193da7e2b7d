"""What terminals of each system show."""

from __future__ import annotations

import os
import sys

import pytest

from emubot.systems import terminals
from tests.systems.conftest import Become


def test_the_old_console_of_windows_takes_no_sequences(become: Become, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WT_SESSION", "TERM", "ConEmuANSI", "ANSICON"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "isatty", lambda file: file == 2)
    for system, takes in (("Linux", True), ("macOS", True), ("Windows", False)):
        become(system)
        assert terminals.takes_sequences(2) is takes
        assert not terminals.takes_sequences(1)
    monkeypatch.setenv("WT_SESSION", "1")
    assert terminals.takes_sequences(2)


def test_windows_terminals_have_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "curses", None)
    monkeypatch.setenv("TERM", "vt100")
    assert terminals.has_colours()
