"""Tables of points from their first values to weights that play by them; knows no training method and no file.

This is all that a trainer needs of the learner (td_games.py): the `first` tables, those `learnt` in a block, and the
weights `with_tables`.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.tetris.board.board import Words
from emubot.games.tetris.bounds import GOAL, LINES, SCORE
from emubot.games.tetris.evaluation.course import (
    END_FROM,
    FASTEST_FROM,
    LEVELS,
    MOST_LINES,
    course_of,
    place_at,
    places_on_course,
)
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.layout import ENTRIES, POINTS_VERSION, SURFACES, TERMS
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.evaluation.network import BOUNDS, PARAMETERS, network_of, parameters_of
from emubot.games.tetris.evaluation.points_player import points_player
from emubot.games.tetris.rules import TWO_ROWS, Profile
from emubot.games.tetris.search.plies import lookahead_for
from emubot.games.tetris.trials.first_tables import first_tables
from emubot.games.tetris.trials.game_start import GameStart
from emubot.games.tetris.trials.network_games import (
    FIRST_SQUARE,
    NetworkLearning,
    first_parameters,
    learn_network,
    new_boards,
)
from emubot.games.tetris.trials.td_games import (
    CLEARED,
    IN_TETRISES,
    STRETCHES,
    Learning,
    calibrate,
    learn_games,
    new_cleared,
    new_shortfall,
)
from emubot.packed import Packed, packed
from emubot.tempo import Tempo
from emubot.weight_parts import PointTables
from emubot.weights import MOST_SETS, Weights

Aim: TypeAlias = Literal["score", "lines", "goal"]
# (3, ENTRIES + PARAMETERS): values, sums of the learnt differences, sums of their sizes. After those of the tables come
# the network's parameters, the sums of the squares of their gradients, and nothing.
Known = NDArray[np.float64]

_UNIT: Final = {SCORE: 0.05, LINES: 0.01, GOAL: 0.01}  # of packed values, or twice as much until they fit
_USUAL: Final = {SCORE: 20.0, LINES: 5.0, GOAL: 3.0}  # size of a difference, by which the network's gradients count
_TRUST: Final = 0.7  # in what games brought
_FINEST: Final = 1 / 16_384  # unit of a network's packed weights, or twice as much until they fit
_LARGEST: Final = 32_000  # units
_BUDGET: Final = 800  # boards valued with the third piece, after which no further pair is
_THOUSAND: Final = 1000
_NAME: Final = re.compile("[a-z0-9]+")  # of a tap rate; a pattern has none


class Stage(Protocol):
    """Who plays and what learns; see training.methods.td_points."""

    taught: bool
    coarse: bool
    network: bool


class Course(NamedTuple):
    """The games that tables are for; those with the aim `goal` are of B-type, over garbage.

    Where pieces fall two rows a frame in the profile, the tables are for that alone, and games begin shortly before.
    """

    profile: Profile
    tempo: Tempo
    start: GameStart
    stop_lines: int
    aim: str


class BlockSettings(NamedTuple):
    """How the `pieces` pieces of a block are learnt from.

    `rate` is the share of a difference that all entries together take. If `taught`, the features choose the moves. If
    `coarse`, the tables of surfaces rest, which have the most entries.
    """

    pieces: int
    rate: float
    taught: bool
    coarse: bool


def check(course: Course) -> None:
    """Raise UsageError for games that the tables' file has no words for, or that the tables do not reach."""
    if course.tempo.reaction or not _NAME.fullmatch(course.tempo.name):
        raise UsageError(
            f"Tables are learnt for a tap rate such as 12hz or for das, without reaction, not for {course.tempo.name} "
            f"with {course.tempo.reaction} frames of it: choose --taps 12hz, and leave out --reaction."
        )
    if course.start.level >= LEVELS:
        raise UsageError(f"Tables are learnt from a start level of 0 to {LEVELS - 1}, not {course.start.level}.")
    if TWO_ROWS in course.profile.gravity and _start(course) < END_FROM:
        raise UsageError(
            f"Tables for two rows a frame are learnt in games that begin at most {FASTEST_FROM - END_FROM} lines "
            "before: choose a higher --start-level, and the --start-lines that a game has there."
        )
    if course.aim == GOAL or not course.stop_lines:
        return
    *before, end = _places(course)
    if course.stop_lines - course.start.lines > MOST_LINES or end >= MOST_LINES or end <= max(before):
        raise UsageError(
            f"Tables count up to {MOST_LINES} lines from level 18 on, level by level, and one from level "
            f"{course.start.level} to {course.stop_lines} lines ends elsewhere: choose other ones, or leave out "
            "--stop-lines."
        )


