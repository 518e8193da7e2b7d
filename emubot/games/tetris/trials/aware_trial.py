"""Games of NES Tetris with foresight, to be measured: the simulated cartridge, its generator, every frame of the pad.

Unlike nes_trial.py these games are timed, because the frame of a lock decides which piece is drawn. Points are those of
the lines, without soft drop and without the cartridge's cap of 999,999, as there. Each called piece is compared with
the one that is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.options import read
from emubot.games.strength import Strength
from emubot.games.tetris.bounds import NODES
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.games.tetris.foresight.search import ForesightSearch
from emubot.games.tetris.options import AWARE, AwareValues
from emubot.games.tetris.rules import LINE_POINTS, Profile
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.games.trial import Settings
from emubot.pad import Pad
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Snapshot
from emubot.steering import Steering
from emubot.tempo import Tempo, parse_taps
from emubot.weights import Weights, load_weights

_MAPS: Final = {"nes-ntsc": "nes_tetris_usa", "nes-pal": "nes_tetris_europe"}  # by profile
_WEIGHTS: Final = "nes_tetris"
_KILL_SCREEN: Final = 29
_TETRIS: Final = 4
_FIGURES: Final = (
    *("score", "lines", "pieces", "tetrises", "level", "reached_29"),
    *("pauses", "called", "called_right", "nodes"),
)


@dataclass(frozen=True, slots=True)
class AwareTrial:
    """Games from `start_level`. A game ends by a top-out, or after `stop_lines` lines if that is not 0.

    `nodes` are about the boards that a decision may value.
    """

    profile: Profile
    tempo: Tempo
    start_level: int
    stop_lines: int
    nodes: int = NODES

    sides: ClassVar[int] = 1
    figures: ClassVar[tuple[str, ...]] = _FIGURES

    @property
    def settings(self) -> Settings:
        """The rules and every option."""
        return {
            "rules": self.profile.name,
            "rng": AWARE,
            "start_level": self.start_level,
            "taps": self.tempo.name,
            "stop_lines": self.stop_lines,
            "nodes": self.nodes,
        }

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; see Trial."""
        (weights,) = players
        ram_map = load_map(_MAPS[self.profile.name])
        search = ForesightSearch(ram_map, weights, self.tempo, Strength(self.nodes), self.stop_lines)
        results = np.zeros((len(seeds), len(_FIGURES)), dtype=np.int64)
        for seed, result in zip(seeds, results, strict=True):
            machine = TetrisMachine(ram_map, np.random.default_rng(seed))
            machine.begin(self.start_level)
            game = _Game(machine, ram_map, search, self.tempo)
            result[:] = game.play(self.stop_lines)
        return results

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        ram_map = load_map(_MAPS[self.profile.name])
        machine = TetrisMachine(ram_map)
        machine.begin(self.start_level)
        search = ForesightSearch(ram_map, load_weights(_WEIGHTS), self.tempo, Strength(), self.stop_lines)
        _Game(machine, ram_map, search, self.tempo).place()


def aware_trial(options: Mapping[str, Any], profile: Profile) -> AwareTrial:
    """Returns the trial with these options. Raises UsageError if there are no such options or values."""
    chosen = read(AwareValues, options, f"the rules {profile.name} with --rng {AWARE}")
    return AwareTrial(profile, parse_taps(chosen.taps), chosen.start_level, chosen.stop_lines, chosen.nodes)


class _Game:
    """One game: the machine, what decides, and what was reached."""

    def __init__(self, machine: TetrisMachine, ram_map: RamMap, search: ForesightSearch, tempo: Tempo) -> None:
        self._machine, self._search = machine, search
        self._decode = TetrisDecoder(ram_map)
        self._steering = Steering(tempo)
        self._called: int | None = None
        self._reached = dict.fromkeys(_FIGURES, 0)

    def play(self, stop_lines: int) -> list[int]:
        """Play to the end and return the figures."""
        reached = self._reached
        while (stop_lines == 0 or reached["lines"] < stop_lines) and self.place():
            pass
        return [reached[name] for name in _FIGURES]

    def place(self) -> bool:
        """Place the piece in the air and wait for the next one; returns False if there is none."""
        snapshot, steering, reached = self._snapshot(), self._steering, self._reached
        if snapshot.phase is not Phase.PLAYING or snapshot.current is None:
            return False
        if self._called is not None:
            reached["called"] += 1
            reached["called_right"] += snapshot.next[0] == self._called
        steering.new_piece()
        self._search.observe(self._machine.ram.tobytes())
        decision = self._search.decide(snapshot, steering.input_state())
        reached["nodes"] += decision.nodes
        if decision.placement is None:
            return False
        self._called = decision.called
        reached["pauses"] += Pad.START in decision.after_lock
        steering.follow(decision.placement, after_lock=decision.after_lock)
        for _ in decision.placement.timeline:
            self._machine.step((steering.next_pad(snapshot.current), Pad.NONE))
        for _ in decision.after_lock:
            self._machine.step((steering.between_pad(), Pad.NONE))
        self._count(snapshot, self._snapshot())
        return True

    def _count(self, before: Snapshot, after: Snapshot) -> None:
        reached, level = self._reached, after.counters["level"]
        cleared = after.counters["lines"] - before.counters["lines"]
        reached["pieces"] += 1
        reached["lines"] += cleared
        reached["tetrises"] += cleared == _TETRIS
        reached["score"] += LINE_POINTS[cleared] * (level + 1)
        reached["level"] = level
        reached["reached_29"] |= before.counters["level"] >= _KILL_SCREEN

    def _snapshot(self) -> Snapshot:
        return self._decode(self._machine.ram.tobytes())
