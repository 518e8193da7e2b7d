"""What recorded games of all families have in common: their recorder, their frames, a field as text; knows no game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from emubot.games.edition import GameRecorder
from emubot.games.recorded import SPACES
from emubot.games.replaying import Frames, Loadable
from emubot.games.rows import PADS, fields_of, page_of, plain_recorder
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Phase, Snapshot
from emubot.trace import Recorder, Trace


class FieldRecorder(GameRecorder):
    """Records and replays games of one map."""

    def __init__(
        self,
        ram_map: RamMap,
        known: Sequence[str],
        needed: Collection[str],
        machine: Callable[[RamMap], Loadable],
        drawn: Sequence[Callable[[bytes], Sequence[str]]],
    ) -> None:
        """`known` are the values that the simulator knows, `needed` those without which it cannot replay.

        `drawn` has a function for each player that draws the player's field.
        """
        self._map, self._known, self._needed = ram_map, known, needed
        self._machine, self._drawn = machine, drawn

    def begin(self, order: str) -> Recorder:
        """Returns a recorder of what the simulator knows; of all that the map has if it lacks a needed value."""
        ram_map = self._map
        names = ram_map.reader().names
        if ram_map.spaces != ("ram",) or not {*self._needed, *PADS} <= names:
            return plain_recorder(ram_map, order)
        fields, addresses = zip(*fields_of(ram_map, self._known), strict=True)
        pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
        return Recorder(fields, addresses, page_of(ram_map), pads, order)

    def records(self, snapshot: Snapshot) -> bool:
        """Returns whether this frame belongs to a recorded game: from its first frame to the menu after it."""
        return snapshot.phase.in_game or snapshot.phase is Phase.OVER

    def verify(self, trace: Trace) -> tuple[int, int]:
        """Replay a trace on the simulator; returns the number of rows that differ and the first of them, or -1.

        All recorded values, the kinds and the links of all cells are compared. After a difference the replay continues
        from the recorded row. Raises TraceError if the trace does not fit the map or cannot be of this game.
        """
        return Frames(trace, self._map, self._known).replay(self._machine)

    def draw(self, trace: Trace, row: int) -> Sequence[str]:
        """Returns the fields after a row as lines of text, side by side: see `field_lines`."""
        ram = Frames(trace, self._map, self._known).ram(row)
        return ["   ".join(lines) for lines in zip(*(drawn(ram) for drawn in self._drawn), strict=True)]


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
