"""From a Snapshot to a Decision: joins decoding's words with the search's; knows no address and no bridge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from emubot.errors import MapError
from emubot.games.protocol import Decision
from emubot.games.tetris.board import BOARD_ROWS, Rows, rows_from
from emubot.games.tetris.features import FEATURE_NAMES, FEATURE_VERSION, FEATURES
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC, PROFILES, SPAWN_ORIENTATION, Profile
from emubot.games.tetris.search import Choice, decide, rank
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import Hands, Tempo, parse_taps
from emubot.weights import Weights

GAME: Final = "tetris"


class TetrisThinker:
    """Two pieces of lookahead for one player."""

    def __init__(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> None:
        """Raises WeightsError for weights of other features, MapError for a profile the family does not have."""
        self._vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
        self._tempo = tempo
        self._profile = profile_of(ram_map)

    def decide(self, snapshot: Snapshot, hands: Hands) -> Decision:
        """The best placement of the piece in the air; None where it cannot lock anywhere."""
        found = self._search(snapshot, self._start(snapshot, hands), snapshot.next)
        return Decision(found.placement, found.value, found.nodes)

    def ranked(self, snapshot: Snapshot, hands: Hands) -> Sequence[Placement]:
        """Every placement of the piece in the air with its value, best first, without timelines."""
        counters = snapshot.counters
        following = snapshot.next[0] if snapshot.next else None
        placements, _ = rank(
            _rows(snapshot),
            self._start(snapshot, hands),
            following,
            counters["level"],
            counters["lines"],
            self._tempo,
            self._vector,
            self._profile,
        )
        return placements

    def _start(self, snapshot: Snapshot, hands: Hands) -> Start:
        piece, counters = snapshot.current, snapshot.counters
        if piece is None:
            raise ValueError("a snapshot without a piece in the air has nothing to decide")
        return Start(
            orientation=piece.orientation,
            column=piece.column,
            row=piece.row,
            fall_timer=counters["fall_timer"],
            autorepeat_y=counters["autorepeat_y"],
            das=counters["das"],
            held=hands.held,
            limiter=hands.rest,
            turn_limiter=hands.turn_rest,
        )

    def _search(self, snapshot: Snapshot, start: Start, following: Sequence[int]) -> Choice:
        counters = snapshot.counters
        return decide(
            _rows(snapshot),
            start,
            following[0] if following else None,
            counters["level"],
            counters["lines"],
            self._tempo,
            self._vector,
            self._profile,
        )


def profile_of(ram_map: RamMap) -> Profile:
    """The release's timing as the map names it. Raises MapError, naming the known ones."""
    name = ram_map.timing.get("profile", ram_map.profile)
    if name not in PROFILES:
        raise MapError(f"{ram_map.path} names the profile {name!r}; the tetris family has {', '.join(PROFILES)}.")
    return PROFILES[name]


def kernels() -> Sequence[tuple[str, Callable[[], object]]]:
    """Jobs that compile every kernel of a decision once, each with its one true type."""
    return [("search by taps", lambda: _decide_once("30hz")), ("search by DAS", lambda: _decide_once("das"))]


def _decide_once(taps: str) -> None:
    rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    start, following = Start(int(SPAWN_ORIENTATION[0])), int(SPAWN_ORIENTATION[1])
    decide(rows, start, following, 18, 0, parse_taps(taps), np.zeros(FEATURES), NES_NTSC)


def _rows(snapshot: Snapshot) -> Rows:
    return rows_from(snapshot.playfield, snapshot.hidden)
