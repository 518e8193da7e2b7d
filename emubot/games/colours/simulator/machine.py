"""A whole simulated cartridge: menus around the frame simulator, its state in RAM by the address map.

Knows the map's value names, never an address. In the menu SELECT changes between one and two players. Of pairs UP and
DOWN change the number of colours, LEFT and RIGHT the start level, A or B the items; of matching games UP and DOWN
change the stage, LEFT and RIGHT the pace.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

import numpy as np

from emubot.games.colours.decode import map_checks
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.matching_rules import CAPSULES
from emubot.games.colours.matching_rules import Rules as MatchingRules
from emubot.games.colours.rules import BIG, CARBUNCLE, ENDLESS, FAMICOM_1991, VERSUS, Rules
from emubot.games.colours.simulator.matching_ram_writer import MatchingConsole
from emubot.games.colours.simulator.matching_ram_writer import Registers as MatchingRegisters
from emubot.games.colours.simulator.matching_simulator import Simulator as MatchingGame
from emubot.games.colours.simulator.ram_state import RamState
from emubot.games.colours.simulator.ram_writer import PairsConsole, Registers
from emubot.games.colours.simulator.simulator import Simulator as PairsGame
from emubot.games.colours.simulator.states import StateMachine
from emubot.games.colours.timing import MATCHING, PAIRS, MatchingTiming, PuyoTiming, timing_of
from emubot.games.edition import Simulator
from emubot.games.meant import Meant
from emubot.games.screens import PLAYERS, Console, PlayedGame, Screens, time_frames
from emubot.machine import FRAME_RATE_NTSC, Machine
from emubot.pad import Pad
from emubot.rammap import RamMap

_FEWEST_COLORS, _MOST_COLORS = 4, 6  # facts: Famicom Puyo 3
_HIGHEST_START: Final = 15

ConsoleT = TypeVar("ConsoleT", bound=Console[Any])
GameT = TypeVar("GameT", bound=StateMachine[Any, Any])
MachineT = TypeVar("MachineT", bound=Machine)


class FieldMachine(Screens[ConsoleT, GameT], Generic[ConsoleT, GameT]):
    """A cartridge with the Machine protocol. `rng` draws the frame counter at power-on, or None for 0.

    The generator gets its seed from that counter when a game begins.
    """

    def __init__(
        self,
        ram_map: RamMap,
        rng: np.random.Generator | None,
        registers: RamState[ConsoleT, GameT, Any],
        console: ConsoleT,
    ) -> None:
        self.identity, self.frame_rate = f"simulated:{ram_map.name}", FRAME_RATE_NTSC
        self._most_players = registers.players
        console.frame_counter = 0 if rng is None else int(rng.integers(0x10000))
        super().__init__(console, registers, np.zeros(ram_map.image_size, dtype=np.uint8), Meant(ram_map))

    @property
    def grain(self) -> int:
        """Garbage comes in single cells."""
        return 1

    def sent(self) -> Sequence[int]:
        """Returns what each chain or move of the first player has sent since the last call: points, or lines."""
        if self.game is None:
            return []
        finished = self.game.players[0].finished
        sent = [*finished]
        finished.clear()
        return sent

    @property
    def _in_game(self) -> int:
        return PLAYERS if self.console.mode == VERSUS else 1

    @property
    def _held(self) -> Sequence[int]:
        return [self._meant(pad) for pad in self.console.held]

    @abstractmethod
    def _choose_more(self, new: int) -> None:
        """Change the family's own options of the menu."""

    def _choose(self, new: int) -> None:
        console = self.console
        if new & Pad.SELECT:
            console.mode = VERSUS if console.mode == ENDLESS and self._most_players > 1 else ENDLESS
        else:
            self._choose_more(new)


