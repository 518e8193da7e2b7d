"""Attempts follow each other without a pause: the fake server needs none."""

from __future__ import annotations

import pytest

from emubot.bridges.nintaco import bridge
from emubot.bridges.nintaco.api import client


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RETRY", 0.01)
    monkeypatch.setattr(bridge, "RETRY", 0.01)
    monkeypatch.setattr(bridge, "_FIRST_FRAME", 0.5)
