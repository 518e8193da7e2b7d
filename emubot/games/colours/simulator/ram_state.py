"""Writes a simulated cartridge's state to RAM by an address map, and reads it back; knows no rule and no button.

The names are those of the family's maps; a value that a map lacks is not written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from emubot.errors import MapError
from emubot.games.colours.board.control import fits
from emubot.games.colours.field_rules import FieldRules
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.states import FieldPlayer, StateMachine
from emubot.games.screens import PLAYERS, Console, GameState
from emubot.rammap import RamMap
from emubot.rammap.reader import Reader

_PLACE: Final = 3  # the first values of a piece: x, y, orientation

ConsoleT = TypeVar("ConsoleT", bound=Console[Any])
GameT = TypeVar("GameT", bound=StateMachine[Any, Any])
PlayerT = TypeVar("PlayerT", bound=FieldPlayer)


class RamState(ABC, Generic[ConsoleT, GameT, PlayerT]):
    """Keeps a console's state in RAM."""

    replayed: Sequence[str]  # the values from which a recorded game is replayed
    wrapping: Mapping[str, int]  # bits of the values that begin anew at 0

    def __init__(
        self,
        ram_map: RamMap,
        rules: FieldRules,
        names: tuple[Sequence[str], Sequence[str]],
        kinds: Mapping[int, int],
        unknown: int,
        blank: PlayerT,
    ) -> None:
        """`names` are the values of the game and those of each player, the piece's x, y and orientation first.

        `kinds` gives the map's kind by the family's, `unknown` is the family's kind of a cell with an unknown code, and
        `blank` a player before the first game.
        """
        self._map, self._rules, self._unknown, self._blank = ram_map, rules, unknown, blank
        self._readers = [ram_map.reader(player) for player in range(min(ram_map.players, PLAYERS))]
        self._own, self._names = names[1], (*names[0], *names[1])  # in the order in which values are put together
        self._encoders = [self._writers(player) for player in range(len(self._readers))]
        # The values that zero bytes decode to: before the first piece, or after the game.
        self._nothing = [reader.select(self._own[:_PLACE])(bytes(ram_map.image_size)) for reader in self._readers]
        self._wrapping = [self._wraps(player) for player in range(len(self._readers))]
        self._written: list[Sequence[int | None]] = [[None] * len(self._names) for _ in self._readers]
        self._images: list[bytes] = [b""] * len(self._readers)
        self._kind_table = np.zeros(256, dtype=np.uint8)
        self._cell_table = np.full(256, unknown, dtype=np.uint8)
        for kind, number in kinds.items():
            self._kind_table[kind] = number
            self._cell_table[number] = kind

    @abstractmethod
    def _values(self, console: ConsoleT, number: int) -> list[int]:
        """Returns the values of `_names` for a player."""

    @abstractmethod
    def _read_menu(self, value: Callable[[str], int], console: ConsoleT) -> None:
        """Set the options of the menu. `value` reads a value by its name."""

    @abstractmethod
    def _read_game(self, value: Callable[[str], int], game: GameT) -> None:
        """Set what both players share."""

    @abstractmethod
    def _read_player(self, player: PlayerT, values: Mapping[str, int], game: GameT) -> None:
        """Set a player, whose cells are read, by values that the map has. Raises ValueError if no game has these."""

    def _image(self, player: PlayerT) -> bytes:
        """Returns a player's field; it is written if it has changed."""
        return player.cells.tobytes()

    def _write_cells(self, ram: NDArray[Any], reader: Reader, player: PlayerT) -> None:
        kinds, hidden = self._kind_table[player.cells], self._rules.hidden_rows
        reader.grid.encode(ram, kinds[hidden:], kinds[:hidden][::-1])

    def _read_cells(self, ram: bytes, reader: Reader, player: PlayerT) -> None:
        player.cells = self._cell_table[np.concatenate((reader.hidden(ram)[::-1], reader.playfield(ram)))]

    @property
    def players(self) -> int:
        """The number of players in the map, at most two."""
        return len(self._readers)

    def write(self, ram: NDArray[Any], console: ConsoleT) -> None:
        """Write the values that changed since the last call; `ram` must be the same array in each call."""
        for number, encoders in enumerate(self._encoders):
            values, written = self._values(console, number), self._written[number]
            for place, mask in self._wrapping[number]:
                values[place] &= mask
            for place, encode in encoders:
                if written[place] != (value := values[place]):
                    try:
                        encode(ram, value)
                    except ValueError as refused:
                        raise MapError(f"In the map {self._map.name}, {refused}: give the value more room.") from None
            self._written[number] = values
            player = self._player(console, number)
            if self._images[number] != (now := self._image(player)):
                self._write_cells(ram, self._readers[number], player)
                self._images[number] = now

    def read(self, ram: bytes, console: ConsoleT, make: Callable[[], GameT]) -> None:
        """Set the console to the state of a game in RAM; `make` begins a game with the console's options.

        Raises MapError if the map lacks a value of `replayed`, ValueError for numbers that no game can have.
        """
        missing = [name for name in self.replayed if name not in self._map.reader().names]
        if missing:
            raise MapError(
                f"The map {self._map.name} lacks {', '.join(missing)}: games are replayed from these values."
            )
        first = self._readers[0]

        def value(name: str) -> int:
            return first.value(ram, name)

        for name in ("frame_counter", "game_counter"):
            if name in first.names:
                setattr(console, name, value(name))
        console.mode = value("mode")
        self._read_menu(value, console)
        for number, reader in enumerate(self._readers):
            console.held[number] = reader.value(ram, "held_buttons")
            console.new[number] = reader.value(ram, "new_buttons") if "new_buttons" in reader.names else 0
        console.game = game = make()
        game.state = console.screen = GameState(value("game_state"))
        self._read_game(value, game)
        for number, reader in enumerate(self._readers[: game.in_game]):
            player = game.players[number]
            values = {name: reader.value(ram, name) for name in self._own if name in reader.names}
            player.play_state = type(player.play_state)(values["play_state"])
            player.generator = Generator(values["generator"])
            self._read_cells(ram, reader, player)
            self._read_player(player, values, game)
            player.fall = game.fall_of(player)
            if player.play_state is game.lost_state:
                game.loser = number

    def _player(self, console: ConsoleT, number: int) -> PlayerT:
        player: PlayerT = self._blank if console.game is None else console.game.players[number]
        return player

    def _writers(self, number: int) -> list[tuple[int, Callable[[Any, int], None]]]:
        """Returns what writes a player's values, by their places; the first player's writes shared values."""
        own, first = self._readers[number].scalars, self._readers[0].scalars
        return [
            (place, own[name].encode)
            for place, name in enumerate(self._names)
            if name in own and (number == 0 or name not in first or own[name].indices != first[name].indices)
        ]

    def _wraps(self, number: int) -> list[tuple[int, int]]:
        """Returns the places of values that begin anew at 0, with the mask of their bits."""
        found = []
        for name, most in self.wrapping.items():
            room = self._readers[number].scalars.get(name)
            bits = most if room is None else min(most, 8 * len(room.indices))
            found.append((self._names.index(name), (1 << bits) - 1))
        return found

    def _refuse_impossible(self, player: PlayerT, game: GameT) -> None:
        """Raise ValueError for a field, pieces or a place that no game can have."""
        if (player.cells == self._unknown).any():
            raise ValueError("a cell of no known kind")
        if not all(player.next):
            raise ValueError("no next piece")
        if player.play_state is game.control_state:
            piece, nothing = player.piece, np.zeros_like(player.cells)
            shape = game.shape(piece) if piece.kinds else ()
            if not shape or not fits(nothing, self._rules.hidden_rows, shape, piece.column, piece.row):
                raise ValueError(f"a piece at column {piece.column}, row {piece.row}")
