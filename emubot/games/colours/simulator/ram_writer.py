"""Writes the simulated cartridge's state to RAM by an address map, and reads it back; knows no rule and no button.

The names are those of the family's maps; a value that a map lacks is not written. `REPLAYED` are the values from which
a recorded game is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import MapError
from emubot.games import screens
from emubot.games.colours.board.control import Falling, fits
from emubot.games.colours.decode.codes import PieceCodes, kinds_written
from emubot.games.colours.rules import COLORS, EMPTY, NUISANCE, OBSTACLE, POPPING, Rules
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.simulator import Player, PlayState, Simulator
from emubot.games.screens import PLAYERS, GameState
from emubot.rammap import RamMap

ENDLESS, TWO_PLAYERS = 0, 2  # values of `mode`; facts: Famicom Puyo 1

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
# Values that are one attribute of the player or of the piece, by name.
_OF_PLAYER: Final = {
    "play_state": "play_state",
    "level": "level",
    "score": "score",
    "blocks": "blocks",
    "pairs": "pairs",
    "chain": "chain",
    "chain_points": "chain_points",
    "pop_points": "pop_points",
    "pending": "pending",
    "all_clears": "all_clears",
    "best_chain": "best_chain",
    "spawned": "spawned",
}
_OF_PIECE: Final = {"drop_timer": "drop_timer", "repeat": "repeat"}
_player_numbers: Final = attrgetter(*_OF_PLAYER.values())
_piece_numbers: Final = attrgetter(*_OF_PIECE.values())
PER_PLAYER: Final = (*_PIECE, *_OF_PLAYER, *_OF_PIECE, "spawn_delay", "generator", "held_buttons", "new_buttons")
_NAMES: Final = (*SHARED, *PER_PLAYER)  # in the order in which their values are put together
_LEVEL: Final = _NAMES.index("level")
_NOT_NEEDED: Final = frozenset({"game_counter", "loser", "all_clears", "best_chain", "spawned", "new_buttons"})
REPLAYED: Final = tuple(name for name in _NAMES if name not in _NOT_NEEDED)
_WRAPPING: Final = {"frame_counter": 16, "game_counter": 16, "all_clears": 8}  # bits


@dataclass(slots=True)
class Console(screens.Console[Simulator]):
    """The cartridge's state, with the options of its menu."""

    colors: int = 5
    start_level: int = 0
    items: bool = True


