"""The pairs family as one Game object: joins its rooms; decides nothing itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from emubot.explanation import DrawnPosition, ExplainedPlacement, ExplainOptions, Explanation
from emubot.games.colours import looks, offers
from emubot.games.colours.anyboard_thinker import AnyThinker
from emubot.games.colours.anyboard_thinker import kernels as any_kernels
from emubot.games.colours.board.turning import pair_cells
from emubot.games.colours.decode import decode, map_checks
from emubot.games.colours.evaluation.features import FEATURE_VERSION
from emubot.games.colours.explain import drawn as drawn_positions
from emubot.games.colours.explain import explain as explaining
from emubot.games.colours.explain import remarks as remarking
from emubot.games.colours.learning.learner import PuyoLearner
from emubot.games.colours.map_rules import rules_of_map, size_of
from emubot.games.colours.map_words import words
from emubot.games.colours.options import OPTIONS
from emubot.games.colours.reach.ahead import predict_turned
from emubot.games.colours.reach.offer import pair_of, turned_shapes
from emubot.games.colours.rules import ENDLESS, FAMICOM_1991, UP, VERSUS
from emubot.games.colours.search.engine import GAME as NAME
from emubot.games.colours.search.engine import NAMES
from emubot.games.colours.simulator import replay
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.colours.simulator.simulator import Simulator
from emubot.games.colours.thinker import PuyoThinker
from emubot.games.colours.thinker import kernels as thinking_kernels
from emubot.games.colours.timing import timing_of
from emubot.games.colours.trials import selfplay, trials, yardsticks
from emubot.games.counts import Counts, Watch
from emubot.games.findings import Finding
from emubot.games.map_words import MapWords
from emubot.games.protocol import GameFacts, Learner
from emubot.games.screens import GameState
from emubot.games.trial import Comparison, Settings, Trial
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.trace import Recorder, Trace
from emubot.weights import Weights, load_weights


class PuyoGame:
    """Famicom Puyo Puyo, and cartridges with the same rules."""

    name = NAME
    facts = GameFacts(
        title="pairs: Puyo Puyo (Famicom, 1991 and 1993) and its kind",
        default_map="demo_pairs",
        default_weights="famicom_puyo",
        feature_names=NAMES,
        feature_version=FEATURE_VERSION,
        ladder=("pairs-random", "pairs-lowest"),
    )
    looks, offers = looks.PAIRS, offers.PAIRS
    modes: Mapping[str, int] = MappingProxyType({"endless": ENDLESS, "versus": VERSUS})
    options = OPTIONS
    self_play_measure = "puyos"

    def decoder(self, ram_map: RamMap, player: int = 0) -> Callable[[bytes], Snapshot]:
        return decode.Decoder(ram_map, player)

    def findings(self, ram_map: RamMap) -> Iterable[Finding]:
        return map_checks.findings(ram_map)

    @property
    def map_words(self) -> MapWords:
        return words()

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Returns whether the drop timer or the piece has changed: every frame of control changes one of them."""
        timer = "drop_timer"
        return before.current != after.current or before.counters.get(timer) != after.counters.get(timer)

    def predict(self, ram_map: RamMap, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        if "gravity" not in ram_map.timing:  # the next frames cannot be predicted: the pilot reads their effects
            return snapshot
        rules, timing = rules_of_map(ram_map), timing_of(ram_map)
        turned = turned_shapes(ram_map) if pads else None
        shapes = None if turned is None else turned.of(pair_of(snapshot))
        if shapes is None:
            return decode.predict(snapshot, pads, rules, timing)
        return predict_turned(snapshot, pads, rules, timing, ram_map.buttons, shapes)

    def thinker(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> PuyoThinker | AnyThinker:
        """Returns the search by bitboards, or for a field that these do not hold that of the room anyboard."""
        if size_of(ram_map).has_words:
            return PuyoThinker(ram_map, weights, tempo)
        return AnyThinker(ram_map, weights, tempo)

    def learner(self, ram_map: RamMap, player: int = 0) -> Learner | None:
        """Returns a learner of what the map leaves open; None too where pairs learn nothing: see map_checks."""
        learns = size_of(ram_map).has_words and turned_shapes(ram_map) is None and PuyoLearner.has_work(ram_map)
        return PuyoLearner(ram_map, player) if learns else None

    def simulator(self, ram_map: RamMap, rng: np.random.Generator | None, even: bool = False) -> PuyoMachine:
        """Returns a machine. Two players always get the same pairs: their generators have the same seed."""
        return PuyoMachine(ram_map, rng)

    def recorder(self, ram_map: RamMap, order: str) -> Recorder:
        return replay.recorder(ram_map, order)

    def records(self, snapshot: Snapshot) -> bool:
        return replay.records(snapshot)

    def replays(self, trace: Trace) -> bool:
        return replay.replays(trace)

    def verify(self, trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
        return replay.verify(trace, ram_map)

    def draw(self, trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
        return replay.draw(trace, row, ram_map)

    def kernels(
        self, self_play: bool = False, ram_map: RamMap | None = None
    ) -> Sequence[tuple[str, Callable[[], object]]]:
        if ram_map is None or size_of(ram_map).has_words:
            jobs = thinking_kernels()
        else:
            jobs = any_kernels(ram_map, load_weights(self.facts.default_weights))
        return [*jobs, ("self-play", selfplay.compile_once)] if self_play else jobs

    def time_simulator(self, frames: int) -> float:
        """Returns the seconds of CPU time for this number of simulated frames; two players only let pairs fall."""
        game = Simulator(FAMICOM_1991, players=2)
        started = time.process_time()
        for _ in range(frames):
            if game.state is not GameState.PLAY:
                game = Simulator(FAMICOM_1991, players=2)
            game.step((Pad.DOWN, Pad.DOWN))
        return time.process_time() - started

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        counters = snapshot.counters
        return pair_cells((counters.get("pivot", 0), counters.get("satellite", 0)), piece)

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        if not snapshot.next:
            return ()
        return pair_cells((snapshot.next[0], snapshot.next[1]), there or Piece(UP, 0, 0))

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        counters = snapshot.counters
        return {
            "lines": None,  # pairs have none
            "score": counters.get("score"),
            "level": counters.get("level"),
            "won": counters.get("won"),
        }

    def remarks(self, snapshot: Snapshot, played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
        return remarking.remarks(played, best)

    def ready(self, one: ExplainedPlacement) -> float | None:
        return remarking.ready(one)

    def position(self, drawn: DrawnPosition) -> tuple[RamMap, Snapshot]:
        return drawn_positions.position(drawn)

    def explain(
        self, ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions
    ) -> Explanation:
        return explaining.explain(ram_map, snapshot, weights, tempo, options)

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        return selfplay.stretch_of(rules, options).settings

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        return selfplay.stretch_of(rules, options).play(seed, pieces, weights, watch)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        return trials.trial(sides, rules, options)

    def speeds(self) -> Mapping[str, float]:
        return yardsticks.speeds()

    def comparisons(self) -> Sequence[Comparison]:
        return yardsticks.comparisons()


GAME: Final = PuyoGame()
