"""Learning tables: each game, choice and difference is that of a slow twin, piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.games.tetris.board.board import BOARD_ROWS, Rows
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.layout import ENTRIES, TERMS
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.evaluation.points_player import points_player
from emubot.games.tetris.generator import deal
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC, SPAWN_ORIENTATION
from emubot.games.tetris.search.pairs import descend_pair
from emubot.games.tetris.search.plies import WIDEST, begin_at, lookahead_for
from emubot.games.tetris.search.search import Position
from emubot.games.tetris.trials.first_tables import first_tables
from emubot.games.tetris.trials.game_start import GameStart, fill_garbage
from emubot.games.tetris.trials.td_games import (
    STRETCHES,
    Learning,
    learn_games,
    new_cleared,
    new_shortfall,
    note_clears,
)
from emubot.weights import load_weights
from tests.games.tetris.points_twin import TEMPO, Expecting, Lock
from tests.games.tetris.searching import search_by

pytestmark = pytest.mark.jit
WEIGHTS = load_weights("nes_tetris")
VECTOR = WEIGHTS.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)
BUDGET = 300
RATES = np.linspace(0.001, 0.02, TERMS)


def tables(stop_lines: int) -> NDArray[np.float32]:
    return first_tables(dict(zip(WEIGHTS.features.names, WEIGHTS.values, strict=True)), stop_lines)


@dataclass
class Twin(Expecting):
    """The same games, slowly; `values` of the player are learnt in place."""

    sums: NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, ENTRIES)))
    shortfall: NDArray[np.float64] = field(default_factory=new_shortfall)
    ended: list[tuple[float, int]] = field(default_factory=list)
    cleared: NDArray[np.int64] = field(default_factory=new_cleared)

    def pair(self, rows: Rows, piece: int, following: int, lines: int, level: int) -> tuple[list[Lock], float]:
        pairs: list[tuple[float, list[Lock]]] = []
        for first in self.locks(rows, piece, level):
            middle, gained, lines1, level1 = self.after(rows, first, lines, level)
            seconds = [] if self.over(lines1, level1) else self.locks(middle, following, level1)
            pairs += [(gained + self.leaf(middle, at, lines1, level1), [first, at]) for at in seconds]
            pairs += [] if seconds else [(gained, [first])]
        self.known.clear()
        begun = self.nodes
        searched: set[bytes] = set()
        best: tuple[list[Lock], float] = ([], -np.inf if pairs else 0.0)
        for _, locks in sorted(pairs, key=lambda pair: -pair[0]):
            if len(searched) == WIDEST or (searched and self.nodes - begun >= BUDGET):
                break
            board, total, lines2, level2 = rows, 0.0, lines, level
            for at in locks:
                board, more, lines2, level2 = self.after(board, at, lines2, level2)
                total += more
            key = board.tobytes() if self.goes_on(locks, lines2, level2) else repr(locks).encode()
            if key not in searched:
                searched.add(key)
                total += self.expected(board, following, lines2, level2) if key == board.tobytes() else 0.0
                best = max(best, (locks, total), key=lambda one: one[1])
        return best

    def goes_on(self, locks: list[Lock], lines: int, level: int) -> bool:
        return len(locks) == 2 and not self.over(lines, level)

    def adjust(self, target: float, found: list[int]) -> None:
        difference = target - sum(float(self.own.values[entry]) for entry in found)
        for index, entry in enumerate(found[:-1]):
            size = self.sums[1, entry]
            coherence = abs(self.sums[0, entry]) / size if size else 1.0
            self.own.values[entry] += RATES[index] * coherence * difference
            self.sums[:, entry] += difference, abs(difference)

    def play(self, rng: np.random.Generator, pieces: int, begun: GameStart, taught: bool) -> None:
        def dealt(before: int) -> int:
            return int(deal(before, int(rng.integers(0, 8)), int(rng.integers(0, 8))))

        search, played, rows = search_by(VECTOR, TEMPO, NES_NTSC), 0, None
        while played < pieces:
            if rows is None:
                rows, score, fresh = np.zeros(BOARD_ROWS, dtype=np.uint16), 0.0, True
                level, lines, garbage = begun
                fill_garbage(rng, garbage, rows)
                piece = dealt(-1)
                following = dealt(piece)
                seen: list[tuple[int, float]] = []
            entries = [] if fresh else self.entries(rows, lines, level)
            if entries:
                seen.append((self.place(lines, level), score + self.value(rows, lines, level)))
            if taught:
                start, ahead = Start(int(SPAWN_ORIENTATION[piece])), int(SPAWN_ORIENTATION[following])
                ranked, _ = search.rank(Position(rows, start, ahead, level, lines))
                chosen, total = [(one.orientation, one.column, one.row) for one in ranked[:1]], 0.0
            else:
                chosen, total = self.pair(rows, piece, following, lines, level)
            gained, stretch = 0.0, sum(self.place(lines, level) >= first for first in STRETCHES) - 1
            for at in chosen:
                before = lines
                rows, more, lines, level = self.after(rows, at, lines, level)
                gained += more
                self.cleared[stretch] += lines - before, lines - before if lines - before == 4 else 0
            ends = self.over(lines, level)
            over = not chosen or (ends if taught else not self.goes_on(chosen, lines, level))
            if taught:
                total = gained + (0.0 if over else self.value(rows, lines, level))
            if entries:
                self.adjust(total, entries)
            fresh, score, played = False, score + gained, played + (1 if taught else 2)
            if over:
                for line, valued in seen:
                    self.shortfall[:, line] += score - valued, 1
                self.ended.append((score - (self.own.stop_worth if ends else 0.0), lines))
                rows = None
            else:
                piece = following if taught else dealt(following)
                following = dealt(piece)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("start", "stop_lines", "taught", "sense", "aim"),
    [
        (GameStart(18), 6, False, 1, "score"),
        (GameStart(18), 6, True, 1, "score"),
        (GameStart(28, 227), 233, False, 1, "score"),  # into level 29
        (GameStart(29), 0, False, -1, "score"),  # upside down, tables soon lose
        (GameStart(19, garbage=3), 2, False, 1, "goal"),
    ],
)
def test_games_and_tables_are_those_of_the_twin(
    start: GameStart, stop_lines: int, taught: bool, sense: int, aim: str
) -> None:
    pieces = 50
    own, other = (points_player(sense * tables(6), TEMPO, NES_NTSC, aim, stop_lines) for _ in range(2))
    sums, shortfall, cleared = np.zeros((2, ENTRIES)), new_shortfall(), new_cleared()
    scores, lengths = np.zeros(pieces), np.zeros(pieces, dtype=np.int64)
    look, learning = (
        lookahead_for(own, TEMPO, NES_NTSC),
        Learning(start, RATES, sums, shortfall, cleared, BUDGET),
    )
    rng = np.random.default_rng(2)
    games, size = learn_games(rng, pieces, learning, look, player_of(VECTOR), int(taught), scores, lengths)
    twin = Twin(other)
    twin.play(np.random.default_rng(2), pieces, start, taught)
    assert games == len(twin.ended) > 0
    assert lengths[:games].tolist() == [lines for _, lines in twin.ended]
    np.testing.assert_allclose(scores[:games], [score for score, _ in twin.ended], atol=1e-9)
    np.testing.assert_allclose(own.values, other.values, rtol=0, atol=1e-4)
    np.testing.assert_allclose(sums, twin.sums, rtol=0, atol=1e-3)
    np.testing.assert_allclose(shortfall, twin.shortfall, rtol=0, atol=1e-3)
    assert shortfall[1].sum() > 0
    assert cleared.tolist() == twin.cleared.tolist()
    assert cleared[:, 0].sum() > 0 or sense < 0
    assert (own.values != sense * tables(6)).any()
    assert size > 0


@pytest.mark.parametrize(("ready", "place", "counted"), [(4, 99, [4, 4]), (3, 100, [3, 0]), (0, 230, [0, 0])])
def test_a_tetris_of_a_pair_is_counted_where_the_pair_began(ready: int, place: int, counted: list[int]) -> None:
    """An O on the left, and an upright I down the well over so many ready rows."""
    look = lookahead_for(points_player(tables(6), TEMPO, NES_NTSC, "score", 6), TEMPO, NES_NTSC)
    rows, cleared = np.zeros(BOARD_ROWS, dtype=np.uint16), new_cleared()
    rows[BOARD_ROWS - ready :] = 0x1FF if ready else 0
    begin_at(rows, look)
    look.memory.places[0, 0], look.memory.pairs[0] = (10, 1, 18 - ready), (0, 17, 9, 18)
    lines = descend_pair(0, 0, 18, look)[1]
    note_clears(place, lines, look, cleared)
    where = sum(place >= first for first in STRETCHES) - 1
    assert cleared[where].tolist() == counted
    assert cleared.sum() == sum(counted)


def test_tables_come_nearer_to_what_a_game_brings() -> None:
    own = points_player(tables(12), TEMPO, NES_NTSC, stop_lines=12)
    look, learning = (
        lookahead_for(own, TEMPO, NES_NTSC),
        Learning(
            GameStart(18), np.full(TERMS, 0.4 / TERMS), np.zeros((2, ENTRIES)), new_shortfall(), new_cleared(), BUDGET
        ),
    )
    scores, lengths = np.zeros(2_000), np.zeros(2_000, dtype=np.int64)
    sizes = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        sizes.append(learn_games(rng, 2_000, learning, look, player_of(VECTOR), 1, scores, lengths)[1])
    assert sizes[-1] < 0.8 * sizes[0]  # chance in the pieces stays
