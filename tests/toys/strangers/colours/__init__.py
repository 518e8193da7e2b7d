"""Strangers of colours: cartridges of pairs, capsules and columns, drawn from a seed, and what their generator knows.

`colour_stranger(seed)` draws one, `build` makes the cartridge, `map_text` is its address map, `truth` says what a tool
should have found. Seeds are for work and for measuring as those of falling blocks.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.toys.strangers.colours.drawing import colour_stranger
from tests.toys.strangers.colours.image import build
from tests.toys.strangers.colours.maps import map_text
from tests.toys.strangers.colours.stranger import Stranger
from tests.toys.strangers.colours.truth import truth

__all__ = ["Stranger", "build", "colour_stranger", "map_text", "truth", "write"]


def write(stranger: Stranger, folder: Path) -> None:
    """Writes the cartridge NAME.nes, its map NAME.yaml and its truth NAME.json."""
    build(stranger, folder)
    (folder / f"{stranger.name}.yaml").write_text(map_text(stranger), encoding="ascii")
    (folder / f"{stranger.name}.json").write_text(json.dumps(truth(stranger), indent=1) + "\n", encoding="ascii")