class Registers:
    """Writes a console's state to RAM and reads it back. Raises MapError for a map that leaves codes open."""

    def __init__(self, ram_map: RamMap, rules: Rules) -> None:
        self._map, self._rules = ram_map, rules
        self.codes = PieceCodes(ram_map)
        self._readers = [ram_map.reader(player) for player in range(min(ram_map.players, PLAYERS))]
        self._kinds = kinds_written(self._readers[0].kinds)
        _refuse_open(ram_map, self.codes, self._kinds)
        if not self.codes.usual:
            raise MapError(
                f"The simulator turns a satellite about its pivot, and the map {ram_map.name} lists other turns: play "
                "it on an emulator."
            )
        self._blank = Player(np.zeros((rules.stored_rows, rules.columns), dtype=np.uint8), Generator(1))
        self._kind_table = np.zeros(256, dtype=np.uint8)
        self._cell_table = np.full(256, OBSTACLE, dtype=np.uint8)
        for kind, number in self._kinds.items():
            self._kind_table[kind] = number
            self._cell_table[number] = kind
        self._encoders = [self._writers(player) for player in range(len(self._readers))]
        # The values that zero bytes decode to: before the first piece, or after the game.
        self._nothing = [reader.select(_PIECE[:3])(bytes(ram_map.image_size)) for reader in self._readers]
        self._wrapping = [self._wraps(player) for player in range(len(self._readers))]
        self._written: list[Sequence[int | None]] = [[None] * len(_NAMES) for _ in self._readers]
        self._cells: list[bytes] = [b""] * len(self._readers)

    @property
    def players(self) -> int:
        """The number of players in the map, at most two."""
        return len(self._readers)

    @property
    def most_colors(self) -> int:
        """The number of colours, counted from the first, that have codes both as cells and as halves."""
        return next(n for n in range(COLORS + 1) if not {n + 1} <= self._kinds.keys() & self.codes.kinds)

    def write(self, ram: NDArray[Any], console: Console) -> None:
        """Write the values that changed since the last call; `ram` must be the same array in each call."""
        for number, encoders in enumerate(self._encoders):
            values, written = self._values(console, number), self._written[number]
            for place, encode in encoders:
                if written[place] != (value := values[place]):
                    try:
                        encode(ram, value)
                    except ValueError as refused:
                        raise MapError(f"In the map {self._map.name}, {refused}: give the value more room.") from None
            self._written[number] = values
            cells = self._player(console, number).cells
            if self._cells[number] != (now := cells.tobytes()):
                kinds = self._kind_table[cells]
                hidden = self._rules.hidden_rows
                self._readers[number].grid.encode(ram, kinds[hidden:], kinds[:hidden][::-1])
                self._cells[number] = now

    def read(self, ram: bytes, console: Console, make: Callable[[], Simulator]) -> None:
        """Set the console to the state of a game in RAM; `make` begins a game with the console's options.

        Raises MapError if the map lacks a value of `REPLAYED`, ValueError for numbers that no game can have.
        """
        refuse_replay(self._map)
        first = self._readers[0]
        for name in ("frame_counter", "game_counter"):
            if name in first.names:
                setattr(console, name, first.value(ram, name))
        console.mode, console.colors = first.value(ram, "mode"), first.value(ram, "colors")
        console.start_level, console.items = first.value(ram, "start_level"), bool(first.value(ram, "items"))
        if not 0 < console.colors <= COLORS:
            raise ValueError(f"a game of {console.colors} colours")
        for number, reader in enumerate(self._readers):
            console.held[number] = reader.value(ram, "held_buttons")
            console.new[number] = reader.value(ram, "new_buttons") if "new_buttons" in reader.names else 0
        console.game = game = make()
        game.state = console.screen = GameState(first.value(ram, "game_state"))
        game.nuisance_generator = Generator(first.value(ram, "nuisance_generator"))
        for number, reader in enumerate(self._readers[: game.in_game]):
            player = game.players[number]
            self._read_player(player, {name: reader.value(ram, name) for name in PER_PLAYER if name in reader.names})
            kinds = np.concatenate((reader.hidden(ram)[::-1], reader.playfield(ram)))
            player.cells = self._cell_table[kinds]
            if game.state is not GameState.OVER:
                _refuse_impossible(player, self._rules)
            if player.play_state is PlayState.LOST:
                game.loser = number

    def _read_player(self, player: Player, values: Mapping[str, int]) -> None:
        for name, attribute in _OF_PLAYER.items():
            if name in values:
                setattr(player, attribute, values[name])
        player.play_state, player.wait = PlayState(values["play_state"]), values["spawn_delay"]
        player.generator = Generator(values["generator"])
        place = self.codes.place(values["orientation"])
        halves = [self.codes.half(values[name]) for name in _PIECE[3:]]
        if self.codes.pivot:
            halves = [halves[1], halves[0], halves[3], halves[2]]
        orientation, dx, dy = place or (0, 0, 0)
        player.next = (halves[2], halves[3])
        player.piece = Falling(
            pivot=halves[0],
            satellite=halves[1],
            orientation=orientation,
            column=values["x"] + dx,
            row=values["y"] + dy,
            drop_timer=values["drop_timer"],
            repeat=values["repeat"],
        )

    def _writers(self, number: int) -> list[tuple[int, Callable[[Any, int], None]]]:
        """Returns what writes a player's values, by their places in _NAMES; the first player's writes shared values."""
        own, first = self._readers[number].scalars, self._readers[0].scalars
        return [
            (place, own[name].encode)
            for place, name in enumerate(_NAMES)
            if name in own and (number == 0 or name not in first or own[name].indices != first[name].indices)
        ]

    def _wraps(self, number: int) -> list[tuple[int, int]]:
        """Returns the places in _NAMES of values that begin anew at 0, with the mask of their bits."""
        rooms = {name: self._readers[number].scalars.get(name) for name in _WRAPPING}
        bits = {
            name: most if (room := rooms[name]) is None else min(most, 8 * len(room.indices))
            for name, most in _WRAPPING.items()
        }
        return [(_NAMES.index(name), (1 << count) - 1) for name, count in bits.items()]

    def _player(self, console: Console, number: int) -> Player:
        return self._blank if console.game is None else console.game.players[number]

    def _values(self, console: Console, number: int) -> list[int]:
        """Returns the values of _NAMES."""
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
            *map(int, _player_numbers(player)),
            *map(int, _piece_numbers(player.piece)),
            player.wait if player.play_state is PlayState.CONTROL else max(player.wait, 1),
            0 if player.play_state is PlayState.OUT else player.generator.state,
            console.held[number],
            console.new[number],
        ]
        if console.screen is GameState.MENU:
            values[_LEVEL] = console.start_level
        for place, mask in self._wrapping[number]:
            values[place] &= mask
        return values

    def _piece_values(self, player: Player, number: int, over: bool) -> tuple[int, ...]:
        """Returns the values of _PIECE."""
        piece, nothing = player.piece, self._nothing[number]
        turned, (_, dx, dy) = self.codes.id_of(piece.orientation)
        halves = [piece.pivot, piece.satellite, *player.next]
        if self.codes.pivot:
            halves = [halves[1], halves[0], halves[3], halves[2]]
        place = nothing if piece.pivot == EMPTY else (nothing[0] if over else piece.column - dx, piece.row - dy, turned)
        return (*place, *map(self.codes.half_code, halves))


def refuse_replay(ram_map: RamMap) -> None:
    """Raise MapError, naming the missing values, if recorded games cannot be replayed with this map."""
    missing = [name for name in REPLAYED if name not in ram_map.reader().names]
    if missing:
        raise MapError(f"The map {ram_map.name} lacks {', '.join(missing)}: games are replayed from these values.")


def _refuse_impossible(player: Player, rules: Rules) -> None:
    if (player.cells == OBSTACLE).any():
        raise ValueError("a cell of no known kind")
    if EMPTY in player.next:
        raise ValueError("no next piece")
    piece, nothing = player.piece, np.zeros_like(player.cells)
    if player.play_state is PlayState.CONTROL and not fits(nothing, rules, piece.shape, piece.column, piece.row):
        raise ValueError(f"a piece at column {piece.column}, row {piece.row}")


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
