"""Recorded games, one row per frame: record, store, read, write.

docs/how-to/traces.md describes the files. `order` says what one row is: `game-nmi` (game part, then the next vertical
blank) or `nmi-game` (vertical blank, then game part, as a libretro core shows it).
"""

from emubot.trace.archive import read_trace, write_trace
from emubot.trace.game import LARGEST, ORDERS, Trace
from emubot.trace.part import PartFile
from emubot.trace.recorder import Recorder

__all__ = ["LARGEST", "ORDERS", "PartFile", "Recorder", "Trace", "read_trace", "write_trace"]
