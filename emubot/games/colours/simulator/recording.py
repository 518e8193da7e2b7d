"""What recorded games of all families have in common: their recorder, their frames, a field as text; knows no game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from emubot.games.recorded import SPACES
from emubot.games.rows import PADS, fields_of, page_of, plain_recorder
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Phase, Snapshot
from emubot.trace import Recorder, Trace


def recorder_of(ram_map: RamMap, order: str, known: Sequence[str], needed: Collection[str]) -> Recorder:
    """Returns a recorder of the values that the simulator knows; of all that the map has if it lacks a needed one."""
    names = ram_map.reader().names
    if ram_map.spaces != ("ram",) or not {*needed, *PADS} <= names:
        return plain_recorder(ram_map, order)
    fields, addresses = zip(*fields_of(ram_map, known), strict=True)
    pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
    return Recorder(fields, addresses, page_of(ram_map), pads, order)


def records(snapshot: Snapshot) -> bool:
    """Returns whether this frame belongs to a recorded game: from its first frame to the menu after it."""
    return snapshot.phase.in_game or snapshot.phase is Phase.OVER


def holds(trace: Trace, needed: Iterable[str]) -> bool:
    """Returns whether a trace holds these values and the cells."""
    in_ram = trace.about.get(SPACES, ["ram"]) == ["ram"]
    return in_ram and {*needed} <= {*trace.fields} and len(trace.initial_page) > 0


def field_lines(snapshot: Snapshot, falling: Iterable[Cell], letters: Mapping[int, str]) -> list[str]:
    """Returns a field as text: the cells by `letters`, or else their number; the piece in the air as small letters."""
    lines = [[letters.get(int(kind), str(kind)) for kind in line] for line in snapshot.playfield]
    if snapshot.current is not None and snapshot.phase is Phase.PLAYING:
        for cell in falling:
            if cell.row >= 0:
                lines[cell.row][cell.column] = chr(ord("a") + cell.kind - 1)
    return ["".join(line) for line in lines]
