"""Dots as emubot's commands see it: the game on a map's cartridge, and the family as one object."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dots.player import FEATURES, VERSION, Player, state_of
from dots.rules import PLAYING, State
from emubot.games.edition import Depiction, MapEdition, Simulator
from emubot.games.offers import Demo, GameOffer, Offers
from emubot.games.options import GameOptions
from emubot.games.protocol import GameFacts
from emubot.games.strength import OWN, Strength
from emubot.looks import BLUE, Kind, Looks
from emubot.machine import FRAME_RATE_NTSC, ROW
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Phase, Piece, Snapshot
from emubot.tempo import Tempo
from emubot.weights import Weights

HERE = Path(__file__).parent
VALUES = ("mode", "x", "y", "timer", "lines", "frames", "seed", "held")
SHOWN = ("timer", "lines", "frames", "held")


class Machine:
    """The simulated cartridge: its memory, laid out by the map, moves one frame at a time."""

    def __init__(self, ram_map: RamMap, seed: int) -> None:
        self.ram = np.zeros(2048, dtype=np.uint8)
        self.identity, self.frame_rate = f"simulated:{ram_map.name}", FRAME_RATE_NTSC
        self._map, self._state = ram_map, State(seed=seed)
        self._publish()

    def step(self, pads: Sequence[Pad]) -> None:
        """One frame with the pads of both ports."""
        self._state.step(pads[0])
        self._publish()

    def _publish(self) -> None:
        values = {name: int(getattr(self._state, name)) for name in VALUES}
        self._map.encode(self.ram, values, self._state.cells)


class DotsSimulator(Simulator):
    """Makes simulated cartridges."""

    def __init__(self, ram_map: RamMap) -> None:
        self._map = ram_map

    def machine(self, rng: np.random.Generator | None, even: bool = False) -> Machine:
        """A cartridge that was just switched on."""
        return Machine(self._map, 1 if rng is None else int(rng.integers(1, 1 << 16)))

    def time(self, frames: int) -> float:
        """The CPU time of so many frames."""
        machine, started = self.machine(None), time.process_time()
        for _ in range(frames):
            machine.step([Pad.DOWN, Pad.NONE])
        return time.process_time() - started


class DotsDepiction(Depiction):
    """Draws the dot in the air."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        """The one cell of a dot."""
        return [Cell(piece.column, piece.row, 1)]


class DotsEdition(MapEdition):
    """Dots as the cartridge of one map plays it."""

    def decoder(self, player: int = 0) -> Callable[[bytes], Snapshot]:
        """From memory to a snapshot; the map has done most of it."""
        reader = self.ram_map.reader(player)

        def decode(ram: bytes) -> Snapshot:
            phase, state = reader.phase(ram)
            piece = Piece(0, reader.value(ram, "x"), reader.value(ram, "y"))
            return Snapshot(
                phase=phase,
                state=state,
                playfield=reader.playfield(ram),
                hidden=reader.hidden(ram),
                current=piece if phase in (Phase.PLAYING, Phase.LOCKED) else None,
                next=(),
                counters={name: reader.value(ram, name) for name in SHOWN},
            )

        return decode

    def advanced(self, before: Snapshot, after: Snapshot) -> bool:
        """Whether the game went on between two frames."""
        return before.counters["frames"] != after.counters["frames"]

    def predict(self, snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        """The snapshot after pads that are on their way."""
        if not pads or snapshot.phase is not Phase.PLAYING or snapshot.current is None:
            return snapshot
        state = state_of(snapshot)
        for pad in pads:
            state.step(pad)
        phase = Phase.PLAYING if state.mode == PLAYING else Phase.LOCKED
        counters = {**snapshot.counters, "timer": state.timer, "held": state.held}
        return replace(snapshot, phase=phase, state=phase.value, current=Piece(0, state.x, state.y), counters=counters)

    def thinker(self, weights: Weights, tempo: Tempo, strength: Strength = OWN) -> Player:
        """What decides; it has no budget, no aim, and needs no next piece."""
        strength.refuse_budget()
        strength.refuse_aim()
        strength.refuse_see_next()
        strength.refuse_threads()
        return Player(weights, tempo)

    def summary(self, snapshot: Snapshot) -> Mapping[str, Any]:
        """The figures of a report; dots have neither points nor levels."""
        return {"lines": snapshot.counters["lines"], "score": None, "level": None}

    @property
    def simulator(self) -> DotsSimulator:
        """The cartridge without an emulator."""
        return DotsSimulator(self.ram_map)

    @property
    def depiction(self) -> DotsDepiction:
        """The dot in the air, for terminal, window and page."""
        return DotsDepiction()


class DotsGame:
    """The family."""

    name = "dots"
    facts = GameFacts("dots, an example", str(HERE / "dots.yaml"), str(HERE / "dots.json"), FEATURES, VERSION)
    looks = Looks((Kind(), Kind("dot", BLUE, "bright_blue", "o", "dot")), piece="dot", figures=("lines",))
    offers = Offers(
        games=(GameOffer("dots", "Dots", facts.default_map, ((1, ROW),)),),
        demos=(Demo("dots", "dots"),),
    )
    options = GameOptions()
    modes: Mapping[str, int] = {}

    def open(self, ram_map: RamMap) -> DotsEdition:
        """The game as the cartridge of this map plays it."""
        return DotsEdition(self, ram_map)


GAME = DotsGame()