def first(base: Weights, course: Course) -> Known:
    """Returns tables to begin with. Raises UsageError or WeightsError if these weights cannot have them."""
    base.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)
    if base.network:
        raise UsageError("Tables of points begin with weights of features, not with a network: choose other ones.")
    if len(_others(base, course)) >= MOST_SETS:
        raise UsageError(f"These weights have {MOST_SETS} sets of tables, and no room for one more: choose others.")
    known = np.zeros((3, ENTRIES + PARAMETERS))
    features = dict(zip(base.features.names, base.values, strict=True))
    known[0, :ENTRIES] = first_tables(features, _stop(course), course.aim)
    return known


def kept(base: Weights, course: Course) -> Known:
    """Returns the tables that these weights have for the course, without a network.

    Raises UsageError if there are none.
    """
    own = tables_of(base, course)
    if own is None:
        raise UsageError("These weights have no tables for these games to keep: choose others, or leave out tables=0.")
    known = np.zeros((3, ENTRIES + PARAMETERS))
    known[0, :ENTRIES] = own.entries.numbers
    return known


def learnt(
    base: Weights, course: Course, known: Known, seed: int, block: BlockSettings
) -> tuple[Known, NDArray[np.float64], dict[str, float]]:
    """Returns the tables after a block, whose games are those of the seed, and what each game brought that ended.

    The figures are the mean `lines` of these games, the share that `reached` the last line, and the mean size of the
    differences, `loss`. `share_of_tetrises_from_N` is that of the lines cleared by Tetrises in the stretch from N lines
    of the course on.
    """
    values, sums = known[0, :ENTRIES].astype(np.float32), known[1:, :ENTRIES].copy()
    player = points_player(values, course.tempo, course.profile, course.aim, _stop(course))
    teacher = player_of(base.vector("tetris", FEATURE_NAMES, FEATURE_VERSION))
    shortfall, cleared, rates = new_shortfall(), new_cleared(), np.full(TERMS, block.rate / TERMS)
    if block.coarse:
        rates[:SURFACES] = 0
    brought, lines = np.zeros(block.pieces), np.zeros(block.pieces, dtype=np.int64)
    games, difference = learn_games(
        np.random.default_rng(seed),
        block.pieces,
        Learning(course.start, rates, sums, shortfall, cleared, _BUDGET),
        lookahead_for(player, course.tempo, course.profile),
        teacher,
        int(block.taught),
        brought,
        lines,
    )
    if course.stop_lines:  # else no line is nearer to the end than another
        calibrate(values, shortfall)
    now = known.copy()
    now[0, :ENTRIES], now[1:, :ENTRIES] = values, sums
    return now, *_told(course, brought[:games], lines[:games], cleared, difference)


def network_learnt(
    base: Weights, course: Course, known: Known, seed: int, block: BlockSettings
) -> tuple[Known, NDArray[np.float64], dict[str, float]]:
    """Returns what `learnt` does after a block in which the tables rest and the network learns."""
    del base  # a network needs no teacher
    rng, now, usual = np.random.default_rng(seed), known.copy(), _USUAL[course.aim]
    if not now[1, ENTRIES:].any():
        now[0, ENTRIES:], now[1, ENTRIES:] = first_parameters(rng, usual), FIRST_SQUARE
    values, parameters, gradients = (part.astype(np.float32) for part in (now[0, :ENTRIES], *now[:2, ENTRIES:]))
    player = points_player(values, course.tempo, course.profile, course.aim, _stop(course), parameters)
    squares, cleared = network_of(gradients), new_cleared()
    brought, lines = np.zeros(block.pieces), np.zeros(block.pieces, dtype=np.int64)
    games, difference = learn_network(
        rng,
        block.pieces,
        NetworkLearning(course.start, cleared, _BUDGET, _TRUST, block.rate, usual, squares),
        lookahead_for(player, course.tempo, course.profile),
        new_boards(),
        brought,
        lines,
    )
    now[0, ENTRIES:], now[1, ENTRIES:] = parameters_of(player.network), parameters_of(squares)
    return now, *_told(course, brought[:games], lines[:games], cleared, difference)


