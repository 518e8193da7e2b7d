"""Writes the simulated cartridge's state to RAM by an address map, and reads it back; knows no rule and no button.

The names are those of the family's maps; a value that a map lacks is not written. `REPLAYED` are the values from which
a recorded game is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import MapError
from emubot.games import screens
from emubot.games.colours.board.cells import empty_field, fits
from emubot.games.colours.board.cells_control import Falling
from emubot.games.colours.board.cells_resolve import checked_field
from emubot.games.colours.decode.matching_codes import PieceCodes, kinds_written
from emubot.games.colours.decode.value_names import (
    GARBAGE,
    OF_PIECE,
    OF_PLAYER,
    SHARED,
    per_player,
    piece_values,
    replayed,
)
from emubot.games.colours.matching_rules import EMPTY, OBSTACLE, Rules
from emubot.games.colours.simulator.matching_generator import Generator
from emubot.games.colours.simulator.matching_simulator import Player, PlayState, Simulator
from emubot.games.screens import PLAYERS, GameState
from emubot.rammap import RamMap

_RAM_SIZE: Final = 2048
_WRAPPING: Final = {"frame_counter": 16, "game_counter": 16, "pieces": 16, "stages": 8, "lines": 8, "chain": 8}  # bits


@dataclass(slots=True)
class Console(screens.Console[Simulator]):
    """The cartridge's state, with the options of its menu."""

    start_stage: int = 0
    pace: int = 0


class Registers:
    """Writes a console's state to RAM and reads it back."""

    def __init__(self, ram_map: RamMap, rules: Rules) -> None:
        self._map, self._rules = ram_map, rules
        self._codes = PieceCodes(ram_map, rules)
        self._readers = [ram_map.reader(player) for player in range(min(ram_map.players, PLAYERS))]
        self._names = (*SHARED, *per_player(rules))
        self._blank = Player(*empty_field(rules), Generator(1))
        self._kind_table = np.zeros(256, dtype=np.uint8)
        self._cell_table = np.full(256, OBSTACLE, dtype=np.uint8)
        for kind, number in kinds_written(self._readers[0].kinds).items():
            self._kind_table[kind] = number
            self._cell_table[number] = kind
        self._encoders = [self._writers(player) for player in range(len(self._readers))]
        # The values that zero bytes decode to: before the first piece.
        self._nothing = [reader.select(piece_values(rules)[:3])(bytes(_RAM_SIZE)) for reader in self._readers]
        self._written: list[dict[str, int]] = [{} for _ in self._readers]
        self._cells: list[bytes] = [b""] * len(self._readers)

    @property
    def players(self) -> int:
        """The number of players in the map, at most two."""
        return len(self._readers)

    def write(self, ram: NDArray[Any], console: Console) -> None:
        """Write the values that changed since the last call; `ram` must be the same array in each call."""
        for number, encoders in enumerate(self._encoders):
            values = self._values(console, number)
            written = self._written[number]
            for name, encode in encoders.items():
                value = values[name]
                if written.get(name) != value:
                    try:
                        encode(ram, value)
                    except ValueError as refused:
                        raise MapError(f"In the map {self._map.name}, {refused}: give the value more room.") from None
                    written[name] = value
            player = self._player(console, number)
            if self._cells[number] != (now := player.cells.tobytes() + player.links.tobytes()):
                kinds, hidden = self._kind_table[player.cells], self._rules.hidden_rows
                grid = self._readers[number].grid
                grid.encode(ram, kinds[hidden:], kinds[:hidden][::-1])
                grid.encode_links(ram, player.links[hidden:], player.links[:hidden][::-1])
                self._cells[number] = now

    def read(self, ram: bytes, console: Console, make: Callable[[], Simulator]) -> None:
        """Set the console to the state of a game in RAM; `make` begins a game with the console's options.

        Raises MapError if the map lacks a value of `replayed`, ValueError for numbers that no game can have.
        """
        refuse_replay(self._map, self._rules)
        first = self._readers[0]
        for name in ("frame_counter", "game_counter"):
            if name in first.names:
                setattr(console, name, first.value(ram, name))
        console.mode, console.pace = first.value(ram, "mode"), first.value(ram, "pace")
        console.start_stage = first.value(ram, "start_stage")
        for number, reader in enumerate(self._readers):
            console.held[number] = reader.value(ram, "held_buttons")
            console.new[number] = reader.value(ram, "new_buttons") if "new_buttons" in reader.names else 0
        console.game = game = make()
        game.state = console.screen = GameState(first.value(ram, "game_state"))
        game.stage = first.value(ram, "stage")
        game.garbage_generator = Generator(first.value(ram, "garbage_generator"))
        for number, reader in enumerate(self._readers[: game.in_game]):
            player = game.players[number]
            self._read_player(player, {name: reader.value(ram, name) for name in self._names if name in reader.names})
            kinds = np.concatenate((reader.hidden(ram)[::-1], reader.playfield(ram)))
            links = np.concatenate((reader.hidden_links(ram)[::-1], reader.links(ram)))
            player.cells, player.links = checked_field(self._cell_table[kinds], links)
            _refuse_impossible(player, self._rules, game.stage)
            if player.play_state is PlayState.LOST:
                game.loser = number

    def _read_player(self, player: Player, values: Mapping[str, int]) -> None:
        for name in OF_PLAYER:
            if name in values:
                setattr(player, name, values[name])
        player.play_state = PlayState(values["play_state"])
        player.generator = Generator(values["generator"])
        parts = self._rules.piece_cells
        kinds = [self._codes.kind(values[name]) for name in piece_values(self._rules)[3:]]
        player.current, player.next = tuple(kinds[:parts]) if all(kinds[:parts]) else (), tuple(kinds[parts:])
        most = self._rules.most_garbage
        player.colors = [values[name] for name in GARBAGE["line"][: min(values["lines"], most)]]
        player.pending = [values[name] for name in GARBAGE["pending"][: min(values["pending"], most)]]
        orientation, dx, dy = self._codes.place(values["orientation"]) or (0, 0, 0)
        column, row = values["x"] + dx, values["y"] + dy
        player.piece = Falling(orientation, column, row, values["drop_timer"], values["repeat"])

    def _writers(self, number: int) -> dict[str, Callable[[Any, int], None]]:
        """Returns the functions that write a player's values; shared values are written with the first player's."""
        own, first = self._readers[number].scalars, self._readers[0].scalars
        return {
            name: own[name].encode
            for name in self._names
            if name in own and (number == 0 or name not in first or own[name].indices != first[name].indices)
        }

    def _player(self, console: Console, number: int) -> Player:
        return self._blank if console.game is None else console.game.players[number]

    def _values(self, console: Console, number: int) -> dict[str, int]:
        player, game = self._player(console, number), console.game
        values = {
            "frame_counter": console.frame_counter,
            "game_counter": console.game_counter,
            "game_state": int(console.screen),
            "mode": console.mode,
            "start_stage": console.start_stage,
            "pace": console.pace,
            "stage": 0 if game is None else game.stage,
            "loser": 0 if game is None or game.loser is None else game.loser + 1,
            "garbage_generator": 0 if game is None else game.garbage_generator.state,
            "generator": 0 if player.play_state is PlayState.OUT else player.generator.state,
            "held_buttons": console.held[number],
            "new_buttons": console.new[number],
            "pending": len(player.pending),
            **{name: int(getattr(player, name)) for name in OF_PLAYER},
            **{name: int(getattr(player.piece, name)) for name in OF_PIECE},
            **_padded(GARBAGE["line"], player.colors),
            **_padded(GARBAGE["pending"], player.pending),
            **self._piece_values(player, number),
        }
        for name, bits in _WRAPPING.items():
            room = self._readers[number].scalars.get(name)
            values[name] %= 1 << (bits if room is None else min(bits, 8 * len(room.indices)))
        return values

    def _piece_values(self, player: Player, number: int) -> dict[str, int]:
        parts = self._rules.piece_cells
        kinds = [*(player.current or [EMPTY] * parts), *(player.next or [EMPTY] * parts)]
        turned, (_, dx, dy) = self._codes.id_of(player.piece.orientation)
        place = (player.piece.column - dx, player.piece.row - dy, turned) if player.current else self._nothing[number]
        return dict(zip(piece_values(self._rules), (*place, *map(self._codes.code, kinds)), strict=True))


