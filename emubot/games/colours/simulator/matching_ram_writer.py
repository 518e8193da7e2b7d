"""The state of a simulated matching cartridge by the names of the family's maps; knows no rule and no button."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games import screens
from emubot.games.colours.board.control import Falling
from emubot.games.colours.board.matching_cells import checked_field
from emubot.games.colours.decode.codes import numbers_of
from emubot.games.colours.decode.matching_codes import KINDS, PieceCodes
from emubot.games.colours.decode.matching_values import (
    GARBAGE,
    OF_PIECE,
    OF_PLAYER,
    SHARED,
    per_player,
    replayed,
)
from emubot.games.colours.matching_rules import EMPTY, OBSTACLE, Rules
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.matching_simulator import Player, PlayState, Simulator, player_of
from emubot.games.colours.simulator.ram_state import RamState
from emubot.rammap import RamMap
from emubot.rammap.reader import Reader


@dataclass(slots=True)
class MatchingConsole(screens.Console[Simulator]):
    """The cartridge's state, with the options of its menu."""

    start_stage: int = 0
    pace: int = 0


class Registers(RamState[MatchingConsole, Simulator, Player]):
    """Keeps the cells' links too."""

    wrapping = MappingProxyType(
        {"frame_counter": 16, "game_counter": 16, "pieces": 16, "stages": 8, "lines": 8, "chain": 8}
    )

    def __init__(self, ram_map: RamMap, rules: Rules) -> None:
        self.replayed = replayed(rules)
        self._codes, self._most, self._parts = PieceCodes(ram_map, rules), rules.most_garbage, rules.piece_cells
        kinds = numbers_of(ram_map.reader().kinds, KINDS)
        super().__init__(ram_map, rules, (SHARED, per_player(rules)), kinds, OBSTACLE, player_of(rules, 1))

    def _image(self, player: Player) -> bytes:
        return player.cells.tobytes() + player.links.tobytes()

    def _write_cells(self, ram: NDArray[Any], reader: Reader, player: Player) -> None:
        super()._write_cells(ram, reader, player)
        hidden = self._rules.hidden_rows
        reader.grid.encode_links(ram, player.links[hidden:], player.links[:hidden][::-1])

    def _read_cells(self, ram: bytes, reader: Reader, player: Player) -> None:
        super()._read_cells(ram, reader, player)
        links = np.concatenate((reader.hidden_links(ram)[::-1], reader.links(ram)))
        player.cells, player.links = checked_field(player.cells, links)

    def _read_menu(self, value: Callable[[str], int], console: MatchingConsole) -> None:
        console.pace, console.start_stage = value("pace"), value("start_stage")

    def _read_game(self, value: Callable[[str], int], game: Simulator) -> None:
        game.stage, game.garbage_generator = value("stage"), Generator(value("garbage_generator"))

    def _read_player(self, player: Player, values: Mapping[str, int], game: Simulator) -> None:
        for name in OF_PLAYER[1:]:
            if name in values:
                setattr(player, name, values[name])
        parts = self._parts
        kinds = [self._codes.kind(values[name]) for name in self._own[3 : 3 + 2 * parts]]
        player.next = tuple(kinds[parts:])
        player.colors = [values[name] for name in GARBAGE["line"][: min(values["lines"], self._most)]]
        player.pending = [values[name] for name in GARBAGE["pending"][: min(values["pending"], self._most)]]
        place, current = self._codes.read(values["orientation"], tuple(kinds[:parts]))
        orientation, dx, dy = place or (0, 0, 0)
        player.piece = Falling(
            current if all(current) else (),
            orientation,
            values["x"] + dx,
            values["y"] + dy,
            values["drop_timer"],
            values["repeat"],
        )
        self._refuse_impossible(player, game)
        if player.play_state is PlayState.PLANT:
            _refuse_targets(player, game)

    def _values(self, console: MatchingConsole, number: int) -> list[int]:
        player, game = self._player(console, number), console.game
        return [
            console.frame_counter,
            console.game_counter,
            int(console.screen),
            console.mode,
            console.start_stage,
            console.pace,
            0 if game is None else game.stage,
            0 if game is None or game.loser is None else game.loser + 1,
            0 if game is None else game.garbage_generator.state,
            *self._piece_values(player, number),
            *(int(getattr(player, name)) for name in OF_PLAYER),
            *(getattr(player.piece, name) for name in OF_PIECE),
            *_padded(player.colors, self._most),
            len(player.pending),
            *_padded(player.pending, self._most),
            0 if player.play_state is PlayState.OUT else player.generator.state,
            console.held[number],
            console.new[number],
        ]

    def _piece_values(self, player: Player, number: int) -> tuple[int, ...]:
        """Returns the values of `piece_values`."""
        piece, nothing = player.piece, (EMPTY,) * self._parts
        turned, (_, dx, dy), current = self._codes.written(piece.orientation, piece.kinds or nothing)
        place = (piece.column - dx, piece.row - dy, turned) if piece.kinds else self._nothing[number]
        return (*place, *map(self._codes.code, (*current, *(player.next or nothing))))


def _padded(colors: Sequence[int], most: int) -> list[int]:
    return [*colors, *[EMPTY] * most][:most]


def _refuse_targets(player: Player, game: Simulator) -> None:
    """Raise ValueError if the stage's targets are all there already, or do not fit."""
    rules, stage = game.rules, game.stage
    missing = rules.stage_targets(stage) - player.targets
    room = int(np.count_nonzero(player.cells[rules.stored_rows - rules.stage_rows(stage) :] == EMPTY))
    if missing <= 0:
        raise ValueError(f"{player.targets} targets at the beginning of stage {stage}")
    if room < missing:
        raise ValueError(f"room for {room} of the {missing} targets that stage {stage} still gets")
