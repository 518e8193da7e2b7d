"""What decides, as one object for kernels: two plies of features, or a search in points; knows no RAM and no file."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.bounds import GOAL, LINES, NEUTRAL, NODES, SCORE, SURVIVE
from emubot.games.tetris.evaluation.course import FASTEST_FROM, LINES_OF_A_LEVEL, MOST_LINES
from emubot.games.tetris.evaluation.evaluation import Player, player_of
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.evaluation.points import is_over, place_on_course
from emubot.games.tetris.evaluation.points_player import points_player, tables_for, with_dearer_lines
from emubot.games.tetris.reach.state import Begin
from emubot.games.tetris.rules import COLUMNS, PROFILES, ROWS, TWO_ROWS, Profile
from emubot.games.tetris.search.expectimax import first_best, search_points
from emubot.games.tetris.search.plies import Lookahead, lookahead_for
from emubot.games.tetris.search.two_plies import search_two_plies
from emubot.jit import Scalar, lean
from emubot.tempo import Tempo
from emubot.weight_parts import PointTables
from emubot.weights import Weights

MOST_LEVEL: Final = 255
NEVER: Final = MOST_LINES + 1  # lines of the course
LINES_AHEAD: Final = 60  # a game without end stays so far before the end of the tables' game
AT_ONCE: Final = 5.0  # lines that a goal is worth more than its tables say, so that the last line is never put off
MOST_DEARER: Final = 0.5  # of a line's price at aggression 1, and cheaper at 0
_MOST_LOSS_WEIGHT: Final = 4.0  # at aggression 0; at 1 its inverse
BY_TABLES, LATE, DOUBLE, BY_FEATURES = range(4)
_NO_TABLES: Final = np.zeros(0, dtype=np.float32)


class Engine(NamedTuple):
    """Weights, tempo, rules and budget of a search.

    `budget` is in boards; 0 means two plies by the player's features, whatever they take. Levels above `last_level`
    count as this one, so that the game for which the tables were learnt never ends. If it has ended, or from
    `late_from` lines of the course on, `late` plays on with `late_budget`, and levels above `late_last_level` count as
    this one; 0 means features there too. Around the level where pieces fall two rows a frame, from `double_from` on,
    `double` plays, and levels above `double_last_level` count as this one.
    """

    player: Player
    budget: Scalar
    look: Lookahead
    last_level: Scalar
    late_from: Scalar
    late_budget: Scalar
    late: Lookahead
    late_last_level: Scalar
    double_from: Scalar
    double: Lookahead
    double_last_level: Scalar


def engine_for(
    weights: Weights,
    tempo: Tempo,
    profile: Profile,
    nodes: int = NODES,
    stop_lines: int = 0,
    aim: str = SCORE,
    aggression: float = NEUTRAL,
    halt: int = 0,
) -> Engine:
    """Returns the engine of these weights: a search in points if they have such tables, else two plies.

    `stop_lines` are those of the course (course.py) at which the game ends, 0 if none do; where the tables' game ends
    there too, it is played to that end. `nodes` 0 asks for two plies by the features. Without tables for an aim those
    for the score play, until pieces fall a row in each frame. Then tables for the end of such games play on, or without
    them those for lines: it matters to survive. The aim `goal` is that of B-type: without tables for it the features
    play. `aggression` (0 to 1) is how much risk of dying is taken for points; two plies by features know none. The aim
    `survive` is `lines` at aggression 0. Where pieces fall two rows a frame, tables for that play, up to the level
    `halt` at which the game ends if not 0; without such tables the first ones do. Raises WeightsError if the weights do
    not fit.
    """
    vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
    if aim == SURVIVE:
        aim, aggression = LINES, 0.0
    if TWO_ROWS in profile.gravity:
        stop_lines = stop_lines or _place_of(profile.fastest_level, profile.without_two_rows)
    tables = tables_for(weights, tempo, aim, stop_lines, rules=profile.name)
    if tables is None and aim != GOAL:
        tables = tables_for(weights, tempo, SCORE, stop_lines, rules=profile.name)
    if tables is None or not nodes:
        return features_engine(vector, tempo, profile, aim)
    look = _lookahead(tables, tempo, profile, aggression)
    last = _last_level(tables.stop_lines, stop_lines, profile.without_two_rows)
    never = MOST_LEVEL + 1
    engine = Engine(player_of(vector), nodes, look, last, NEVER, 0, look, MOST_LEVEL, never, look, last)
    if aim == GOAL:
        return engine
    engine = _with_end(engine, weights, tempo, profile, aim, aggression, stop_lines)
    if TWO_ROWS not in profile.gravity:
        return engine
    return _with_two_rows(engine, weights, tempo, profile, aggression, halt)


def _with_end(
    engine: Engine, weights: Weights, tempo: Tempo, profile: Profile, aim: str, aggression: float, stop_lines: int
) -> Engine:
    """Returns the engine with what plays on where the game goes on after that of the tables."""
    ended = engine.look.player.stop_lines
    if aim == SCORE and ended and not 0 < stop_lines <= ended:
        late = tables_for(weights, tempo, SCORE, stop_lines, late=True, rules=profile.name, exact=True)
        if late is not None:
            engine = engine._replace(late_from=late.start_lines)
            last = _last_level(late.stop_lines, stop_lines, profile.without_two_rows)
            look = _lookahead(late, tempo, profile, aggression)
            return engine._replace(late=look, late_budget=engine.budget, late_last_level=last)
    late = tables_for(weights, tempo, LINES, late=True, rules=profile.name)
    if late is None:
        return engine
    return engine._replace(late=_lookahead(late, tempo, profile, aggression), late_budget=engine.budget)


def _with_two_rows(
    engine: Engine, weights: Weights, tempo: Tempo, profile: Profile, aggression: float, halt: int
) -> Engine:
    """Returns the engine with what plays where pieces fall two rows a frame, and shortly before."""
    own = tables_for(weights, tempo, SCORE, late=True, rules=profile.games, exact=True)
    if own is None:
        # The last level's gravity and clearances, whatever level counts.
        player = engine.look.player._replace(limits=engine.look.player.limits[-1:])
        double = engine.look._replace(gravity=engine.look.gravity[-1:], player=player)
        last = _last_level(engine.look.player.stop_lines, 0, profile.without_two_rows)
        return engine._replace(double_from=profile.fastest_level, double=double, double_last_level=last)
    first = profile.fastest_level - (FASTEST_FROM - own.start_lines) // LINES_OF_A_LEVEL
    last = _last_level(own.stop_lines, _place_of(halt, profile), profile)
    double = _lookahead(own, tempo, profile, aggression)
    return engine._replace(double_from=first, double=double, double_last_level=last)


def check_risk(aim: str, nodes: int, has_aggression: bool) -> None:
    """Raise UsageError if an aggression is given to a search that has none to choose."""
    if has_aggression and aim == SURVIVE:
        raise UsageError("--aim survive takes as little risk as can be: leave out --aggression.")
    if has_aggression and nodes == 0:
        raise UsageError("Two pieces by features, --nodes 0, know no price of death: leave out --aggression.")


def loss_weight_of(aggression: float) -> float:
    """Returns `Lookahead.loss_weight`: 4 at aggression 0, 1 at 0.5, a quarter at 1."""
    return float(_MOST_LOSS_WEIGHT ** (1 - aggression / NEUTRAL))


def _lookahead(tables: PointTables, tempo: Tempo, profile: Profile, aggression: float) -> Lookahead:
    entries = tables.entries.numbers
    if aggression != NEUTRAL:
        entries = with_dearer_lines(entries, MOST_DEARER * (aggression / NEUTRAL - 1), tables.stop_lines)
    network = None if tables.network is None else tables.network.numbers
    learnt = PROFILES.get(tables.rules, profile)  # only pieces that fall two rows a frame are of no release
    player = points_player(entries, tempo, profile, tables.aim, tables.stop_lines, network, learnt)
    if tables.aim == GOAL:
        player = player._replace(stop_worth=player.stop_worth + AT_ONCE)
    return lookahead_for(player, tempo, profile, loss_weight_of(aggression))


def _last_level(stop_lines: int, end: int, profile: Profile) -> int:
    """Returns the level at which a game stays that ends elsewhere than that of the tables: LINES_AHEAD lines before."""
    levels = (stop_lines - LINES_AHEAD - FASTEST_FROM) // LINES_OF_A_LEVEL
    return MOST_LEVEL if stop_lines in (0, end) or levels < 0 else profile.fastest_level + levels


def _place_of(level: int, profile: Profile) -> int:
    """Returns where on the course (course.py) a level from the fastest one on begins."""
    return FASTEST_FROM + LINES_OF_A_LEVEL * (level - profile.fastest_level)


def features_engine(vector: NDArray[np.float64], tempo: Tempo, profile: Profile, aim: str = SCORE) -> Engine:
    """Returns the engine of two plies by features; `vector` is from Weights.vector. For a goal no level rises."""
    look = lookahead_for(points_player(_NO_TABLES, tempo, profile, aim), tempo, profile)
    return Engine(player_of(vector), 0, look, MOST_LEVEL, NEVER, 0, look, MOST_LEVEL, MOST_LEVEL + 1, look, MOST_LEVEL)


def limited(engine: Engine, nodes: int) -> Engine:
    """Returns the engine with this budget for each search in points that it has."""
    return engine._replace(budget=nodes if engine.budget else 0, late_budget=nodes if engine.late_budget else 0)


@lean
def stage_of(lines: Scalar, level: Scalar, engine: Engine) -> Scalar:
    """Returns what plays here: BY_TABLES, LATE, DOUBLE or BY_FEATURES."""
    if engine.budget and level >= engine.double_from:
        return DOUBLE
    player, standing = engine.look.player, min(level, engine.last_level)
    is_late = is_over(lines, standing, player) or place_on_course(lines, standing, player) >= engine.late_from
    if engine.budget and not is_late:
        return BY_TABLES
    return LATE if engine.late_budget else BY_FEATURES


def search_of(stage: int, level: int, engine: Engine) -> tuple[Lookahead, int, int]:
    """Returns what searches in points in this stage, the level that counts there, and the budget; as in `decide`."""
    if stage == LATE:
        return engine.late, min(level, engine.late_last_level), engine.late_budget
    if stage == DOUBLE:
        return engine.double, min(level, engine.double_last_level), engine.budget
    return engine.look, min(level, engine.last_level), engine.budget


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
    look, stage = engine.look, stage_of(lines, level, engine)
    if stage == BY_TABLES:
        standing = min(level, engine.last_level)
        return search_points(rows, piece, begin, next_piece, lines, standing, engine.budget, look, found, values)
    if stage == LATE:
        standing = min(level, engine.late_last_level)
        return search_points(
            rows, piece, begin, next_piece, lines, standing, engine.late_budget, engine.late, found, values
        )
    if stage == DOUBLE:
        standing = min(level, engine.double_last_level)
        return search_points(
            rows, piece, begin, next_piece, lines, standing, engine.budget, engine.double, found, values
        )
    counted = lines if look.player.rises else 0
    count, nodes = search_two_plies(
        rows, piece, begin, next_piece, level, counted, look.gravity, look.input_rules, engine.player, found, values
    )
    return count, nodes, first_best(found, values, count)
