"""What decides, as one object for kernels: two plies of features, or a search in points; knows no RAM and no file."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.evaluation.evaluation import Player, player_of
from emubot.games.tetris.evaluation.features import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.evaluation.points import is_over
from emubot.games.tetris.evaluation.points_player import SCORE, points_player, tables_for
from emubot.games.tetris.reach.state import Begin
from emubot.games.tetris.rules import COLUMNS, ROWS, Profile
from emubot.games.tetris.search.expectimax import first_best, search_points
from emubot.games.tetris.search.plies import Lookahead, lookahead_for
from emubot.games.tetris.search.two_plies import search_two_plies
from emubot.jit import Scalar, lean
from emubot.tempo import Tempo
from emubot.weights import Weights

GAME: Final = "tetris"
NODES: Final = 25_000  # boards of a decision: below 16 ms of one core, so that none delays a frame
MOST_NODES: Final = 100_000_000
_NO_TABLES: Final = np.zeros(0, dtype=np.float32)


class Engine(NamedTuple):
    """Weights, tempo, rules and budget of a search.

    `budget` is in boards; 0 means two plies by the player's features, whatever they take. So is a game played on that
    is beyond the end of the game for which the tables were learnt.
    """

    player: Player
    budget: Scalar
    look: Lookahead


def engine_for(
    weights: Weights, tempo: Tempo, profile: Profile, nodes: int = NODES, stop_lines: int = 0, aim: str = SCORE
) -> Engine:
    """Returns the engine of these weights: a search in points if they have such tables, else two plies.

    `nodes` 0 asks for two plies by the features. Raises WeightsError if the weights do not fit.
    """
    vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
    tables = tables_for(weights, tempo, aim, stop_lines) if nodes else None
    if tables is None:
        return features_engine(vector, tempo, profile)
    points = points_player(tables.entries.numbers, tempo, profile, aim, tables.stop_lines)
    return Engine(player_of(vector), nodes, lookahead_for(points, tempo, profile))


def features_engine(vector: NDArray[np.float64], tempo: Tempo, profile: Profile) -> Engine:
    """Returns the engine of two plies by features; `vector` is from Weights.vector."""
    return Engine(player_of(vector), 0, lookahead_for(points_player(_NO_TABLES, tempo, profile), tempo, profile))


@lean
def decide(
    rows: Rows,
    piece: Scalar,
    begin: Begin,
    next_piece: Scalar,
    lines: Scalar,
    level: Scalar,
    engine: Engine,
    found: NDArray[np.int64],
    values: NDArray[np.float64],
) -> tuple[Scalar, Scalar, Scalar]:
    """Fill found (MOST_LOCKS, 3) with (orientation, column, row) of each lock and values (MOST_LOCKS,).

    Returns the number of locks, the boards valued, and the index of the choice (-1 if there is no lock). `next_piece`
    is -1 if it is not known. `lines` counts those of the game so far.
    """
    player, budget, look = engine
    if budget and not is_over(lines, level, look.player):
        return search_points(rows, piece, begin, next_piece, lines, level, budget, look, found, values)
    count, nodes = search_two_plies(
        rows, piece, begin, next_piece, level, lines, look.gravity, look.input_rules, player, found, values
    )
    return count, nodes, first_best(found, values, count)
