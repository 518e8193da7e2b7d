"""Decodes RAM into a Snapshot for the pairs family, by the map's value names; knows no address and no search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import EmubotError
from emubot.games.findings import Finding, refuse
from emubot.games.puyo.board.control import Falling, control
from emubot.games.puyo.decode.codes import COLOR_NAMES, Kinds, PieceCodes, kinds_read
from emubot.games.puyo.rules import BIG, COLUMNS, PROFILES, Rules, rules_of
from emubot.games.puyo.timing import DEMO, Timing, gravity
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.placing import names_of_place, placed_by_cells
from emubot.snapshot import Phase, Piece, Snapshot

# The values that every map of the family must have for every player.
PIECE_VALUES: Final = ("x", "y", "orientation", "current_bottom", "current_top", "next_bottom", "next_top")
_PLACE: Final = 3  # so many of them are the piece's place, which `place` gives instead
# Optional values that search, steering and reports may know. No generator state, no count of draws.
COUNTERS: Final = (
    "drop_timer",
    "level",
    "score",
    "blocks",
    "pending",
    "spawn_delay",
    "spawn_flag",
    "play_state",
    "game_state",
    "mode",
    "colors",
    "chain",
    "chain_points",
    "repeat",
    "held_buttons",
)
_LOSER: Final = "loser"  # 0: none, otherwise the player from 1; decoded into the counter `won`
_PLAYERS: Final = 2
_LEAST_COLORS: Final = 3
_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})


def check_map(ram_map: RamMap) -> None:
    """Raise MapError if the family cannot read this map. Values that the map marks `learn` may stay open."""
    refuse(findings(ram_map))


def findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields everything that the family cannot read in this map. Values that it marks `learn` may stay open."""
    try:
        rules = rules_of(ram_map.profile, ram_map.rules)
    except EmubotError as wrong:
        yield Finding(("rules",) if ram_map.profile in PROFILES else ("profile",), str(wrong))
        return
    for player in range(ram_map.players):
        reader = ram_map.reader(player)
        missing = [name for name in _needed(ram_map) if name not in reader.scalars]
        if missing:
            whose = f" for player {player + 1}" if ram_map.players > 1 else ""
            text = f"The map {ram_map.name} lacks {', '.join(missing)}{whose}: a pairs game needs these values."
            yield Finding(("values",), text)
    grid = ram_map.document.grid
    found = (grid.rows, grid.columns, len(grid.hidden))
    wanted = (rules.visible_rows, COLUMNS, rules.hidden_rows)
    if found != wanted:
        yield Finding(
            ("grid",),
            f"The grid of the map {ram_map.name} has {found[0]} rows, {found[1]} columns and {found[2]} hidden rows, "
            f"but its rules {rules.name} have {wanted[0]}, {wanted[1]} and {wanted[2]}: correct the grid or the rules.",
        )
    unnamed = [name for name in COLOR_NAMES[:_LEAST_COLORS] if name not in grid.cell.kinds]
    if unnamed:
        text = f"The map {ram_map.name} has no kinds {', '.join(unnamed)}: name the colours of the cells so."
        yield Finding(("grid", "cell", "kinds"), text)
    if names_of_place(ram_map) and ram_map.learns:
        yield Finding(
            ("place",),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} to be learnt and gives the pair by its cells: "
            "learning needs x, y and orientation instead.",
        )
    codes = PieceCodes(ram_map)
    for odd in codes.odd:
        yield Finding(
            ("pieces", next(place for place, entry in enumerate(ram_map.pieces) if entry.id == odd)),
            f"Orientation {odd} in the map {ram_map.name} is no pair: give the cells of the bottom and of the "
            "top half, side by side or one above the other.",
        )
    if codes.known and codes.missing and not codes.odd:
        yield Finding(
            ("pieces",),
            f"The map {ram_map.name} has no orientation whose other half is {_WHERE[codes.missing[0]]} the pivot: a "
            "pairs game needs all four.",
        )


def _needed(ram_map: RamMap) -> tuple[str, ...]:
    """Returns the values that the map must have for every player."""
    cells = names_of_place(ram_map)
    return (*cells, *PIECE_VALUES[_PLACE:]) if cells else PIECE_VALUES


_NOWHERE: Final = (-1, 0, 0)  # no orientation has this id
_WHERE: Final = ("above", "right of", "below", "left of")


class Decoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and any bytes can be decoded.

    Raises MapError for a map that the family cannot read.
    """

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        check_map(ram_map)
        self._reader = reader = ram_map.reader(player)
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        known = [name for name in COUNTERS if name in reader.scalars]
        self._names = (*known, *(name for name in counter if name not in known))
        self._loser = (_LOSER,) if _LOSER in reader.scalars else ()
        self._player = player
        self._opponent = _other(ram_map, player)
        self._placed = placed_by_cells(ram_map, player, ordered=True)
        needed = PIECE_VALUES if self._placed is None else PIECE_VALUES[_PLACE:]
        self._select = reader.select((*needed, *self._loser, *self._names))
        self._codes = PieceCodes(ram_map)
        self._kinds = kinds_read(reader.kinds, reader.solid)
        self._rules = rules_of(ram_map.profile, ram_map.rules)
        self._visible, self._hidden = _Translation(self._kinds), _Translation(self._kinds)

    def __call__(self, ram: bytes) -> Snapshot:
        """Returns the snapshot of the bytes of the map's memory space."""
        phase, state = self._reader.phase(ram)
        if self._placed is None:
            x, y, orientation, *rest = self._select(ram)
        else:
            rest = [*self._select(ram)]
            orientation, x, y = self._placed(ram) or _NOWHERE
        halves, values = [self._codes.half(code) for code in rest[:4]], rest[4 + len(self._loser) :]
        if self._codes.pivot:
            halves = [halves[1], halves[0], halves[3], halves[2]]
        pivot, satellite, *following = halves
        counters = dict(zip(self._names, values, strict=True)) | {"pivot": pivot, "satellite": satellite}
        if self._loser:
            counters["won"] = int(rest[4] not in (0, self._player + 1))
        if self._opponent is not None:
            (counters["opponent_score"],) = self._opponent.score(ram)
            spawn = self._opponent.playfield(ram)[:, self._rules.spawn.column]
            counters["opponent_height"] = int(np.count_nonzero(spawn))
        return Snapshot(
            phase=phase,
            state=state,
            playfield=self._visible(self._reader.playfield(ram)),
            hidden=self._hidden(self._reader.hidden(ram)),
            current=self._piece(halves[:2], orientation, x, y) if phase in _WITH_PIECE else None,
            next=tuple(following) if all(following) else (),
            counters=counters,
        )

    def _piece(self, halves: Sequence[int], number: int, x: int, y: int) -> Piece | None:
        """Returns the piece, or None if the numbers cannot be one: kernels do not check their indices."""
        place, (pivot, satellite) = self._codes.place(number), halves
        if place is None or pivot < BIG <= satellite:  # a pair has no item as its satellite
            return None
        orientation, dx, dy = place
        falling = Falling(pivot=pivot, orientation=orientation)
        piece = Piece(0 if falling.is_item else orientation, x + dx, y + dy)
        highest = -self._rules.hidden_rows
        columns = [piece.column + cell[0] for cell in falling.shape]
        rows = [piece.row + cell[1] for cell in falling.shape]
        inside = min(columns) >= 0 and max(columns) < COLUMNS and max(rows) < self._rules.visible_rows
        return piece if inside and piece.row >= highest else None


@dataclass(frozen=True, slots=True)
class _Other:
    """Reads the other player's score and playfield."""

    score: Callable[[bytes], tuple[int, ...]]
    playfield: Callable[[bytes], Kinds]


def _other(ram_map: RamMap, player: int) -> _Other | None:
    """Returns the reader of the other player; None if there is no other player or no score of theirs."""
    if ram_map.players != _PLAYERS:
        return None
    other = ram_map.reader(1 - player)
    return _Other(other.select(("score",)), other.playfield) if "score" in other.scalars else None


class _Translation:
    """Translates a map's kinds to the family's. Keeps the last result for an array that comes unchanged again."""

    def __init__(self, table: Kinds) -> None:
        self._table = table
        self._last: tuple[Kinds, Kinds] | None = None

    def __call__(self, kinds: Kinds) -> Kinds:
        last = self._last
        if last is not None and last[0] is kinds:
            return last[1]
        translated: Kinds = self._table[kinds]
        translated.flags.writeable = False
        self._last = (kinds, translated)
        return translated


def cells_of(snapshot: Snapshot) -> NDArray[Any]:
    """Returns the cells array of a snapshot: uint8 (stored rows, 6), the topmost hidden row first."""
    return np.concatenate((snapshot.hidden[::-1], snapshot.playfield))


def predict(snapshot: Snapshot, pads: Sequence[Pad], rules: Rules, timing: Timing = DEMO) -> Snapshot:
    """Returns the snapshot after frames with these pads, which are sent but not used yet.

    Only control is simulated; gravity is that of the level. A piece that locks in these frames stays where it locks, in
    the phase LOCKED. Outside play the snapshot is returned unchanged. If a map has no held buttons, drop timer or
    repeat counter, they start from their initial values.
    """
    if not pads or snapshot.current is None or snapshot.phase is not Phase.PLAYING:
        return snapshot
    counters = dict(snapshot.counters)
    piece, cells, level = snapshot.current, cells_of(snapshot), counters.get("level", 0)
    falling = Falling(
        pivot=counters["pivot"],
        satellite=counters["satellite"],
        orientation=piece.orientation,
        column=piece.column,
        row=piece.row,
        drop_timer=counters.get("drop_timer", gravity(timing, level)),
        repeat=counters.get("repeat", 0),
    )
    held, locked = counters.get("held_buttons", 0), False
    for pad in pads:
        locked = locked or control(falling, cells, rules, timing, level, int(pad) & ~held, int(pad))
        held = int(pad)
    moved = {"drop_timer": falling.drop_timer, "repeat": falling.repeat, "held_buttons": held}
    return replace(
        snapshot,
        phase=Phase.LOCKED if locked else Phase.PLAYING,
        state="locked" if locked else snapshot.state,
        current=Piece(falling.orientation, falling.column, falling.row),
        counters=counters | {name: value for name, value in moved.items() if name in counters},
    )
