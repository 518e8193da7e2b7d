"""The family of matching games as one Game object: joins its rooms; decides nothing itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from emubot.games.colours import looks, offers
from emubot.games.colours.decode import matching_checks as checks
from emubot.games.colours.decode import matching_decode as decode
from emubot.games.colours.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.matching_map_words import words
from emubot.games.colours.matching_options import OPTIONS
from emubot.games.colours.matching_rules import CAPSULES, CYCLED, ENDLESS, TURNED, VERSUS
from emubot.games.colours.matching_thinker import MatchingThinker
from emubot.games.colours.matching_thinker import kernels as thinking_kernels
from emubot.games.colours.matching_timing import timing_of
from emubot.games.colours.search.cells_engine import GAME as NAME
from emubot.games.colours.simulator import matching_replay as replay
from emubot.games.colours.simulator.matching_machine import MatchingMachine
from emubot.games.colours.simulator.matching_simulator import Simulator
from emubot.games.colours.trials import matching_selfplay as selfplay
from emubot.games.colours.trials import matching_trials as trials
from emubot.games.counts import Counts, Watch
from emubot.games.findings import Finding
from emubot.games.map_words import MapWords
from emubot.games.protocol import GameFacts, Learner
from emubot.games.screens import GameState
from emubot.games.trial import Settings, Trial
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.trace import Recorder, Trace
from emubot.weights import Weights

_TIMERS: Final = ("drop_timer", "wait")


class MatchingGame:
    """Games of colours that match: joined capsules with targets, and columns of three."""

    name = NAME
    facts = GameFacts(
        title="matching colours: capsules with targets, columns of three, and their kind",
        default_map="demo_capsules",
        default_weights="capsules",
        feature_names=FEATURE_NAMES,
        feature_version=FEATURE_VERSION,
        ladder=("capsules-random", "capsules-greedy"),
    )
    looks, offers = looks.MATCHING, offers.MATCHING
    modes: Mapping[str, int] = MappingProxyType({"endless": ENDLESS, "versus": VERSUS})
    options = OPTIONS
    self_play_measure = "height"

    def decoder(self, ram_map: RamMap, player: int = 0) -> Callable[[bytes], Snapshot]:
        return decode.Decoder(ram_map, player)

    def findings(self, ram_map: RamMap) -> Iterable[Finding]:
        return checks.findings(ram_map)

    @property
    def map_words(self) -> MapWords:
        return words()

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Returns whether a timer or the piece has changed: every frame of play changes one of them."""
        return before.current != after.current or any(
            before.counters.get(timer) != after.counters.get(timer) for timer in _TIMERS
        )

    def predict(self, ram_map: RamMap, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        if "gravity" not in ram_map.timing:  # the next frames cannot be predicted: the pilot reads their effects
            return snapshot
        return decode.predict(snapshot, pads, checks.check_map(ram_map), timing_of(ram_map))

    def thinker(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> MatchingThinker:
        return MatchingThinker(ram_map, weights, tempo)

    def learner(self, ram_map: RamMap, player: int = 0) -> Learner | None:
        """Returns None: the family reads only maps that leave nothing open."""
        return None

    def simulator(self, ram_map: RamMap, rng: np.random.Generator | None, even: bool = False) -> MatchingMachine:
        """Returns a machine. Two players always get the same pieces: their generators have the same seed."""
        return MatchingMachine(ram_map, rng)

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
        jobs = thinking_kernels()
        return [*jobs, ("self-play", selfplay.compile_once)] if self_play else jobs

    def time_simulator(self, frames: int) -> float:
        """Returns the seconds of CPU time for this number of simulated frames; two players only let pieces fall."""
        game = Simulator(CAPSULES, players=2)
        started = time.process_time()
        for _ in range(frames):
            if game.state is not GameState.PLAY:
                game = Simulator(CAPSULES, players=2)
            game.step((Pad.DOWN, Pad.DOWN))
        return time.process_time() - started

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        kinds = [snapshot.counters[name] for name in ("kind_1", "kind_2", "kind_3") if name in snapshot.counters]
        return _drawn(tuple(kinds), piece)

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        return _drawn(snapshot.next, there or Piece(0, 0, 0)) if snapshot.next else ()

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        counters = snapshot.counters
        return {
            "lines": None,  # no map counts those of a whole game
            "score": counters.get("score"),
            "level": counters.get("stage"),
            "stages": counters.get("stages"),
            "won": counters.get("won"),
        }

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        return selfplay.stretch_of(rules, options).settings

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        return selfplay.stretch_of(rules, options).play(seed, pieces, weights, watch)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        return trials.trial(sides, rules, options)


def _drawn(kinds: tuple[int, ...], piece: Piece) -> list[Cell]:
    """Returns the cells of a piece at this place."""
    shapes = TURNED if len(kinds) == len(TURNED[0]) else CYCLED
    shape = shapes[piece.orientation % len(shapes)]
    return [Cell(piece.column + dx, piece.row + dy, kind) for (dx, dy), kind in zip(shape, kinds, strict=True)]


GAME: Final = MatchingGame()
