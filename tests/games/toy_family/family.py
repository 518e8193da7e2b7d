"""The family as one Game object, and its simulated cartridge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.counts import Counts, Watch
from emubot.games.offers import Bot, Demo, GameOffer, Offers
from emubot.games.options import GameOptions, RuleSet, Values, Whole, option, read
from emubot.games.protocol import GameFacts, Learner
from emubot.games.thinking import Thinker
from emubot.games.trial import Settings, Trial
from emubot.looks import Count, Kind, Looks
from emubot.machine import FRAME_RATE_NTSC, ROW
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Cell, Phase, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.trace import Recorder, Trace
from emubot.weights import Weights
from tests.games.toy_family.rules import COLUMNS, LEVELS, NUMBERS, Mode, State
from tests.games.toy_family.thinker import FEATURES, NumbersThinker, features, state_of, vector

HERE = Path(__file__).parent
VALUES = [field.name for field in fields(State) if field.name != "cells"]
SHOWN = ("level", "lines", "score", "timer", "held_buttons", "frames")


class NumbersMachine:
    """A cartridge behind the Machine protocol."""

    def __init__(self, ram_map: RamMap, seed: int) -> None:
        self.ram = np.zeros(2048, dtype=np.uint8)
        self.identity = f"simulated:{ram_map.name}"
        self.frame_rate = FRAME_RATE_NTSC
        self._map = ram_map
        self.state = State(seed=seed)
        self._publish()

    def step(self, pads: Sequence[Pad]) -> None:
        self.state.step(pads[0])
        self._publish()

    def load(self, ram: bytes) -> None:
        reader = self._map.reader()
        self.state = State()
        for name in VALUES:
            setattr(self.state, name, reader.value(ram, name))
        self.state.cells[:] = reader.playfield(ram)
        self._publish()

    def _publish(self) -> None:
        self._map.encode(self.ram, {name: int(getattr(self.state, name)) for name in VALUES}, self.state.cells)


@dataclass(frozen=True, kw_only=True)
class NumbersValues(Values):
    pieces: int = option(Whole(low=1, high=1000), 20, "end a game after N pieces")


OPTIONS = GameOptions(
    rule_sets=(RuleSet(("numbers",), "so many pieces", NumbersValues),), self_play=(RuleSet(("numbers",), "as ever"),)
)


class NumbersGame:
    name = "numbers"
    facts = GameFacts(
        title="numbers, a toy",
        default_map=str(HERE / "numbers.yaml"),
        default_weights=str(HERE / "numbers.json"),
        feature_names=FEATURES,
        feature_version=1,
        ladder=(str(HERE / "numbers.json"),),
    )
    looks = Looks(
        (
            Kind(),
            Kind("one", "#b03060", "bright_red", "1", "dot"),
            Kind("two", "#3060b0", "bright_blue", "2", "bar"),
            Kind("three", "#30b060", "bright_green", "3", "ring"),
        ),
        piece="number",
        count=Count("lines", "triple"),
    )
    offers = Offers(
        games=(GameOffer("numbers", "Numbers", facts.default_map, ((1, ROW),)),),
        bots={"gentle": Bot(facts.default_weights)},
        demos=(Demo("numbers", "numbers"),),
    )
    modes: Mapping[str, int] = {}
    options = OPTIONS
    self_play_measure = "numbers"

    def decoder(self, ram_map: RamMap, player: int = 0) -> Callable[[bytes], Snapshot]:
        reader = ram_map.reader(player)

        def decode(ram: bytes) -> Snapshot:
            phase, state = reader.phase(ram)
            visible = phase in (Phase.PLAYING, Phase.LOCKED)
            number, x, y, following = (reader.value(ram, name) for name in ("number", "x", "y", "following"))
            return Snapshot(
                phase=phase,
                state=state,
                playfield=reader.playfield(ram),
                hidden=reader.hidden(ram),
                current=Piece(number, x, y) if visible else None,
                next=(following,) if following < NUMBERS else (),
                counters={name: reader.value(ram, name) for name in SHOWN},
            )

        return decode

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        return before.counters["frames"] != after.counters["frames"]

    def predict(self, ram_map: RamMap, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        if not pads or snapshot.phase is not Phase.PLAYING or snapshot.current is None:
            return snapshot
        state = state_of(snapshot)
        for pad in pads:
            state.step(pad)
        changed = {"timer": state.timer, "held_buttons": state.held_buttons}
        control = state.mode == Mode.CONTROL
        return Snapshot(
            phase=Phase.PLAYING if control else Phase.LOCKED,
            state="playing" if control else "locked",
            playfield=snapshot.playfield,
            hidden=snapshot.hidden,
            current=Piece(state.number, state.x, state.y),
            next=snapshot.next,
            counters={**snapshot.counters, **changed},
        )

    def thinker(self, ram_map: RamMap, weights: Weights, tempo: Tempo) -> Thinker:
        return NumbersThinker(weights, tempo)

    def learner(self, ram_map: RamMap, player: int = 0) -> Learner | None:
        return None

    def simulator(self, ram_map: RamMap, rng: np.random.Generator | None, even: bool = False) -> NumbersMachine:
        return NumbersMachine(ram_map, 1 if rng is None else int(rng.integers(1, 1 << 16)))

    def recorder(self, ram_map: RamMap, order: str) -> Recorder:
        places = [(f"{name}_{place}", at) for name in VALUES for place, at in enumerate(ram_map.addresses(name))]
        pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
        names, addresses = [name for name, _ in places], [at for _, at in places]
        return Recorder(names, addresses, ram_map.regions["cells"], pads, order)

    def records(self, snapshot: Snapshot) -> bool:
        return snapshot.phase in (Phase.PLAYING, Phase.LOCKED, Phase.CLEARING)

    def replays(self, trace: Trace) -> bool:
        return trace.about.get("game") == self.name

    def verify(self, trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
        ram_map = ram_map or load_map(self.facts.default_map)
        machine, page = NumbersMachine(ram_map, 1), slice(*_span(ram_map))
        differing = []
        before = (trace.initial, trace.initial_page)
        for row in range(trace.frames):
            ram = np.zeros(2048, dtype=np.uint8)
            ram[trace.address], ram[page] = before
            machine.load(ram.tobytes())
            machine.step([Pad(int(trace.pads[row, 1])), Pad.NONE])
            before = (trace.state[row], trace.page[row])
            if (machine.ram[trace.address] != before[0]).any() or (machine.ram[page] != before[1]).any():
                differing.append(row)
        return len(differing), differing[0] if differing else -1

    def draw(self, trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
        return ["".join(" 123"[cell] for cell in line) for line in trace.page[row].reshape(-1, COLUMNS)]

    def time_simulator(self, frames: int) -> float:
        return 0.0

    def kernels(
        self, self_play: bool = False, ram_map: RamMap | None = None
    ) -> Sequence[tuple[str, Callable[[], object]]]:
        return []

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        return [Cell(piece.column, piece.row, piece.orientation + 1)]

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        return [Cell(0, 0, number + 1) for number in snapshot.next]

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        return {name: snapshot.counters[name] for name in ("lines", "score", "level")}

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        return rules or "numbers", {}

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        """One column and number after the other, on the rules alone."""
        weigh, rng = vector(weights), np.random.default_rng(seed)
        state = State(level=int(rng.integers(LEVELS)))
        left, cleared, deaths = [], [], 0
        for placed, number in enumerate(rng.integers(NUMBERS, size=pieces)):
            if watch is not None and not watch(placed):
                break
            tops = [int((state.cells[:, column] == 0).sum()) - 1 for column in range(COLUMNS)]
            tried = [
                (_value(state, int(number), column, top, weigh), column) for column, top in enumerate(tops) if top >= 0
            ]
            column = max(tried)[1]
            lines = state.lines
            _lock(state, int(number), column, tops[column])
            left.append(int((state.cells != 0).sum()))
            cleared.append(state.lines - lines)
            if not state.free(2, 0):
                state.cells[:] = 0
                deaths += 1
        heights, chains = (np.bincount(values).astype(np.int64) for values in (left, cleared))
        return Counts(len(left), deaths, left.count(0), state.score, state.lines, heights, chains)

    def trial(self, sides: int, rules: str | None, options: Settings) -> Trial:
        if sides != 1:
            raise UsageError("Nobody meets in numbers.")
        return NumbersTrial(read(NumbersValues, options, "numbers").pieces)


class NumbersTrial:
    """So many pieces of self-play, as a game."""

    figures: tuple[str, ...] = ("score", "lines")
    sides = 1

    def __init__(self, pieces: int) -> None:
        self.settings: Settings = {"rules": "numbers", "pieces": pieces}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        (weights,) = players
        vector(weights)
        runs = [NumbersGame().self_play(seed, self.settings["pieces"], weights, None, {}) for seed in seeds]
        return np.array([(run.score, run.lines) for run in runs], dtype=np.int64).reshape(len(seeds), 2)

    def warm_up(self) -> None:
        """There is nothing to compile."""


def _lock(state: State, number: int, column: int, row: int) -> Any:
    state.x, state.y, state.number = column, row, number
    state.cells[row, column] = number + 1
    return features(state)


def _value(state: State, number: int, column: int, row: int, weigh: Any) -> float:
    tried = State(level=state.level, cells=state.cells.copy())
    return float(_lock(tried, number, column, row) @ weigh)


def _span(ram_map: RamMap) -> tuple[int, int]:
    first, length = ram_map.regions["cells"]
    return first, first + length


GAME = NumbersGame()
