"""Explains the decision of a position of a matching game: values, fields, risks, inputs; knows no bridge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.explanation import (
    DepthValue,
    ExplainedPlacement,
    ExplainOptions,
    Explanation,
    FieldAfter,
    Notation,
    Part,
)
from emubot.games.colours.bounds import MATCHING_NODES
from emubot.games.colours.decode.frame import field_of, kinds_of
from emubot.games.colours.decode.gate import check_piece
from emubot.games.colours.decode.map_checks import check_matching
from emubot.games.colours.decode.matching_decode import frames_per_row
from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.explain.chosen import Chooser, Place
from emubot.games.colours.explain.matching_board import After, lock
from emubot.games.colours.explain.matching_notation import (
    AIR_MARK,
    IN_AIR,
    KINDS,
    joints_of,
    lines_of,
    piece_name,
    placement_name,
)
from emubot.games.colours.explain.matching_ways import LOST_AT, WON_AT, follow, fresh_way
from emubot.games.colours.explain.rollouts import HOW_PIECES, Cells, MatchingPlayer, Rollouts
from emubot.games.colours.explain.valued import LOST
from emubot.games.colours.matching_engine import MatchingEngine
from emubot.games.colours.matching_rules import PACES, Rules
from emubot.games.colours.reach.matching_entry import drops_of
from emubot.games.colours.search.matching_search import LATER, Budget, Position, Search, search_for, values_for
from emubot.games.colours.timing import MATCHING, timing_of
from emubot.games.strength import Strength
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import Tempo
from emubot.text import counted
from emubot.weights import Weights

WON: Final = "the stage is won"
_MEANING: Final = "the sum of weight times feature, of the field after this piece"
_DEEPER: Final = (
    _MEANING,
    f"{_MEANING} and the best placement of the next one",
    f"{_MEANING}, the next one and a third one, as a mean over the third pieces that may come",
)
_SEARCHES: Final = ("one piece", "two pieces", "three pieces")
_FIELDS: Final = "the field after it, and what vanishes at once"
_JOINED: Final = "; > < ^ v show where a cell's other half is"


def explain(
    ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions
) -> Explanation:
    """Returns the explained position; see `Explainer.explain`. Without a timing placements have moves for inputs."""
    rules = check_matching(ram_map)
    options.refuse_human()
    if options.aim is not None:
        raise UsageError("Matching games have no --aim: leave it out.")
    kinds = kinds_of(snapshot, rules)
    if snapshot.current is None or not all(kinds):
        raise UsageError(f"There is no piece in the air ({snapshot.state}): explain a frame that has one.")
    check_piece(snapshot, rules)
    chooser = Chooser(MatchingEngine(ram_map, weights, tempo, Strength(options.nodes)), snapshot, tempo)
    best = chooser.best(options.top)
    position, budget = (
        _position(snapshot, ram_map, rules, tempo),
        MATCHING_NODES if options.nodes is None else options.nodes,
    )
    rollouts = Rollouts(MatchingPlayer(rules, position), [snapshot.next] * bool(snapshot.next), options, len(best))
    made = _Explainer(position, rules, weights, budget, rollouts)
    found = chooser.explained(best, made.explained)
    deepest = max((one.depths[-1].pieces for one in found), default=1) - 1
    counters = snapshot.counters
    return Explanation(
        snapshot,
        piece_name(kinds),
        piece_name(snapshot.next) or None,
        {
            "rules": rules.name,
            "colors": rules.colors,
            "level": counters.get("stage") if rules.targets else None,
            "pace": PACES[min(counters.get("pace", 0), len(PACES) - 1)],
            "taps": tempo.name,
            "reaction": tempo.reaction,
            "nodes": budget,
            "search": _SEARCHES[deepest],
            "garbage": counters.get("pending", 0),
        },
        "",
        _DEEPER[deepest],
        HOW_PIECES,
        chooser.nodes,
        found,
        Notation(KINDS, IN_AIR, rules.hidden_rows, joints_of(field_of(snapshot)[1]), AIR_MARK),
        _FIELDS + _JOINED * rules.joined,
    )


def _position(snapshot: Snapshot, ram_map: RamMap, rules: Rules, tempo: Tempo) -> Position:
    """Returns the position that the bot decides from."""
    timing, counters = timing_of(ram_map, MATCHING), snapshot.counters

    def drops(pieces: int) -> NDArray[np.int64]:
        if "gravity" not in ram_map.timing:
            return drops_of()
        return drops_of(
            tempo, frames_per_row({**counters, "pieces": counters.get("pieces", 1) + pieces}, rules, timing)
        )

    following = tuple(sorted(snapshot.next)) if rules.exchanges else snapshot.next  # as the thinker has it
    return Position(*field_of(snapshot), kinds_of(snapshot, rules), following, drops(1), drops(LATER))


class _Explainer:
    """Adds words, value, parts, the field after it and risk to the placements of a position.

    Each placement is searched alone, with the whole budget. So all are searched to the same depth, while the bot's own
    decision continues only the best ways.
    """

    def __init__(
        self,
        position: Position,
        rules: Rules,
        weights: Weights,
        budget: int,
        rollouts: Rollouts[After, Cells],
    ) -> None:
        self._position, self._rules, self._budget, self._rollouts = position, rules, budget, rollouts
        self._vector = values_for(weights, rules).vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
        self._search: Search = search_for(weights, rules, Budget(budget))

    def explained(self, place: Place, placement: Placement, chosen: bool) -> ExplainedPlacement:
        position, rules, search, way = self._position, self._rules, self._search, fresh_way()
        task, play = search.begin(position, np.array([place]), self._budget)
        pieces, following = map(int, follow(task, play, search.scratch, way))
        after = lock(position.cells, position.links, place, position.piece, rules)
        next_name = None
        if following >= 0:
            orientation, column, row = search.scratch.places[1, following].tolist()
            next_name = placement_name(position.following, (orientation, column, row - rules.hidden_rows), rules)
        depths = tuple(DepthValue(depth, float(way.values[depth - 1])) for depth in range(1, pieces + 1))
        return ExplainedPlacement(
            placement,
            placement_name(position.piece, place, rules),
            depths[-1].value,
            chosen,
            next_name,
            depths,
            self._parts(way.amounts[pieces - 1]),
            self._rollouts.risk(after),
            FieldAfter(
                lines_of(after.cells),
                self._parts(way.amounts[0]),
                "",
                None,
                _cleared(after),
                tuple(_words(after, rules)),
                joints_of(after.links),
            ),
        )

    def _parts(self, amounts: NDArray[np.float64]) -> tuple[Part, ...]:
        """Returns weight times feature of each feature that counts, and what the end of the game adds."""
        parts = [
            Part(FEATURE_NAMES[index], float(self._vector[index] * amounts[index]), float(amounts[index]))
            for index in np.flatnonzero(self._vector)
        ]
        ends = ((LOST, amounts[LOST_AT]), (WON, amounts[WON_AT]))
        return (*parts, *(Part(name, float(value)) for name, value in ends if value))


def _cleared(after: After) -> dict[str, int]:
    outcome = after.outcome
    counts = {"steps": outcome.chain, "lines": outcome.lines, "cells": outcome.removed, "targets": outcome.targets}
    return {name: int(count) for name, count in counts.items()} | {"targets_left": after.targets}


def _words(after: After, rules: Rules) -> Sequence[str]:
    """Returns what is said below a field: what vanishes at once, and what is left."""
    outcome = after.outcome
    words = [counted(int(outcome.lines), "line") if outcome.lines else "no line"]
    if outcome.chain > 1:
        words.append(f"in {outcome.chain} steps")
    if outcome.targets:
        words.append(f"{counted(int(outcome.targets), 'target')} gone")
    if after.lost or after.won:
        return [*words, LOST if after.lost else WON]
    return [*words, f"{counted(after.targets, 'target')} left"] if rules.targets else words
