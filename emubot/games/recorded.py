"""Recorded games by family, map and row; knows no family of its own and opens no path from a file."""

from __future__ import annotations

from typing import Final

from emubot.errors import MapError, TraceError
from emubot.games import game, names
from emubot.games.edition import Edition
from emubot.games.protocol import Game, Replayable
from emubot.games.rows import PADS, page_of
from emubot.rammap import RamMap, load_map, map_named
from emubot.rammap.spaces import index_of
from emubot.text import printable
from emubot.trace import Trace

SPACES: Final = "spaces"  # in a trace's note: the memory spaces of its map
_ONLY_RAM: Final = ("ram",)  # the spaces of a trace that names none


def game_of(trace: Trace) -> Game | None:
    """Returns the family that the trace names, or else the one that can replay it; None if there is none."""
    if trace.about.get("game") in names():
        return game(trace.about["game"])
    return next((one for one in map(game, names()) if isinstance(one, Replayable) and one.replays(trace)), None)


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


def edition_of(trace: Trace, game: Game, map_name: str | None = None) -> Edition:
    """Returns the game as the trace's cartridge plays it: by the named map, else the trace's, else the family's own.

    Raises MapError if there is no such map or if the family cannot play by it, TraceError as `map_of` or for a map of
    another family.
    """
    ram_map = load_map(map_name or game.facts.default_map)
    if map_name is None and trace.about.get("map", ram_map.name) != ram_map.name:
        return game.open(map_of(trace))
    if ram_map.family != game.name:
        raise TraceError(
            f"The trace is of {game.name}, and the map {ram_map.name} is of {ram_map.family}: name the map it was "
            "recorded with by --map."
        )
    return game.open(ram_map.for_identity(str(trace.about.get("rom"))))


def memory_of(trace: Trace, row: int, ram_map: RamMap) -> bytes:
    """Returns the image of the map's memory after a row of the trace; bytes that were not recorded are 0.

    Raises TraceError if the trace holds other bytes than the map has.
    """
    size = ram_map.image_size
    length = trace.page.shape[1]
    page, known = ram_map.regions.get("page", (0, -1))
    if known != length:  # the recording of a game that no simulator replays
        page, known = page_of(ram_map)
    places = [index_of(int(address)) for address in trace.address]
    same_spaces = trace.about.get(SPACES, [*_ONLY_RAM]) == [*ram_map.spaces]
    if known != length or not same_spaces or not all(0 <= place < size for place in places):
        raise TraceError(f"The trace does not fit the map {ram_map.name}: name the map of its recording with --map.")
    memory = bytearray(size)
    start = index_of(page)
    memory[start : start + length] = trace.page[row].tobytes()
    for place, value in zip(places, trace.state[row], strict=True):
        memory[place] = value
    for name, pad in zip(PADS, trace.pads[row], strict=True):
        if name in ram_map.reader().names and name not in trace.fields:
            memory[index_of(ram_map.addresses(name)[0])] = pad
    return bytes(memory)
