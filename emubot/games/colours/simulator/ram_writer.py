"""The state of a simulated pairs cartridge by the names of the family's maps; knows no rule and no button.

`REPLAYED` are the values from which a recorded game is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Final

import numpy as np

from emubot.errors import MapError
from emubot.games import screens
from emubot.games.colours.board.control import Falling
from emubot.games.colours.decode.codes import PieceCodes, kinds_written
from emubot.games.colours.rules import COLORS, EMPTY, ITEMS, NUISANCE, OBSTACLE, POPPING, UP, Rules
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.ram_state import RamState
from emubot.games.colours.simulator.simulator import Player, PlayState, Simulator
from emubot.games.screens import GameState
from emubot.rammap import RamMap

SHARED: Final = (
    "frame_counter",
    "game_counter",
    "game_state",
    "mode",
    "start_level",
    "colors",
    "items",
    "spawn_flag",
    "loser",
    "nuisance_generator",
)
_PIECE: Final = ("x", "y", "orientation", "current_bottom", "current_top", "next_bottom", "next_top")
# Values that are one attribute of the player or of the piece.
_OF_PLAYER: Final = (
    *("level", "score", "blocks", "pairs", "chain", "chain_points", "pop_points", "pending", "all_clears"),
    *("best_chain", "spawned"),
)
_OF_PIECE: Final = ("drop_timer", "repeat")
_player_numbers: Final = attrgetter(*_OF_PLAYER)
_piece_numbers: Final = attrgetter(*_OF_PIECE)
PER_PLAYER: Final = (
    *(*_PIECE, "play_state", *_OF_PLAYER, *_OF_PIECE),
    *("spawn_delay", "generator", "held_buttons", "new_buttons"),
)
_NAMES: Final = (*SHARED, *PER_PLAYER)
_LEVEL: Final = _NAMES.index("level")
_NOT_NEEDED: Final = frozenset({"game_counter", "loser", "all_clears", "best_chain", "spawned", "new_buttons"})
REPLAYED: Final = tuple(name for name in _NAMES if name not in _NOT_NEEDED)


@dataclass(slots=True)
class PairsConsole(screens.Console[Simulator]):
    """The cartridge's state, with the options of its menu."""

    colors: int = 5
    start_level: int = 0
    items: bool = True


class Registers(RamState[PairsConsole, Simulator, Player]):
    """Raises MapError for a map that leaves codes open."""

    replayed = REPLAYED
    wrapping = MappingProxyType({"frame_counter": 16, "game_counter": 16, "all_clears": 8})

    def __init__(self, ram_map: RamMap, rules: Rules) -> None:
        self.codes = PieceCodes(ram_map)
        self._kinds = kinds_written(ram_map.reader().kinds)
        _refuse_open(ram_map, self.codes, self._kinds)
        if not self.codes.usual:
            raise MapError(
                f"The simulator turns a satellite about its pivot, and the map {ram_map.name} lists other turns: play "
                "it on an emulator."
            )
        blank = Player(np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8), Generator(1))
        super().__init__(ram_map, rules, (SHARED, PER_PLAYER), self._kinds, OBSTACLE, blank)

    @property
    def most_colors(self) -> int:
        """The number of colours, counted from the first, that have codes both as cells and as halves."""
        return next(n for n in range(COLORS + 1) if not {n + 1} <= self._kinds.keys() & self.codes.kinds)

    def _read_menu(self, value: Callable[[str], int], console: PairsConsole) -> None:
        console.colors, console.start_level, console.items = value("colors"), value("start_level"), bool(value("items"))
        if not 0 < console.colors <= COLORS:
            raise ValueError(f"a game of {console.colors} colours")

    def _read_game(self, value: Callable[[str], int], game: Simulator) -> None:
        game.nuisance_generator = Generator(value("nuisance_generator"))

    def _read_player(self, player: Player, values: Mapping[str, int], game: Simulator) -> None:
        for name in _OF_PLAYER:
            if name in values:
                setattr(player, name, values[name])
        player.wait = values["spawn_delay"]
        place = self.codes.place(values["orientation"])
        halves = [self.codes.kind(values[name]) for name in _PIECE[3:]]
        if self.codes.pivot:
            halves = [halves[1], halves[0], halves[3], halves[2]]
        orientation, dx, dy = place or (0, 0, 0)
        player.next = (halves[2], halves[3])
        player.piece = Falling(
            kinds=(halves[0], halves[1]),
            orientation=UP if halves[0] in ITEMS else orientation,
            column=values["x"] + dx,
            row=values["y"] + dy,
            drop_timer=values["drop_timer"],
            repeat=values["repeat"],
        )
        if game.state is not GameState.OVER:
            self._refuse_impossible(player, game)

    def _values(self, console: PairsConsole, number: int) -> list[int]:
        player, game = self._player(console, number), console.game
        values = [
            console.frame_counter,
            console.game_counter,
            int(console.screen),
            console.mode,
            console.start_level,
            console.colors,
            int(console.items),
            int(game is not None and any(player.spawned for player in game.players)),
            0 if game is None or game.loser is None else game.loser + 1,
            0 if game is None else game.nuisance_generator.state,
            *self._piece_values(player, number, console.screen is GameState.OVER),
            int(player.play_state),
            *map(int, _player_numbers(player)),
            *_piece_numbers(player.piece),
            player.wait if player.play_state is PlayState.CONTROL else max(player.wait, 1),
            0 if player.play_state is PlayState.OUT else player.generator.state,
            console.held[number],
            console.new[number],
        ]
        if console.screen is GameState.MENU:
            values[_LEVEL] = console.start_level
        return values

    def _piece_values(self, player: Player, number: int, over: bool) -> tuple[int, ...]:
        """Returns the values of _PIECE."""
        piece, nothing = player.piece, self._nothing[number]
        turned, (_, dx, dy) = self.codes.id_of(piece.orientation)
        halves = [*piece.kinds, *player.next]
        if self.codes.pivot:
            halves = [halves[1], halves[0], halves[3], halves[2]]
        seen = piece.kinds[0] != EMPTY
        place = (nothing[0] if over else piece.column - dx, piece.row - dy, turned) if seen else nothing
        return (*place, *map(self.codes.code, halves))


def _refuse_open(ram_map: RamMap, codes: PieceCodes, kinds: Mapping[int, int]) -> None:
    """Raise MapError if a code is open that the simulator writes, or if it cannot write the pair's place."""
    if ram_map.document.place is not None:
        raise MapError(
            f"The map {ram_map.name} gives the pair by its cells, so no cartridge can be simulated from it: play on an "
            "emulator."
        )
    used = {"empty", "nuisance", "popping", "mask", "pieces", "piece_codes"}
    left = [name for name in ram_map.learns if name in used or name.startswith("color_")]
    for name, known in {"pieces": codes.known, "piece_codes": codes.kinds, "popping": POPPING in kinds}.items():
        if not known and name not in left:
            left.append(name)
    if NUISANCE not in kinds and "nuisance" not in left:
        left.append("nuisance")
    if left:
        raise MapError(
            f"The map {ram_map.name} does not say {', '.join(left)}, so no cartridge can be simulated from it: play on "
            "an emulator, or learn what is missing first."
        )