def _padded(names: tuple[str, ...], colors: list[int]) -> dict[str, int]:
    return dict(zip(names, [*colors, *[EMPTY] * len(names)], strict=False))


def refuse_replay(ram_map: RamMap, rules: Rules) -> None:
    """Raise MapError, naming the missing values, if recorded games cannot be replayed with this map."""
    missing = [name for name in replayed(rules) if name not in ram_map.reader().names]
    if missing:
        raise MapError(f"The map {ram_map.name} lacks {', '.join(missing)}: games are replayed from these values.")


def _refuse_impossible(player: Player, rules: Rules, stage: int) -> None:
    if (player.cells == OBSTACLE).any():
        raise ValueError("a cell of no known kind")
    if EMPTY in player.next:
        raise ValueError("no next piece")
    if player.play_state is PlayState.PLANT:
        missing = rules.stage_targets(stage) - player.targets
        room = int(np.count_nonzero(player.cells[rules.stored_rows - rules.stage_rows(stage) :] == EMPTY))
        if missing <= 0:
            raise ValueError(f"{player.targets} targets at the beginning of stage {stage}")
        if room < missing:
            raise ValueError(f"room for {room} of the {missing} targets that stage {stage} still gets")
    piece, nothing = player.piece, np.zeros_like(player.cells)
    inside = bool(player.current) and fits(nothing, rules, (piece.orientation, piece.column, piece.row))
    if player.play_state is PlayState.CONTROL and not inside:
        raise ValueError(f"a piece at column {piece.column}, row {piece.row}")
