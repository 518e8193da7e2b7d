"""Unknown cartridges of colours are drafted, proved, and right in what their maps say."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.bridges.libretro import connect
from emubot.discovery.discover import discover
from emubot.rammap import parse_map
from tests.bridges.cores import require_core
from tests.discovery.colours.truth import wrong_lines
from tests.toys.strangers.colours import build, colour_stranger

pytestmark = [pytest.mark.core("fceumm"), pytest.mark.jit, pytest.mark.slow]


@pytest.mark.parametrize("seed", [5, 13], ids=["pairs", "columns that look like falling blocks"])
def test_a_stranger_of_colours_is_found_out(seed: int, tmp_path: Path) -> None:
    stranger, core = colour_stranger(seed), str(require_core("fceumm"))
    image, lines = build(stranger, tmp_path), list[str]()
    with connect(rom=image, core=core, emu_speed=None) as bridge:
        found = discover(bridge, stranger.name, "0" * 40, lines.append, lambda edition: None)
    assert found.proof.holds
    assert any("vanish" in line for line in lines)
    assert wrong_lines(parse_map(found.text, stranger.name), {"seed": seed}, image, core) == []
