"""Writes toys as NAME.nes and NAME.yaml: `python -m tests.toys FOLDER [NAME ...]`, all of them without a name."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.toys.cartridge import build
from tests.toys.maps import map_text
from tests.toys.shelf import TOYS


def main(words: list[str]) -> None:
    """Writes them. Raises KeyError for a name that is no toy."""
    folder = Path(words[0]).resolve()  # the linker runs in a folder of its own
    folder.mkdir(parents=True, exist_ok=True)
    for name in words[1:] or TOYS:
        build(TOYS[name], folder)
        (folder / f"{name}.yaml").write_text(map_text(TOYS[name]), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
