"""The game as the cartridge of one map plays it, and the simulated cartridge."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from emubot.games.edition import Depiction, GameRecorder, MapEdition, Simulator
from emubot.games.strength import OWN, Strength
from emubot.games.thinking import Thinker
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Phase, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.trace import Recorder, Trace
from emubot.weights import Weights
from tests.games.toy_family.rules import COLUMNS, NUMBERS, Mode, State
from tests.games.toy_family.thinker import NumbersThinker, state_of

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


class NumbersSimulator(Simulator):
    def __init__(self, ram_map: RamMap) -> None:
        self.ram_map = ram_map

    def machine(self, rng: np.random.Generator | None, even: bool = False) -> NumbersMachine:
        return NumbersMachine(self.ram_map, 1 if rng is None else int(rng.integers(1, 1 << 16)))

    def time(self, frames: int) -> float:
        machine, started = self.machine(np.random.default_rng(0)), time.process_time()
        for frame in range(frames):
            machine.step([Pad.START if frame % 2 else Pad.DOWN, Pad.NONE])
        return time.process_time() - started


class NumbersRecorder(GameRecorder):
    def __init__(self, ram_map: RamMap) -> None:
        self.ram_map = ram_map

    def begin(self, order: str) -> Recorder:
        ram_map = self.ram_map
        places = [(f"{name}_{place}", at) for name in VALUES for place, at in enumerate(ram_map.addresses(name))]
        pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
        names, addresses = [name for name, _ in places], [at for _, at in places]
        return Recorder(names, addresses, ram_map.regions["cells"], pads, order)

    def records(self, snapshot: Snapshot) -> bool:
        return snapshot.phase in (Phase.PLAYING, Phase.LOCKED, Phase.CLEARING)

    def verify(self, trace: Trace) -> tuple[int, int]:
        first, length = self.ram_map.regions["cells"]
        machine, page = NumbersMachine(self.ram_map, 1), slice(first, first + length)
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

    def draw(self, trace: Trace, row: int) -> Sequence[str]:
        return ["".join(" 123"[cell] for cell in line) for line in trace.page[row].reshape(-1, COLUMNS)]


class NumbersDepiction(Depiction):
    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        return [Cell(piece.column, piece.row, piece.orientation + 1)]

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        return [Cell(0, 0, number + 1) for number in snapshot.next]


class NumbersAlone(MapEdition):
    """What a pilot needs to play it, and no part beside it."""

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        reader = self._map.reader(player)

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

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
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

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Thinker:
        strength.refuse_budget()
        strength.refuse_aim()
        strength.refuse_see_next()
        strength.refuse_threads()
        return NumbersThinker(weights, tempo)

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        return {name: snapshot.counters[name] for name in ("lines", "score", "level")}


class NumbersEdition(NumbersAlone):
    """With every part that it has."""

    @property
    def simulator(self) -> NumbersSimulator:
        return NumbersSimulator(self.ram_map)

    @property
    def recorder(self) -> NumbersRecorder:
        return NumbersRecorder(self.ram_map)

    @property
    def depiction(self) -> NumbersDepiction:
        return NumbersDepiction()
