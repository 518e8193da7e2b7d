"""Makes weights/nes_tetris_surfaces.xz: how well pieces lock without a hole, for each surface of nine columns.

    python benchmarks/surfaces.py FILE.xz

Each line is the largest change of a sweep over all 7**8 surfaces. The last one is below 0.01 pieces.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import numpy as np

from emubot.games.tetris.evaluation.surfaces import QUALITIES, WHOLE_STEPS
from emubot.games.tetris.trials.surface_values import surface_values


def main(file: Path) -> None:
    values = surface_values(WHOLE_STEPS, 0.01, lambda change: print(f"{change:.4f}", flush=True))
    print(f"at most {values.max():.2f} pieces")
    qualities = np.rint(values / values.max() * (QUALITIES - 1)).astype(np.uint8)
    file.write_bytes(lzma.compress(qualities.tobytes(), preset=lzma.PRESET_EXTREME | 9))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
