"""Fixtures for windows: an X server for all tests of a run, and the environment in which SDL uses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from emubot.bridges.libretro import LibretroBridge
from tests.view.stage import Stage, require_pygame


@pytest.fixture(scope="session")
def x_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One Xvfb for all tests."""
    require_pygame()
    stage = Stage(tmp_path_factory.mktemp("screen"))
    yield stage
    stage.close()


@pytest.fixture
def stage(x_server: Stage, user_config: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """SDL draws on the server's screen and plays to nowhere; the user has no bindings of their own."""
    monkeypatch.setenv("DISPLAY", x_server.display)
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    return x_server


@pytest.fixture
def bridge(stage: Stage) -> Iterator[LibretroBridge]:
    """The demo cartridge in a core, some frames after power-on, at normal speed."""
    from tests.view.staged import started

    with started() as opened:
        yield opened
