"""Recorded games that can become movies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from emubot.trace import read_trace, write_trace
from tests import paths

MD5 = "000102030405060708090A0B0C0D0E0F"
RECORDED = paths.RECORDED / "nes_tetris_11.npz"


def changed(file: Path, **fields: object) -> Path:
    """The same file, whose game now says this of its origin."""
    trace = read_trace(file)
    write_trace(file, replace(trace, about={**trace.about, **fields}))
    return file