def _told(
    course: Course, brought: NDArray[np.float64], lines: Words, cleared: Words, difference: float
) -> tuple[NDArray[np.float64], dict[str, float]]:
    """Returns what each game brought, in the unit of its figure, and the figures of the block."""
    unit, games = _THOUSAND if course.aim == SCORE else 1, max(len(lines), 1)
    figures = {"lines": lines.sum() / games, "loss": difference}
    if course.stop_lines:
        figures["reached"] = (lines >= course.stop_lines).sum() / games
    shares = cleared[:, IN_TETRISES] / np.maximum(cleared[:, CLEARED], 1)
    figures |= {f"share_of_tetrises_from_{first}": share for first, share in zip(STRETCHES, shares, strict=True)}
    return np.rint(unit * brought), {name: float(value) for name, value in figures.items()}


def settled(known: Known) -> NDArray[np.float64]:
    """Returns the values, without the rows of the network that no game has met: they are still as they were drawn."""
    values: NDArray[np.float64] = known[0].copy()
    rows = slice(ENTRIES, ENTRIES + BOUNDS[0])
    values[rows][known[1, rows] == FIRST_SQUARE] = 0
    return values


def with_tables(base: Weights, course: Course, values: NDArray[np.float64]) -> Weights:
    """Returns the weights with these tables (ENTRIES,), in the place of the ones that they have for this course.

    After the tables there may be the parameters of a network (PARAMETERS,); if all are 0 there is none.
    """
    entries, parameters = values[:ENTRIES], values[ENTRIES:]
    network = _packed_finely(parameters, _FINEST) if parameters.any() else None
    own = PointTables(
        version=POINTS_VERSION,
        aim=cast("Aim", course.aim),
        rules=course.profile.games,
        taps=course.tempo.name,
        start_lines=_start(course),
        stop_lines=_stop(course),
        entries=_packed_finely(entries, _UNIT[course.aim]),
        network=network,
    )
    sets = sorted(
        [*_others(base, course), own],
        key=lambda tables: (tables.aim, tables.rules, tables.taps, tables.start_lines, tables.stop_lines),
    )
    return base.model_copy(update={"points": tuple(sets)})


def _packed_finely(values: NDArray[np.float64], unit: float) -> Packed:
    while np.abs(values).max() > _LARGEST * unit:
        unit *= 2
    return packed(values, unit)


def tables_of(weights: Weights, course: Course) -> PointTables | None:
    """Returns the tables that the weights have for exactly this course."""
    return next((tables for tables in weights.points if _are_of(tables, course)), None)


def _others(base: Weights, course: Course) -> list[PointTables]:
    return [tables for tables in base.points if not _are_of(tables, course)]


def _are_of(tables: PointTables, course: Course) -> bool:
    known = (tables.aim, tables.rules, tables.taps, tables.start_lines, tables.stop_lines)
    return known == (course.aim, course.profile.games, course.tempo.name, _start(course), _stop(course))


def _start(course: Course) -> int:
    """Returns the lines of the tables' course at which the games begin."""
    if course.aim == GOAL:
        return 0
    return int(place_at(course.start.lines, course.start.level, course_of(course.profile)))


def _stop(course: Course) -> int:
    """Returns the lines of the tables' course at which the games end; 0 if none do."""
    if course.aim == GOAL or not course.stop_lines:
        return course.stop_lines
    return _places(course)[-1]


def _places(course: Course) -> list[int]:
    return places_on_course(course.profile, course.start.level, course.stop_lines, course.start.lines)
