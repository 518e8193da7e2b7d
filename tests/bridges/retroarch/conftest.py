"""Fixtures for the tests of the RetroArch bridge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emubot.bridges.retroarch import link
from tests.bridges.retroarch.fake import FakeRetroArch


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a scripted peer may be slow: a request that is asked again would be another frame."""
    monkeypatch.setattr(link, "_FIRST_TIMEOUT", 10.0)
    monkeypatch.setattr(link, "_LONGEST_TIMEOUT", 10.0)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch, patient: None) -> None:
    """As short a time to answer as in real life, for tests of lost answers."""
    monkeypatch.setattr(link, "_FIRST_TIMEOUT", 0.05)
    monkeypatch.setattr(link, "_LONGEST_TIMEOUT", 1.0)


@pytest.fixture
def fake() -> Iterator[FakeRetroArch]:
    """A scripted RetroArch that runs a game."""
    retroarch = FakeRetroArch()
    try:
        yield retroarch
    finally:
        retroarch.close()
