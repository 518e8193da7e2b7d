"""Fixtures: each real core in turn, and a bridge over our own pad recorder in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from emubot.bridges import attachment
from emubot.bridges.libretro import LibretroBridge, connect
from tests.bridges.cores import CORES, pad_cartridge, require_core


@pytest.fixture(autouse=True)
def attachments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of notes and locks: empty, and nobody else's."""
    folder = tmp_path / "attached"
    monkeypatch.setattr(attachment, "folder", lambda: folder)
    return folder


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.core(name)) for name in CORES])
def core_file(request: pytest.FixtureRequest) -> Path:
    return require_core(request.param)


@pytest.fixture
def bridge(core_file: Path) -> Iterator[LibretroBridge]:
    with connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as opened:
        yield opened
