"""The map of a recorded game, by the name in the recording; knows no family and opens no path from a file."""

from __future__ import annotations

from emubot.errors import MapError, TraceError
from emubot.rammap import RamMap, map_named
from emubot.text import printable
from emubot.trace import Trace


def map_of(trace: Trace) -> RamMap:
    """Returns the map that the trace names, for the trace's cartridge. Raises TraceError if there is no such map."""
    name = str(trace.about.get("map", ""))
    try:
        ram_map = map_named(name)
    except MapError as missing:
        raise TraceError(
            f"The trace was recorded with the map {printable(name)!r}, which is not there: name its file "
            "with --map, or put it into your folder of maps."
        ) from missing
    return ram_map.for_identity(str(trace.about.get("rom")))
