"""Attempts follow each other without a pause: the scripted FCEUX needs none."""

from __future__ import annotations

import pytest

from emubot.bridges.scripted import bridge


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_AGAIN", 0.005)