class PuyoMachine(FieldMachine[PairsConsole, PairsGame]):
    """A pairs cartridge. Rules and timing are the map's unless given. Raises MapError for a map with open codes."""

    def __init__(
        self,
        ram_map: RamMap,
        rng: np.random.Generator | None = None,
        rules: Rules | None = None,
        timing: PuyoTiming | None = None,
    ) -> None:
        map_checks.check_pairs(ram_map)
        self.rules, self.timing = rules or rules_of_map(ram_map), timing or timing_of(ram_map, PAIRS)
        registers = Registers(ram_map, self.rules)
        self._most_colors = min(_MOST_COLORS, registers.most_colors)
        self._has_items = {BIG, CARBUNCLE} <= registers.codes.kinds and self.rules.item_every > 0
        console = PairsConsole(colors=min(self.rules.colors, self._most_colors), items=self._has_items)
        super().__init__(ram_map, rng, registers, console)

    def receive(self, units: int) -> None:
        """Let nuisance fall on the first player after the next chain, or if none comes, after the next lock."""
        if self.game is not None:
            self.game.players[0].pending += units

    def _choose_more(self, new: int) -> None:
        console = self.console
        if new & (Pad.UP | Pad.DOWN):
            fewest = min(_FEWEST_COLORS, self._most_colors)
            console.colors = _moved(console.colors, new & Pad.UP, fewest, self._most_colors)
        elif new & (Pad.LEFT | Pad.RIGHT):
            console.start_level = _moved(console.start_level, new & Pad.RIGHT, 0, _HIGHEST_START)
        elif new & (Pad.A | Pad.B) and self._has_items:
            console.items = not console.items

    def _new_game(self) -> PairsGame:
        console = self.console
        return PairsGame(
            self.rules,
            self.timing,
            players=self._in_game,
            colors=console.colors,
            start_level=console.start_level,
            items=console.items,
            seed=console.frame_counter,
            held=self._held,
        )


class MatchingMachine(FieldMachine[MatchingConsole, MatchingGame]):
    """A matching cartridge. Rules and timing are the map's unless given. Raises MapError if it cannot be read."""

    def __init__(
        self,
        ram_map: RamMap,
        rng: np.random.Generator | None = None,
        rules: MatchingRules | None = None,
        timing: MatchingTiming | None = None,
    ) -> None:
        self.rules = rules or map_checks.check_matching(ram_map)
        self.timing = timing or timing_of(ram_map, MATCHING)
        self._top_stage = max(len(self.rules.targets) - 1, 0)
        super().__init__(ram_map, rng, MatchingRegisters(ram_map, self.rules), MatchingConsole())

    def receive(self, units: int) -> None:
        """Let single halves fall on the first player after the next move."""
        if self.game is not None:
            self.game.receive(0, units)

    def _choose_more(self, new: int) -> None:
        console = self.console
        if new & (Pad.UP | Pad.DOWN):
            console.start_stage = _moved(console.start_stage, new & Pad.UP, 0, self._top_stage)
        elif new & (Pad.LEFT | Pad.RIGHT):
            console.pace = _moved(console.pace, new & Pad.RIGHT, 0, len(self.timing.paces) - 1)

    def _new_game(self) -> MatchingGame:
        console = self.console
        return MatchingGame(
            self.rules,
            self.timing,
            players=self._in_game,
            stage=console.start_stage,
            pace=console.pace,
            seed=console.frame_counter,
            held=self._held,
        )


class FieldSimulator(Simulator, Generic[MachineT]):
    """Makes machines of one map. Two players always get the same pieces: their generators have the same seed."""

    def __init__(
        self,
        ram_map: RamMap,
        machine: Callable[[RamMap, np.random.Generator | None], MachineT],
        begin: Callable[[], PlayedGame],
    ) -> None:
        self._map, self._machine, self._begin = ram_map, machine, begin

    def machine(self, rng: np.random.Generator | None, even: bool = False) -> MachineT:
        """Returns a machine."""
        return self._machine(self._map, rng)

    def time(self, frames: int) -> float:
        """Returns the seconds of CPU time for this number of simulated frames; two players only let pieces fall."""
        return time_frames(self._begin, frames)


def puyo_simulator(ram_map: RamMap) -> FieldSimulator[PuyoMachine]:
    """Returns the simulator of a map of pairs."""
    return FieldSimulator(ram_map, PuyoMachine, lambda: PairsGame(FAMICOM_1991, players=2))


def matching_simulator(ram_map: RamMap) -> FieldSimulator[MatchingMachine]:
    """Returns the simulator of a map of a matching game."""
    return FieldSimulator(ram_map, MatchingMachine, lambda: MatchingGame(CAPSULES, players=2))


def _moved(number: int, up: int, least: int, most: int) -> int:
    """Returns the next number up or down, where there is one."""
    return max(least, min(number + (1 if up else -1), most))
