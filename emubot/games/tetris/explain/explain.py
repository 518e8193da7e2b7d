"""Explains the decision of a position: values, risks and taps of its best placements; knows no bridge and no file."""

from __future__ import annotations

from typing import Final

from emubot.errors import UsageError
from emubot.explanation import ExplainedPlacement, ExplainOptions, Explanation, Misdrops, RolloutCount
from emubot.games.tetris.board.board import clear_rows, write_piece
from emubot.games.tetris.bounds import GOAL, NEUTRAL, NODES, SCORE
from emubot.games.tetris.decode.map_checks import check_map, profile_of
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.tetris.explain.by_feature import LockFeatureEvaluator
from emubot.games.tetris.explain.misdrops import misdrops
from emubot.games.tetris.explain.rollouts import PIECES, Afterstate, TetrisRollouts
from emubot.games.tetris.explain.tables import PointsEvaluator
from emubot.games.tetris.explain.valued import Lock, LockEvaluator, ValuedLock
from emubot.games.tetris.reach import gravity_at, timeline
from emubot.games.tetris.release_engine import check_aim, check_nodes, position_of
from emubot.games.tetris.rules import COLUMNS, DX, DY, GOAL_LINES, PIECE_NAMES, PIECE_OF, ROWS, TYPE_B, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import BY_FEATURES, Engine, engine_for, features_engine, search_of, stage_of
from emubot.games.tetris.search.search import Position, Search
from emubot.human_error import HumanError
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights

_ROLLOUTS: Final = (
    f"games end within {PIECES} pieces, if two pieces of features play on; pieces come by the cartridge's rule from "
    "independent random numbers"
)
# By orientation id: where the bump of a T points, the long end of J and L; O has no name of its own.
_TURNS: Final = (
    *("up", "right", "down", "left"),
    *("left", "up", "right", "down"),
    *("horizontal", "vertical"),
    "",
    *("horizontal", "vertical"),
    *("right", "down", "left", "up"),
    *("vertical", "horizontal"),
)


def explain(
    ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions
) -> Explanation:
    """Returns the explained position; see `Explainer.explain`."""
    profile = profile_of(ram_map)
    if profile is None:
        raise UsageError(f"The map {ram_map.name} does not state its cartridge's timing, so no taps can be explained.")
    check_map(ram_map)
    check_aim(options.aim)
    check_nodes(options.nodes)
    if snapshot.current is None:
        raise UsageError(f"There is no piece in the air ({snapshot.state}): explain a frame that has one.")
    vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION, (COLUMNS, ROWS))
    features = features_engine(vector, tempo, profile)
    nodes = NODES if options.nodes is None else options.nodes
    if snapshot.counters["game_type"] == TYPE_B:
        engine = engine_for(weights, tempo, profile, nodes, GOAL_LINES, GOAL)
    else:
        aggression = NEUTRAL if options.aggression is None else options.aggression
        engine = engine_for(weights, tempo, profile, nodes, aim=options.aim or SCORE, aggression=aggression)
    held = Pad(snapshot.counters["held_buttons"])
    position = position_of(snapshot, InputState(held, tempo.reaction, tempo.reaction))
    ranked, valued = Search(engine, tempo, profile).rank(position)
    evaluator = _evaluator(engine, position, tempo, profile)
    places: list[Lock] = [(one.orientation, one.column, one.row) for one in ranked]
    best = evaluator.best(places, options.top, places[0]) if places else []
    rollouts = TetrisRollouts(features, options.games, options.seed, RolloutCount(options, len(best)).played)
    made = _Explainer(position, tempo, profile, rollouts, options)
    in_points = isinstance(evaluator, PointsEvaluator)
    return Explanation(
        snapshot,
        piece_name(position.start.orientation),
        None if position.next_piece is None else piece_name(position.next_piece),
        {
            "rules": profile.name,
            "level": position.level,
            "lines": snapshot.counters["lines"],
            "taps": tempo.name,
            "reaction": tempo.reaction,
            "nodes": engine.budget,
            "search": "points" if in_points else "features",
        },
        evaluator.unit,
        evaluator.meaning,
        _ROLLOUTS,
        valued,
        tuple(made.explained(one, one.place == places[0]) for one in best),
    )


