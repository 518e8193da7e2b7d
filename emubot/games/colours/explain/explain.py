"""Explains the decision of a position of pairs: values, fields, chains, risks, inputs; knows no bridge and no file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from emubot.errors import UsageError
from emubot.explanation import (
    BuiltChain,
    ExplainedPlacement,
    ExplainOptions,
    Explanation,
    FieldAfter,
    Notation,
    RolloutCount,
)
from emubot.games.colours.board.words import Cells, checked_cells
from emubot.games.colours.bounds import NODES
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.gate import check_position
from emubot.games.colours.decode.inference import Pending
from emubot.games.colours.decode.map_checks import check_map
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.features import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.explain.built import Trigger, best_trigger, steps_of, triggers_on
from emubot.games.colours.explain.by_feature import FeatureEvaluator
from emubot.games.colours.explain.by_worth import WorthEvaluator
from emubot.games.colours.explain.notation import IN_AIR, KINDS, lines_of, pair_name, placement_name
from emubot.games.colours.explain.rollouts import PAIRS, Rollouts
from emubot.games.colours.explain.valued import Evaluator, Place, afterstate
from emubot.games.colours.map_rules import rules_of_map, size_of
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import LETTERS, Rules, rules_in
from emubot.games.colours.search.careful import CarefulSearch
from emubot.games.colours.search.engine import (
    GAME,
    Budget,
    aim_in,
    building_vector,
    search_for,
    values_for,
)
from emubot.games.colours.search.search import Position, Search, TwoPlies
from emubot.games.colours.thinker import PuyoThinker
from emubot.games.colours.timing import gravity, timing_of
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import InputState, Tempo
from emubot.weights import Weights, load_weights

_QUICK: Final = "reference"  # plays the rollouts: quick, and careful
_ROLLOUTS: Final = (
    f"games end within {PAIRS} pairs, if the weights {_QUICK} play on; pairs come from independent random numbers"
)
_CLOCK: Final = "drop_timer"


def explain(
    ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions
) -> Explanation:
    """Returns the explained position; see `Explainable.explain`. Without a timing placements have moves for inputs."""
    check_map(ram_map)
    if not size_of(ram_map).has_words:
        raise UsageError("Decisions are explained on fields of 6 columns with a hidden row: this field is another one.")
    counters = snapshot.counters
    pair = (counters["pivot"], counters["satellite"])
    if snapshot.current is None or not all(pair):
        raise UsageError(f"There is no pair in the air ({snapshot.state}): explain a frame that has one.")
    rules = rules_in(rules_of_map(ram_map), counters)
    check_position(snapshot, rules)
    aim = options.aim or aim_in(counters)
    budget = Budget(NODES if options.nodes is None else options.nodes)
    position = _position(snapshot, ram_map, rules, tempo)
    search = search_for(weights, rules, aim, budget)
    if isinstance(search, CarefulSearch):
        search = search.chosen(position)
    evaluator: Evaluator
    if isinstance(search, TwoPlies):
        evaluator = FeatureEvaluator(search.scales, position, rules)
    else:
        evaluator = WorthEvaluator(building_vector(values_for(weights, rules, aim)), position, rules)
    chooser = _Chooser(ram_map, snapshot, weights, tempo, options.nodes, aim)
    quick = load_weights(_QUICK).vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
    best = sorted(range(len(chooser.places)), key=lambda index: -chooser.values[index])[: options.top]
    played = RolloutCount(options, len(best)).played
    rollouts = Rollouts(scales_of(quick), position, rules, options.games, options.seed, played)
    made = _Explainer(position, rules, search, evaluator, rollouts)
    found = [
        made.explained(chooser.places[index], chooser.placement(index), chosen=number == 0)
        for number, index in enumerate(best)
    ]
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
            "nodes": budget.nodes,
            "search": "two plies" if isinstance(evaluator, FeatureEvaluator) else "beam",
            "aim": aim,
            "pending": position.pending,
        },
        evaluator.unit,
        evaluator.meaning,
        _ROLLOUTS,
        chooser.nodes,
        tuple(sorted(found, key=lambda one: (-one.value, not one.chosen))),
        Notation(KINDS, IN_AIR, rules.hidden_rows),
    )


def _position(snapshot: Snapshot, ram_map: RamMap, rules: Rules, tempo: Tempo) -> Position:
    """Returns the position that the bot decides from."""
    counters, limits = snapshot.counters, None
    if "gravity" in ram_map.timing and _CLOCK in counters:
        limits = limits_of(rules, tempo, gravity(timing_of(ram_map), counters.get("level", 0)))
    following = tuple(zip(snapshot.next[::2], snapshot.next[1::2], strict=True))
    pair = (counters["pivot"], counters["satellite"])
    return Position(checked_cells(cells_of(snapshot)), pair, following, Pending(rules).on_its_way(snapshot), limits)


class _Chooser:
    """The bot's own decision for a position: all candidates with their values, and how to reach each of them."""

    def __init__(
        self, ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, nodes: int | None, aim: str
    ) -> None:
        held = Pad(snapshot.counters.get("held_buttons", 0))
        self._snapshot, self._input_state = snapshot, InputState(held, tempo.reaction, tempo.reaction)
        self._thinker = PuyoThinker(ram_map, weights, tempo)
        self._thinker.limit(nodes)
        self._thinker.aim_for(aim, None)
        self.places: list[Place] = []
        self.values: list[float] = []
        self.nodes = self._thinker.decide_by(snapshot, self._input_state, self._choose_best).nodes

    def _choose_best(self, places: Sequence[Sequence[int]], values: Sequence[float]) -> int:
        self.places, self.values = [(place[0], place[1]) for place in places], list(values)
        return int(np.argmax(values))

    def placement(self, index: int) -> Placement:
        """Returns the placement of a candidate with its inputs; the bot's search is made again."""
        chosen = self._thinker.decide_by(self._snapshot, self._input_state, lambda places, values: index).placement
        assert chosen is not None
        return chosen


class _Explainer:
    """Adds words, value, parts, the field after it and risk to the placements of a position.

    Each placement is valued by a search of it alone. So all are searched to the same depth, while the bot's own
    decision drops most of them on the way.
    """

    def __init__(
        self, position: Position, rules: Rules, search: Search, evaluator: Evaluator, rollouts: Rollouts
    ) -> None:
        self._position, self._rules, self._search = position, rules, search
        self._evaluator, self._rollouts = evaluator, rollouts

    def explained(self, place: Place, placement: Placement, chosen: bool) -> ExplainedPlacement:
        position, rules, evaluator = self._position, self._rules, self._evaluator
        values, _ = self._search.rank(position, np.array([place]))
        after = afterstate(position, place, rules)
        triggers = triggers_on(after.cells, rules)
        valued = evaluator.valued(place, float(values[0]), after)
        best = best_trigger(triggers, evaluator.chain_value)
        return ExplainedPlacement(
            placement,
            placement_name(position.cells, position.pair, *place, rules),
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
            ),
        )

    def _chain(self, cells: Cells, trigger: Trigger) -> BuiltChain:
        steps, above = steps_of(cells, trigger, self._rules), self._rules.hidden_rows
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
