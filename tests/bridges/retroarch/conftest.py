"""Fixtures for the tests of the RetroArch bridge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .fake import FakeRetroArch


@pytest.fixture
def fake() -> Iterator[FakeRetroArch]:
    """A scripted RetroArch that runs a game."""
    retroarch = FakeRetroArch()
    try:
        yield retroarch
    finally:
        retroarch.close()
