"""Decodes RAM into a Snapshot for the matching family, by the map's value names; knows no address and no search.

`counters` of a snapshot holds the kinds of the piece in the air as `kind_1`, `kind_2` and so on (0: none), what
COUNTERS names, if the map has it, and `won` against an opponent. `next` holds the next piece's kinds, half 1 first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from emubot.games.colours.board.turning import piece_turning
from emubot.games.colours.decode import gate
from emubot.games.colours.decode.codes import kinds_read
from emubot.games.colours.decode.frame import MatchingSnapshot, Translation, after_pads, field_of, kinds_of
from emubot.games.colours.decode.map_checks import check_matching
from emubot.games.colours.decode.matching_codes import KINDS, PieceCodes, Place
from emubot.games.colours.decode.matching_values import COUNTERS, piece_values
from emubot.games.colours.matching_rules import OBSTACLE, Rules
from emubot.games.colours.timing import MatchingTiming
from emubot.games.gate import counters_judge
from emubot.games.motion import Fall
from emubot.games.outcome import WON, outcome_of
from emubot.games.without_piece import WithoutPiece
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Snapshot

_WITH_PIECE: Final = frozenset({Phase.PLAYING, Phase.LOCKED})
_PLACE: Final = 3  # x, y, orientation


def frames_per_row(counters: Mapping[str, int], rules: Rules, timing: MatchingTiming) -> int:
    """Returns the gravity of the piece in the air, by the pace and the pieces that have entered in this stage."""
    return timing.frames_per_row(timing.index(rules, counters.get("pace", 0), max(counters.get("pieces", 1) - 1, 0)))


class Decoder:
    """Decodes one player's frames; the same bytes always give the same snapshot, and any bytes can be decoded.

    Raises MapError for a map that the family cannot read.
    """

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        self._rules = check_matching(ram_map)
        self._reader = reader = ram_map.reader(player)
        counter = () if ram_map.game_counter is None else (ram_map.game_counter,)
        unread = () if self._rules.targets else ("score",)  # points are those of targets
        known = [name for name in COUNTERS if name in reader.scalars and name not in unread]
        self._names = (*known, *(name for name in counter if name not in known))
        self._outcome = outcome_of(reader, player)
        self._select = reader.select((*piece_values(self._rules), *self._names))
        self._judge = counters_judge(reader, gate.MATCHING_COUNTERS)
        self._codes = PieceCodes(ram_map, self._rules)
        table = kinds_read(reader.kinds, reader.solid, KINDS, OBSTACLE)
        self._visible, self._hidden = Translation(table), Translation(table)
        self._without = (WithoutPiece(), WithoutPiece()) if ram_map.document.grid.shows_piece else None

    def __call__(self, ram: bytes) -> MatchingSnapshot:
        """Returns the snapshot of the bytes of the map's memory space."""
        phase, state = self._reader.phase(ram)
        x, y, orientation, *rest = self._select(ram)
        parts = self._rules.piece_cells
        kinds = tuple(self._codes.kind(code) for code in rest[: 2 * parts])
        place, current = self._codes.read(orientation, kinds[:parts])
        following, rest = kinds[parts:], rest[2 * parts :]
        counters = {f"kind_{part}": kind for part, kind in enumerate(current, start=1)}
        if self._outcome is not None:
            counters[WON] = self._outcome(ram)
        counters |= zip(self._names, rest, strict=True)
        fault = self._judge(counters) if phase is Phase.PLAYING else None
        if fault is not None:
            phase = Phase.UNKNOWN
        board = self._visible(self._reader.playfield(ram)), self._hidden(self._reader.hidden(ram))
        links = self._reader.links(ram), self._reader.hidden_links(ram)
        piece = self._piece(current, place, x, y) if phase in _WITH_PIECE else None
        if self._without is not None and piece is not None and phase is Phase.PLAYING:
            cells = [(piece.column + dx, piece.row + dy) for dx, dy in self._rules.shapes[piece.orientation]]
            board, links = (take(found, cells) for take, found in zip(self._without, (board, links), strict=True))
        return MatchingSnapshot(
            phase=phase,
            state=state,
            playfield=board[0],
            hidden=board[1],
            current=piece,
            next=following if all(following) else (),
            counters=counters,
            links=links[0],
            hidden_links=links[1],
            fault=fault,
        )

    def _piece(self, kinds: Sequence[int], place: Place | None, x: int, y: int) -> Piece | None:
        """Returns the piece, or None if the numbers cannot be one: kernels do not check their indices."""
        if place is None or not all(kinds):
            return None
        orientation, dx, dy = place
        piece = Piece(orientation, x + dx, y + dy)
        return piece if gate.piece_is_inside(piece, self._rules) else None


def predict(snapshot: Snapshot, pads: Sequence[Pad], rules: Rules, timing: MatchingTiming) -> Snapshot:
    """Returns the snapshot after frames with these pads, which are sent but not used yet; see `after_pads`.

    Outside play the snapshot is returned unchanged.
    """
    if not pads or snapshot.current is None or snapshot.phase is not Phase.PLAYING:
        return snapshot
    fall = Fall(frames_per_row(snapshot.counters, rules, timing), timing.soft_drop)
    turning = piece_turning(rules, kinds_of(snapshot, rules))
    return after_pads(snapshot, snapshot.current, field_of(snapshot)[0], turning, fall, pads)
