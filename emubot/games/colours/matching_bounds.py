"""What may be asked of the player of matching games: its budget; knows no search.

A module of its own, because kernels stand on it: they are compiled anew after a change of what they stand on.
"""

from __future__ import annotations

from typing import Final

NODES: Final = 2_000  # of a decision; benchmarks/matching.md
MOST_NODES: Final = 1_000_000
