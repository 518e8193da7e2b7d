"""Explains the decision of a position of pairs: values, fields, chains, risks, inputs; knows no bridge and no file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from emubot.errors import UsageError
from emubot.explanation import (
    BuiltChain,
    ExplainedPlacement,
    ExplainOptions,
    Explanation,
    FieldAfter,
    Notation,
)
from emubot.games.colours.anyboard_engine import AnyFieldEngine
from emubot.games.colours.board import anyboard_bounds
from emubot.games.colours.bounds import NODES
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.gate import check_pair
from emubot.games.colours.decode.inference import Pending
from emubot.games.colours.decode.map_checks import check_pairs
from emubot.games.colours.decode.upcoming import next_pairs
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.explain.built import Trigger, best_trigger, steps_of, triggers_on
from emubot.games.colours.explain.by_feature import FeatureEvaluator, ThirdPair
from emubot.games.colours.explain.by_worth import WorthEvaluator
from emubot.games.colours.explain.chosen import Chooser, Place
from emubot.games.colours.explain.notation import IN_AIR, KINDS, lines_of, pair_name, placement_name
from emubot.games.colours.explain.pair_board import After, Cells, PairBoard
from emubot.games.colours.explain.rollouts import HOW_PAIRS, PairPlayer, Rollouts
from emubot.games.colours.explain.valued import Evaluator
from emubot.games.colours.map_rules import rules_of_map, size_of
from emubot.games.colours.puyo_engine import PuyoEngine
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import BIG, LETTERS, Rules, rules_in
from emubot.games.colours.search.anyboard_search import AnySearch
from emubot.games.colours.search.engine import Budget, CarefulSearch, aim_in, building_vector, search_for, values_for
from emubot.games.colours.search.search import Position, TwoPlies
from emubot.games.colours.search.two_plies import Pair
from emubot.games.colours.timing import PAIRS, timing_of
from emubot.games.strength import Strength
from emubot.games.thinker import Engine
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import Tempo
from emubot.text import counted
from emubot.weights import Weights

_FIELDS: Final = (
    "the field after it, and the best chain that it is ready for: a digit is the step in which a puyo pops (a is 10), "
    "* is a puyo that sets the chain off"
)
_CLOCK: Final = "drop_timer"


def explain(
    ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions
) -> Explanation:
    """Returns the explained position; see `Explainer.explain`. Without a timing placements have moves for inputs."""
    check_pairs(ram_map)
    options.refuse_human()
    counters = snapshot.counters
    pair = (counters["pivot"], counters["satellite"])
    if snapshot.current is None or not all(pair):
        raise UsageError(f"There is no pair in the air ({snapshot.state}): explain a frame that has one.")
    rules = rules_in(rules_of_map(ram_map), counters)
    check_pair(snapshot, rules)
    case = _case(ram_map, snapshot, rules, weights, tempo, options)
    position, chooser = case.position, Chooser(case.engine, snapshot, tempo)
    best = chooser.best(options.top)
    known = [pair for pair in position.following if max(pair) < BIG]
    player = PairPlayer(case.board, case.limits, position.limits, size_of(ram_map).has_words)
    rollouts = Rollouts(player, known, options, len(best))
    made = _Explainer(position, case.board, case.evaluator, rollouts)
    return Explanation(
        snapshot,
        pair_name(pair),
        " ".join(map(pair_name, position.following)) or None,
        {
            "rules": rules.name,
            "colors": rules.colors,
            "level": counters.get("level"),
            "taps": tempo.name,
            "reaction": tempo.reaction,
            "nodes": case.nodes,
            "search": case.evaluator.search,
            "aim": case.aim,
            "pending": position.pending,
        },
        case.evaluator.unit,
        case.evaluator.meaning,
        HOW_PAIRS,
        chooser.nodes,
        chooser.explained(best, made.explained),
        Notation(KINDS, IN_AIR, rules.hidden_rows),
        _FIELDS,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """What a position is explained with. `limits` are those of the next pair, for the kernels of fields of any size."""

    position: Position
    limits: anyboard_bounds.Limits
    board: PairBoard
    engine: Engine[Any, Any]
    evaluator: Evaluator
    aim: str | None
    nodes: int


def _case(
    ram_map: RamMap, snapshot: Snapshot, rules: Rules, weights: Weights, tempo: Tempo, options: ExplainOptions
) -> _Case:
    counters, board, has_words = snapshot.counters, PairBoard(rules), size_of(ram_map).has_words
    clock: tuple[Tempo, int] | None = None
    if "gravity" in ram_map.timing and _CLOCK in counters:
        clock = (tempo, timing_of(ram_map, PAIRS).frames_per_row(counters.get("level", 0)))
    limits = anyboard_bounds.limits_of(rules, *(clock or ()))
    position = Position(
        board.settled(cells_of(snapshot)),
        (counters["pivot"], counters["satellite"]),
        next_pairs(snapshot),
        Pending(rules).on_its_way(snapshot),
        limits_of(rules, *clock) if clock and has_words else None,
    )
    evaluator: Evaluator
    if not has_words:
        if options.aim is not None:
            raise UsageError("On this field pairs are searched in one way, whatever the aim: leave out --aim.")
        nodes = options.nodes or 0
        any_engine = AnyFieldEngine(ram_map, weights, tempo, Strength(nodes))
        scales = scales_of(weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION))
        third = ThirdPair(AnySearch(rules, weights, nodes), position, limits) if nodes else None
        evaluator = FeatureEvaluator(scales, position, board, limits, third)
        return _Case(position, limits, board, any_engine, evaluator, None, nodes)
    aim, budget = options.aim or aim_in(counters), Budget(NODES if options.nodes is None else options.nodes)
    search = search_for(weights, rules, aim, budget)
    if isinstance(search, CarefulSearch):
        search = search.chosen(position)
    if isinstance(search, TwoPlies):
        evaluator = FeatureEvaluator(search.scales, position, board, limits)
    else:
        evaluator = WorthEvaluator(search, building_vector(values_for(weights, rules, aim)), position, rules)
    engine = PuyoEngine(ram_map, weights, tempo, Strength(options.nodes, aim=aim))
    return _Case(position, limits, board, engine, evaluator, aim, budget.nodes)


class _Explainer:
    """Adds words, value, parts, the field after it and risk to the placements of a position."""

    def __init__(
        self, position: Position, board: PairBoard, evaluator: Evaluator, rollouts: Rollouts[After, Pair]
    ) -> None:
        self._position, self._board = position, board
        self._evaluator, self._rollouts = evaluator, rollouts

    def explained(self, place: Place, placement: Placement, chosen: bool) -> ExplainedPlacement:
        position, board, evaluator = self._position, self._board, self._evaluator
        after = board.lock(position.cells, place, position.pair, position.pending)
        triggers = triggers_on(after.cells, board)
        valued = evaluator.valued(place, after)
        best = best_trigger(triggers, evaluator.chain_value)
        ready = ("no chain",) if best is None else (counted(best.steps, "step"), counted(best.points, "point"))
        return ExplainedPlacement(
            placement,
            placement_name(position.cells, position.pair, place, board.rules),
            valued.depths[-1].value,
            chosen,
            valued.next_name,
            valued.depths,
            valued.parts,
            self._rollouts.risk(after),
            FieldAfter(
                lines_of(after.cells),
                evaluator.field_parts(after, place, triggers),
                evaluator.field_unit,
                None if best is None else self._chain(after.cells, best),
                {"steps": after.chain, "points": after.points},
                ready,
            ),
        )

    def _chain(self, cells: Cells, trigger: Trigger) -> BuiltChain:
        steps, above = steps_of(cells, trigger, self._board), self._board.rules.hidden_rows
        top = len(cells) - trigger.height - above
        added = tuple((trigger.column, top - number) for number in range(1, trigger.puyos + 1))
        popped = {(int(column), int(row) - above): int(steps[row, column]) for row, column in np.argwhere(steps)}
        cells_popped = [cell for cell in popped if cell not in added]
        return BuiltChain(
            trigger.steps,
            trigger.points,
            LETTERS[trigger.color - 1],
            added,
            tuple(cells_popped),
            tuple(popped[cell] for cell in cells_popped),
        )
