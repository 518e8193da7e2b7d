"""Decodes RAM into a Snapshot for the pairs family, by the map's value names; knows no address and no search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.turning import pair_shape, pair_turning
from emubot.games.colours.decode import gate
from emubot.games.colours.decode.codes import Kinds, PieceCodes, kinds_read
from emubot.games.colours.decode.frame import Translation, after_pads
from emubot.games.colours.decode.map_checks import HALF_VALUES, PLACE_VALUES, check_pairs
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import BIG, Rules
from emubot.games.colours.timing import PAIRS, PuyoTiming
from emubot.games.gate import counters_judge
from emubot.games.outcome import WON, outcome_of
from emubot.games.without_piece import WithoutPiece
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.placing import Placed, placed_by_cells
from emubot.snapshot import Phase, Piece, Snapshot

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
_PLAYERS: Final = 2
_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})


class Decoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and any bytes can be decoded.

    Raises MapError for a map that the family cannot read.
    """

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        check_pairs(ram_map)
        self._reader = reader = ram_map.reader(player)
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        known = [name for name in COUNTERS if name in reader.scalars]
        self._names = (*known, *(name for name in counter if name not in known))
        self._outcome = outcome_of(reader, player)
        self._opponent = _other(ram_map, player)
        self._placed = placed_by_cells(ram_map, player, ordered=True, id_name="orientation")
        self._places = () if self._placed is not None else PLACE_VALUES
        self._select = reader.select((*self._places, *HALF_VALUES, *self._names))
        self._codes = PieceCodes(ram_map)
        self._kinds = kinds_read(reader.kinds, reader.solid)
        self._rules = rules_of_map(ram_map)
        self._visible, self._hidden = Translation(self._kinds), Translation(self._kinds)
        self._without = WithoutPiece() if ram_map.document.grid.shows_piece else None
        self._judged: tuple[Kinds, Kinds, str | None] | None = None  # the field judged last
        self._judge = counters_judge(reader, gate.PAIR_COUNTERS)

    def __call__(self, ram: bytes) -> Snapshot:
        """Returns the snapshot of the bytes of the map's memory space."""
        phase, state = self._reader.phase(ram)
        numbers, count = self._select(ram), len(self._places)
        place = numbers[:count] if self._placed is None else _by_cells(self._placed(ram))
        rest = numbers[count:]
        halves, values = [self._codes.kind(code) for code in rest[:4]], rest[4:]
        first, second = self._codes.pivot_of(halves[:2]), self._codes.pivot_of(halves[2:])
        pivot, satellite = halves[first], halves[1 - first]
        following = (halves[2 + second], halves[3 - second])
        counters = dict(zip(self._names, values, strict=True)) | {"pivot": pivot, "satellite": satellite}
        if self._outcome is not None:
            counters[WON] = self._outcome(ram)
        if self._opponent is not None:
            (counters["opponent_score"],) = self._opponent.score(ram)
            spawn = self._opponent.playfield(ram)[:, self._rules.spawn.column]
            counters["opponent_height"] = int(np.count_nonzero(spawn))
        board = self._visible(self._reader.playfield(ram)), self._hidden(self._reader.hidden(ram))
        current = self._piece((pivot, satellite), first, place) if phase in _WITH_PIECE else None
        if self._without is not None and current is not None and phase is Phase.PLAYING:
            shape = pair_shape(pivot, current.orientation)
            board = self._without(board, [(current.column + dx, current.row + dy) for dx, dy in shape])
        fault = None
        if phase is Phase.PLAYING:
            fault = self._field_fault(*board) or self._judge(counters)
            phase = Phase.PLAYING if fault is None else Phase.UNKNOWN
        return Snapshot(
            phase=phase,
            state=state,
            playfield=board[0],
            hidden=board[1],
            current=current if phase in _WITH_PIECE else None,
            next=following if all(following) and gate.is_pair(*following) else (),
            counters=counters,
            fault=fault,
        )

    def _field_fault(self, playfield: Kinds, hidden: Kinds) -> str | None:
        """Returns why no game has this field in play; remembers it, because a field seldom changes."""
        judged = self._judged
        if judged is None or judged[0] is not playfield or judged[1] is not hidden:
            judged = self._judged = (playfield, hidden, gate.field_fault(playfield, hidden, self._rules))
        return judged[2]

    def _piece(self, kinds: tuple[int, int], half: int, numbers: Sequence[int]) -> Piece | None:
        """Returns the piece, or None if the numbers cannot be one: kernels do not check their indices.

        `kinds` are the pivot's and the satellite's, `half` says which half is the pivot, `numbers` are x, y and
        orientation id.
        """
        x, y, number = numbers
        place, (pivot, satellite) = self._codes.place(number, half), kinds
        if place is None or not gate.is_pair(pivot, satellite):
            return None
        orientation, dx, dy = place
        piece = Piece(0 if pivot >= BIG else orientation, x + dx, y + dy)
        return piece if gate.is_inside(piece, pivot, self._rules, above=not self._codes.usual) else None


def _by_cells(placed: Placed | None) -> tuple[int, int, int]:
    """Returns x, y and orientation id of a pair that is given by its cells; no orientation has the id -1."""
    return (0, 0, -1) if placed is None else (placed.x, placed.y, placed.orientation)


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


def cells_of(snapshot: Snapshot) -> NDArray[Any]:
    """Returns the cells array of a snapshot: uint8 (stored rows, columns), the topmost hidden row first."""
    return np.concatenate((snapshot.hidden[::-1], snapshot.playfield))


def predict(snapshot: Snapshot, pads: Sequence[Pad], rules: Rules, timing: PuyoTiming = PAIRS) -> Snapshot:
    """Returns the snapshot after frames with these pads, which are sent but not used yet; see `after_pads`.

    Gravity is that of the level. Outside play the snapshot is returned unchanged.
    """
    piece, counters = snapshot.current, snapshot.counters
    if not pads or piece is None or snapshot.phase is not Phase.PLAYING:
        return snapshot
    turning, fall = pair_turning(counters["pivot"], rules), timing.fall(counters.get("level", 0))
    return after_pads(snapshot, piece, cells_of(snapshot), turning, fall, pads)
