"""The Tetris family as one Game object: joins its rooms; decides nothing itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import TraceError
from emubot.explanation import DrawnPosition, ExplainedPlacement, ExplainOptions, Explanation
from emubot.games.counts import Counts, Watch
from emubot.games.findings import Finding
from emubot.games.map_words import MapWords
from emubot.games.outcome import WON
from emubot.games.protocol import FIGURES, GameFacts, Learner
from emubot.games.recorded import map_of
from emubot.games.rows import plain_recorder
from emubot.games.tetris.anyboard import motion as any_motion
from emubot.games.tetris.anyboard.checks import findings as any_findings
from emubot.games.tetris.anyboard.checks import has_own_board
from emubot.games.tetris.anyboard.decoder import AnyDecoder, AnySnapshot
from emubot.games.tetris.anyboard.thinker import AnyThinker
from emubot.games.tetris.anyboard.thinker import kernels as any_kernels
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.decode import decode, map_checks
from emubot.games.tetris.evaluation.features import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.explain import drawn as drawn_positions
from emubot.games.tetris.explain import explain as explaining
from emubot.games.tetris.explain import remarks as remarking
from emubot.games.tetris.foresight.search import ForesightSearch
from emubot.games.tetris.learning.learner import TetrisLearner
from emubot.games.tetris.learning.open_map import OpenDecoder, OpenSnapshot, OpenThinker, is_open, open_findings
from emubot.games.tetris.looks import LOOKS
from emubot.games.tetris.map_words import words
from emubot.games.tetris.offers import OFFERS
from emubot.games.tetris.options import OPTIONS
from emubot.games.tetris.reach import mapped
from emubot.games.tetris.rules import (
    COLUMNS,
    DX,
    DY,
    GOAL_LINES,
    HIDDEN_PIECE,
    ORIENTATIONS,
    PIECE_OF,
    ROWS,
    TYPE_B,
)
from emubot.games.tetris.simulator import predict
from emubot.games.tetris.simulator import simulator as sim
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.games.tetris.thinker import TetrisThinker, kernels_of_release, kernels_of_tables
from emubot.games.tetris.timing import NTSC, Timing, timing_of
from emubot.games.tetris.trials import selfplay, trials, yardsticks
from emubot.games.trial import Comparison, Settings, Trial
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.spaces import index_of
from emubot.snapshot import Cell, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.trace import Recorder, Trace
from emubot.weights import Weights

# The highest values that a game can have, of the fields that kernels use as indices.
_HIGHEST: Final = {
    "piece": HIDDEN_PIECE,
    "next_piece": ORIENTATIONS - 1,
    "y": ROWS - 1,
    "line_index": 4,
    "completed_lines": 4,
}
_CURTAIN: Final = "curtain"
_TIMED_FRAMES: Final = 700  # about the length of a game with random pads at level 18
_LOOK: Final = (1, 3, 2, 1, 3, 2, 1)  # the kind of cell that T J Z O S L I leave
_PIECE_VISIBLE: Final = (1, 2)  # play states in which the piece is in the air


class TetrisGame:
    """NES Tetris and cartridges with its rules."""

    name = "tetris"
    facts = GameFacts(
        title="falling blocks: NES Tetris (Nintendo, 1989) and its kind",
        default_map="nes_tetris_usa",
        default_weights="nes_tetris",
        feature_names=tuple(FEATURE_NAMES),
        feature_version=FEATURE_VERSION,
        ladder=("random", "lowest", "lowest-holes", "lowest-holes-bumps", "lowest-holes-bumps-lines"),
    )
    looks, offers, options = LOOKS, OFFERS, OPTIONS
    modes: Mapping[str, int] = MappingProxyType({})  # its two-player game is unfinished and cannot be started
    self_play_measure = "height"

    def decoder(self, ram_map: RamMap, player: int = 0) -> Callable[[bytes], Snapshot]:
        if is_open(ram_map):
            return OpenDecoder(ram_map, player)
        return AnyDecoder(ram_map, player) if has_own_board(ram_map) else decode.Decoder(ram_map, player)

    def findings(self, ram_map: RamMap) -> Iterable[Finding]:
        if is_open(ram_map):
            return open_findings(ram_map)
        return any_findings(ram_map) if has_own_board(ram_map) else map_checks.findings(ram_map)

    @property
    def map_words(self) -> MapWords:
        return words()

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Every frame of control advances the fall timer, or resets it and moves the piece down."""
        timer = "fall_timer"
        if timer not in after.counters:
            return True
        return before.current != after.current or before.counters[timer] != after.counters[timer]

    def predict(self, ram_map: RamMap, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        if isinstance(snapshot, OpenSnapshot):
            return snapshot
        if isinstance(snapshot, AnySnapshot):
            return any_motion.predict(ram_map, snapshot, pads)
        if map_checks.OWN_ID in snapshot.counters:
            return mapped.predict(ram_map, snapshot, pads)
        return predict.predict(snapshot, pads, _timing(ram_map))

    def thinker(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> TetrisThinker | AnyThinker | OpenThinker:
        if is_open(ram_map):
            return OpenThinker(ram_map, weights)
        if has_own_board(ram_map):
            return AnyThinker(ram_map, weights, tempo)
        return TetrisThinker(ram_map, weights, tempo)

    def foresight(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> ForesightSearch:
        return ForesightSearch(ram_map, weights, tempo)

    def learner(self, ram_map: RamMap, player: int = 0) -> Learner | None:
        if not TetrisLearner.has_work(ram_map):
            return None
        return TetrisLearner(ram_map, player, lambda made: self.decoder(made, player))

    def simulator(self, ram_map: RamMap, rng: np.random.Generator | None, even: bool = False) -> TetrisMachine:
        return TetrisMachine(ram_map, rng, even)

    def recorder(self, ram_map: RamMap, order: str) -> Recorder:
        """Records what the simulator replays if the map has it, else all that the map has, for views and movies."""
        if not map_checks.is_replayed(ram_map):
            return plain_recorder(ram_map, order)
        addresses = [ram_map.addresses(name)[0] for name in reg.FIELDS]
        pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
        return Recorder(reg.FIELDS, addresses, ram_map.regions["page"], pads, order, index_of)

    def records(self, snapshot: Snapshot) -> bool:
        """A recorded game includes its curtain; the simulator has no high-score screens."""
        return snapshot.phase.in_game or snapshot.state == _CURTAIN

    def replays(self, trace: Trace) -> bool:
        return trace.fields == tuple(reg.FIELDS) and len(trace.initial_page) == reg.PAGE_SIZE

    def verify(self, trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
        _refuse_impossible(trace)
        state, page = trace.initial.copy(), trace.initial_page.copy()
        if ram_map is None and "map" in trace.about:  # recordings without a map are of the NTSC release
            ram_map = map_of(trace)
        timing = _timing(ram_map)
        return sim.replay(state, page, trace.pads, trace.order == "nmi-game", timing, trace.state, trace.page)

    def draw(self, trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
        cells = trace.page[row, : ROWS * COLUMNS].reshape(ROWS, COLUMNS) < reg.EMPTY
        drawn = [["#" if cell else "." for cell in line] for line in cells]
        piece, x, y, state = (int(trace.column(name)[row]) for name in ("piece", "x", "y", "play_state"))
        if piece < ORIENTATIONS and state in _PIECE_VISIBLE:
            for dx, dy in _offsets(piece):
                if 0 <= y + dy < ROWS and 0 <= x + dx < COLUMNS:
                    drawn[y + dy][x + dx] = "o"
        return ["".join(line) for line in drawn]

    def kernels(
        self, self_play: bool = False, ram_map: RamMap | None = None
    ) -> Sequence[tuple[str, Callable[[], object]]]:
        of_release = [("the simulator", _compile_simulator), *kernels_of_release()]
        of_tables = [*kernels_of_tables(), *any_kernels()]
        if ram_map is None:
            jobs = [*of_release, *of_tables]
        else:
            jobs = of_tables if map_checks.profile_of(ram_map) is None else of_release
        return [*jobs, ("self-play", selfplay.compile_once)] if self_play else jobs

    def time_simulator(self, frames: int) -> float:
        """Returns the CPU time in seconds of this number of frames at level 18 with random pads."""
        rng = np.random.default_rng(0)
        held = rng.choice(np.array([0, 0, 0, 0x01, 0x02, 0x04, 0x40, 0x80], dtype=np.uint8), size=_TIMED_FRAMES)
        held[1::2] = 0
        pads = np.stack([held & ~np.roll(held, 1), held], axis=1).copy()
        nothing = (np.zeros((0, len(reg.FIELDS)), dtype=np.uint8), np.zeros((0, reg.PAGE_SIZE), dtype=np.uint8))
        started = time.process_time()
        for _ in range(frames // _TIMED_FRAMES):
            state, page = _opening()
            sim.replay(state, page, pads, True, NTSC, *nothing)
        return time.process_time() - started

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        if isinstance(snapshot, OpenSnapshot):
            return []
        if isinstance(snapshot, AnySnapshot):
            kind, cells = snapshot.pieces.kind(piece.orientation), snapshot.pieces.cells(piece)
            return [Cell(column, row, kind) for column, row in cells]
        kind = _LOOK[PIECE_OF[piece.orientation]]
        return [Cell(piece.column + dx, piece.row + dy, kind) for dx, dy in _offsets(piece.orientation)]

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        return self.cells(snapshot, there or Piece(snapshot.next[0], 0, 0)) if snapshot.next else ()

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        figures = {name: snapshot.counters.get(name) for name in FIGURES}
        kind = snapshot.counters.get("game_type")
        if kind != TYPE_B:
            figures["completed"] = None if kind is None else 0
            won = snapshot.counters.get(WON)
            return figures if won is None else {**figures, WON: won}
        left = snapshot.counters["lines"]
        return {**figures, "lines": GOAL_LINES - left, "completed": int(left == 0)}

    def remarks(self, snapshot: Snapshot, played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
        return remarking.remarks(snapshot, played.placement, best.placement)

    def ready(self, one: ExplainedPlacement) -> float | None:
        return None

    def position(self, drawn: DrawnPosition) -> tuple[RamMap, Snapshot]:
        return drawn_positions.position(drawn)

    def explain(
        self, ram_map: RamMap, snapshot: Snapshot, weights: Weights, tempo: Tempo, options: ExplainOptions
    ) -> Explanation:
        return explaining.explain(ram_map, snapshot, weights, tempo, options)

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        return selfplay.settings(rules, options), {}

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        return selfplay.self_play(seed, pieces, weights, selfplay.settings(rules, options), watch)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        return trials.trial(sides, rules, options)

    def speeds(self) -> Mapping[str, float]:
        return yardsticks.speeds()

    def comparisons(self) -> Sequence[Comparison]:
        return yardsticks.comparisons()


def _offsets(orientation: int) -> list[tuple[int, int]]:
    """Returns the cells (dx, dy) of an orientation around its pivot, dy downwards."""
    return [(int(dx), int(dy)) for dx, dy in zip(DX[orientation], DY[orientation], strict=True)]


def _timing(ram_map: RamMap | None) -> Timing:
    """Returns the timing of the release that the map names; NTSC without a map or a release."""
    profile = None if ram_map is None else map_checks.profile_of(ram_map)
    return NTSC if profile is None else timing_of(profile)


def _refuse_impossible(trace: Trace) -> None:
    """Raise TraceError, naming the field and the first row, if a byte has a value that no game can have.

    Kernels do not check their indices, so this must run before them.
    """
    rows = np.vstack([trace.initial, trace.state])
    state, piece = (rows[:, trace.fields.index(name)] for name in ("play_state", "piece"))
    wrong = {f"{name} above {most}": rows[:, trace.fields.index(name)] > most for name, most in _HIGHEST.items()}
    wrong["no piece in the air"] = np.isin(state, _PIECE_VISIBLE) & (piece >= ORIENTATIONS)
    for what, found in wrong.items():
        if found.any():
            row = int(np.argmax(found)) - 1
            where = f"in row {row}" if row >= 0 else "before the first row"
            raise TraceError(f"The trace cannot be of this game ({what} {where}): it is damaged, record it again.")


def _opening() -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns the state and the page of a game at level 18 in its first frame."""
    values = {"x": 5, "piece": 2, "next_piece": 18, "level": 18, "play_state": 1, "vram_row": 32, "lfsr_hi": 0x89}
    values |= {"game_mode": reg.MODE_PLAY, "game_mode_state": reg.MODE_STATE_PLAY}
    state = np.array([values.get(name, 0) for name in reg.FIELDS], dtype=np.uint8)
    return state, np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)


def _compile_simulator() -> None:
    state, page = _opening()
    sim.step_frame(state, page, 0, 0, NTSC)
    sim.nmi_part(state)
    trace_rows = (np.zeros((1, len(reg.FIELDS)), dtype=np.uint8), np.zeros((1, reg.PAGE_SIZE), dtype=np.uint8))
    sim.replay(state, page, np.zeros((1, 2), dtype=np.uint8), True, NTSC, *trace_rows)


GAME: Final = TetrisGame()