def misdrops_of(
    ram_map: RamMap, snapshot: Snapshot, place: Piece, tempo: Tempo, human: HumanError, seed: int = 0
) -> Misdrops | None:
    """Returns a person's misdrops of a lock; see `Explainer.misdrops`. Raises UsageError as `explain` does."""
    profile = profile_of(ram_map)
    if profile is None:
        raise UsageError(f"The map {ram_map.name} does not state its cartridge's timing, so no taps can be missed.")
    held = Pad(snapshot.counters["held_buttons"])
    position = position_of(snapshot, InputState(held, tempo.reaction, tempo.reaction))
    return _missed(position, place, tempo, profile, human, seed)


def _missed(
    position: Position, place: Piece, tempo: Tempo, profile: Profile, human: HumanError, seed: int
) -> Misdrops | None:
    gravity = gravity_at(position.level, profile)
    try:
        route = timeline(position.rows, position.start, place, gravity, tempo, profile, soft_drop=False)
    except UsageError:
        return None
    steps = route.placement.timeline
    return misdrops(position.rows, position.start, position.level, steps, profile, human, seed)


def _evaluator(engine: Engine, position: Position, tempo: Tempo, profile: Profile) -> LockEvaluator:
    """Returns what values the position as the engine does; see search/engine.py."""
    following = None if position.next_piece is None else int(PIECE_OF[position.next_piece])
    rows, lines, level = position.rows, position.lines, position.level
    stage, start = stage_of(lines, level, engine), position.start
    if stage != BY_FEATURES:
        look, standing, _ = search_of(stage, level, engine)
        return PointsEvaluator(look, rows, start.piece, start.begin(tempo), following, lines, standing)
    return LockFeatureEvaluator(engine.player, rows, following, lines, level, tempo, profile)


class _Explainer:
    """Adds words, risk and taps to the values of a position's placements."""

    def __init__(
        self,
        position: Position,
        tempo: Tempo,
        profile: Profile,
        rollouts: TetrisRollouts,
        options: ExplainOptions,
    ) -> None:
        self._position, self._tempo, self._profile, self._rollouts = position, tempo, profile, rollouts
        self._options = options

    def explained(self, valued: ValuedLock, chosen: bool) -> ExplainedPlacement:
        position, place = self._position, valued.place
        gravity = gravity_at(position.level, self._profile)
        route = timeline(
            position.rows, position.start, Piece(*place), gravity, self._tempo, self._profile, value=valued.value
        )
        return ExplainedPlacement(
            route.placement,
            placement_name(*place),
            valued.value,
            chosen,
            None if valued.following is None else placement_name(*valued.following),
            valued.depths,
            valued.parts,
            self._rollouts.risk(self._afterstate(place)),
            misdrops=self._misdrops(Piece(*place)),
        )

    def _misdrops(self, target: Piece) -> Misdrops | None:
        human, seed = self._options.human, self._options.seed
        return None if human is None else _missed(self._position, target, self._tempo, self._profile, human, seed)

    def _afterstate(self, place: Lock) -> Afterstate:
        position, rows = self._position, self._position.rows.copy()
        write_piece(rows, *place)
        cleared = int(clear_rows(rows, place[2]))
        level = int(level_after(position.level, position.lines, cleared))
        following = None if position.next_piece is None else int(PIECE_OF[position.next_piece])
        return Afterstate(rows, position.start.piece, following, position.lines + cleared, level)


def piece_name(orientation: int) -> str:
    """Returns the letter of an orientation's piece."""
    return PIECE_NAMES[PIECE_OF[orientation]]


def placement_name(orientation: int, column: int, row: int) -> str:
    """Returns a placement in words: columns count from the left, rows from the floor, both from 1."""
    left, right = column + int(DX[orientation].min()) + 1, column + int(DX[orientation].max()) + 1
    high, low = ROWS - row - int(DY[orientation].min()), ROWS - row - int(DY[orientation].max())
    turned = f"{piece_name(orientation)} {_TURNS[orientation]}".rstrip()
    return f"{turned}, {_range('column', left, right)}, {_range('row', low, high)}"


def _range(what: str, first: int, last: int) -> str:
    return f"{what} {first}" if first == last else f"{what}s {first}-{last}"
