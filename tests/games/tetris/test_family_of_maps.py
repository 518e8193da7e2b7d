"""What the family offers depends on the map: no timing profile, no simulator."""

from __future__ import annotations

import pytest

from emubot.datafiles import shipped
from emubot.errors import MapError
from emubot.rammap import parse_map
from tests.families import whole_edition


def test_a_map_without_a_timing_profile_has_no_simulator() -> None:
    text = (shipped("ram_maps") / "nes_tetris_usa.yaml").read_text(encoding="utf-8")
    without = parse_map(text.replace("timing:\n  profile: nes-ntsc", "timing: {}\n"), "untimed")
    with pytest.raises(MapError, match="has no simulator"):
        whole_edition(without).simulator.machine(None)
