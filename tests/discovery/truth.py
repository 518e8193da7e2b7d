"""Compares a map with what the generator knows of its stranger, in meaning: decodes the same frames by both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.pad import describe
from emubot.rammap import RamMap
from emubot.rammap.placing import placed_by_cells
from emubot.snapshot import Phase
from tests.discovery.runs import run
from tests.games.tetris.toy_blocks import Cell
from tests.toys.strangers.reading import Memory, Piece, Reading
from tests.toys.strangers.truth import buttons_of

Told = Mapping[str, Any]
_COUNTERS: Final = ("lines", "score", "level")
_DROPS: Final = {"hold": "soft_drop", "press": "step_down", "drop": "hard_drop"}  # by what a press does
_SOON: Final = 100  # frames from the last frame of a piece to the next one, at most


class Meant(NamedTuple):
    """What a frame is by the truth: whether a piece is surely under control, and the phases that a map may give it."""

    piece: Piece | None
    phases: frozenset[Phase]


def wrong_lines(ram_map: RamMap, told: Told, image: Path, core: str) -> list[str]:
    """Returns what a map says and the generator knows to be otherwise, a sentence for each key; none if all is right.

    It plays: by the map from power-on, with random pads, and from the end of a game to the next. What a map leaves out
    is not wrong.
    """
    seen = run(ram_map, told, image, core)
    return [*seen.faults, *wrong_buttons(ram_map, told), *wrong_in(ram_map, told, seen.frames)]


def wrong_buttons(ram_map: RamMap, told: Told) -> list[str]:
    """Returns which buttons do something else."""
    buttons = {name: buttons_of(word) for name, word in told["buttons"].items() if word}
    expected = {name: buttons[name] for name in ("left", "right", "hard_drop") if name in buttons}
    if "soft_drop" in buttons:
        expected[_DROPS[told["pads"]["down"]]] = buttons["soft_drop"]
    stated = {name: getattr(ram_map.buttons, name, None) for name in ("left", "right", *_DROPS.values())}
    return [
        f"buttons.{name}: {describe(button)} does not do that"
        for name, button in stated.items()
        if button and expected.get(name) is not button
    ]


def wrong_in(ram_map: RamMap, told: Told, frames: Sequence[Memory]) -> list[str]:
    """Returns what a map says of these frames and is otherwise."""
    judge = _Judge(ram_map, told)
    begun = False  # before the first screen, memory is not the game's yet
    for number, memory in enumerate(frames):
        begun = begun or memory[told["state"]["at"]] == told["state"]["values"]["title"]
        if begun:
            judge.frame(number, memory)
    return judge.sentences()


class _Judge:
    """Collects where map and truth differ."""

    def __init__(self, ram_map: RamMap, told: Told) -> None:
        self._map, self._told, self._reading = ram_map, told, Reading(told)
        self._reader = ram_map.reader()
        self._placed = placed_by_cells(ram_map, 0, ordered=False, id_name="piece")
        self._select = self._reader.select(("piece", "x", "y") if self._placed is None else ())
        self._cells = {one.id: one.cells for one in ram_map.pieces}
        self._seen: Counter[str] = Counter()
        self._wrong: dict[str, list[int]] = defaultdict(list)
        self._ids: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        self._last: Meant | None = None
        self._memory: Memory | None = None  # of a frame with a piece under control
        self._sure: Memory | None = None  # of the last frame in which the piece's name was its own
        self._coming: tuple[int, int] | None = None  # the last frame with a piece, and the next one by the map

    def frame(self, number: int, memory: Memory) -> None:
        """A frame."""
        ram = memory.tobytes()[: self._map.image_size]
        meant = meant_by(self._told, self._reading, memory)
        if meant.piece is not None and self._sure is not None and has_early_name(self._reading, self._sure, memory):
            meant = Meant(None, frozenset())
        elif meant.piece is not None:
            self._sure = memory
        phase, _ = self._reader.phase(ram)
        if meant.phases:
            self._judge("phases", number, phase in meant.phases)
        if meant.piece is not None and phase is Phase.PLAYING:
            self._memory = memory
            cells = self._piece(number, ram, meant.piece)
            self._board(number, ram, memory, meant.piece, cells)
            for name in _COUNTERS:
                if name in self._reader.names:
                    right = self._reader.value(ram, name) == self._reading.number(memory, name)
                    self._judge(f"values.{name}", number, right)
            self._next(number, ram, meant.piece)
            self._clock(number, ram, memory)
        if not meant.phases or not meant.phases & {Phase.PLAYING, Phase.LOCKED}:
            self._coming = None  # a piece may have entered unseen
        self._last = meant

    def sentences(self) -> list[str]:
        """Returns a sentence for each key that is wrong."""
        said = [
            f"{key}: wrong in {len(numbers)} of {self._seen[key]} frames, the first of them frame {numbers[0]}"
            for key, numbers in self._wrong.items()
        ]
        return [*said, *self._turns(), *self._rows()]

    def _judge(self, key: str, number: int, is_right: bool) -> None:
        self._seen[key] += 1
        if not is_right:
            self._wrong[key].append(number)

    def _piece(self, number: int, ram: bytes, piece: Piece) -> frozenset[Cell]:
        """Judges the cells of the piece in the air; returns them, from the floor up."""
        own, x, y = self._select(ram) if self._placed is None else self._placed(ram) or (-1, 0, 0)
        if own not in self._cells:  # the map leaves this piece out
            return frozenset()
        cells = frozenset((x + dx, y + dy - self._map.document.grid.rows) for dx, dy in self._cells.get(own, ()))
        rows = self._told["board"]["rows"]
        lowered = (0, 1) if piece.half else (0,)
        expected = [frozenset((x, y - rows - up) for x, y in piece.cells) for up in lowered]
        visible = self._visible
        if self._placed is not None:  # cells outside the board are not read
            cells, expected = visible(cells), [visible(each) for each in expected]
        self._judge("values.piece, x, y and pieces", number, cells in expected)
        if piece.number is not None and piece.turn is not None and cells in expected:
            self._ids[piece.number, piece.turn][own] += 1
        return cells

    def _visible(self, cells: frozenset[Cell]) -> frozenset[Cell]:
        return frozenset(cell for cell in cells if -self._map.document.grid.rows <= cell[1])

    def _board(self, number: int, ram: bytes, memory: Memory, piece: Piece, own: frozenset[Cell]) -> None:
        """Judges the rows that both have, from the floor up."""
        board, solid = self._told["board"], self._reader.solid[self._reader.playfield(ram)]
        filled = np.isin(self._reading.board(memory), board["solid"])
        if board["drawn"] == "as if locked":
            filled = _without(filled, {(x, y - board["rows"]) for x, y in piece.cells})
        if self._map.document.grid.shows_piece:
            solid = _without(solid, own)
        if solid.shape[1] != filled.shape[1]:
            self._judge("grid.columns", number, is_right=False)
            return
        rows = min(len(solid), len(filled))
        self._judge("grid", number, np.array_equal(solid[-rows:], filled[-rows:]))

    def _next(self, number: int, ram: bytes, piece: Piece) -> None:
        """Judges the next piece where it has entered."""
        fresh = self._last is None or self._last.piece is None or piece.number != self._last.piece.number
        rose = self._last is not None and self._last.piece is not None and _top(piece) < _top(self._last.piece) - 2
        own = self._reader.value(ram, "piece") if "piece" in self._reader.names else -1
        if (fresh or rose) and self._coming is not None:
            at, shown = self._coming
            if number - at < _SOON and shown in self._cells and piece.turn == 0:
                self._judge("values.next_piece", at, shown == own)
        self._coming = None
        if "next_piece" in self._reader.names:
            self._coming = (number, self._reader.value(ram, "next_piece"))

    def _clock(self, number: int, ram: bytes, memory: Memory) -> None:
        """Judges the frames to the fall and the frames per row. A map may not know some levels; it then says 0."""
        gravity, timing = self._told["gravity"], self._map.timing
        level = self._reading.number(memory, "level")
        place = 0 if level is None else level - self._told["numbers"]["level"]["first"]
        speeds = gravity["frames_per_row"]
        speed = speeds[min(place, len(speeds) - 1)]
        stated = timing.get("gravity", ())
        name = timing.get("gravity_value")
        if name is None and not stated:
            return
        said = self._reader.value(ram, name) if name else stated[min(max(level or 0, 0), len(stated) - 1)]
        if not said:
            return
        self._judge("timing.gravity", number, gravity["rows"] == 1 and said == speed)
        timer = int(memory[gravity["timer"]["at"]])
        left = timer if gravity["timer"]["counts"] == "down" else speed - timer
        self._judge("values.drop_timer", number, self._reader.value(ram, "drop_timer") == left)
        if "soft_drop" in timing:
            self._judge("timing.soft_drop", number, timing["soft_drop"] == self._told["pads"]["soft_drop"])

    def _turns(self) -> Iterator[str]:
        """Yields ids that a turn leads elsewhere by the map."""
        ids = self._renamed() | {key: counts.most_common(1)[0][0] for key, counts in self._ids.items()}
        ways = {name: buttons_of(word) for name, word in self._told["buttons"].items() if word}
        for name, turn in (("clockwise", "rotate_clockwise"), ("counterclockwise", "rotate_counterclockwise")):
            button = getattr(self._map.buttons, turn)
            if not button:
                continue
            step = 1 if ways.get("clockwise") is button else -1 if ways.get("counterclockwise") is button else None
            if step is None:
                yield f"buttons.{turn}: {describe(button)} does not turn"
                continue
            for orientation in self._map.pieces:
                key = next((key for key, number in ids.items() if number == orientation.id), None)
                if key is None:
                    continue
                turns = len(self._told["pieces"][key[0]]["turns"])
                after = ids.get((key[0], (key[1] + step) % turns))
                stated = getattr(orientation, name).to
                if after in self._cells and self._cells.get(stated) != self._cells[after]:
                    yield f"pieces: by {name} {orientation.id} becomes {after}, not {stated}"

    def _renamed(self) -> dict[tuple[int, int], int]:
        """Returns the map's id of each piece and turn, if it reads the bytes that the truth names."""
        told, named = self._told["piece"], self._told["piece"]["named"]
        if named == "cells" or self._placed is not None or self._memory is None:
            return {}
        places = [told[key] for key in {"two": ("type", "turn"), "pointer": ("low", "high")}.get(named, ("at",))]
        ids: dict[tuple[int, int], int] = {}
        for piece in self._told["pieces"]:
            for turn, one in enumerate(piece["turns"]):
                memory = self._memory.copy()
                memory[places] = one["bytes"]
                ids[piece["number"], turn] = self._select(memory.tobytes()[: self._map.image_size])[0]
        return ids if len(set(ids.values())) > 1 else {}

    def _rows(self) -> Iterator[str]:
        """Yields what the map says of rows that are not there."""
        grid, board = self._map.document.grid, self._told["board"]
        if not board["rows"] <= grid.rows <= board["rows"] + board["hidden"]:
            yield f"grid.rows: {grid.rows}, and there are {board['rows']} with {board['hidden']} above"
        if grid.rows + len(grid.hidden) > board["rows"] + board["hidden"]:
            yield f"grid.hidden: {len(grid.hidden)} rows above {grid.rows}, and there are not so many"


def meant_by(told: Told, reading: Reading, memory: Memory) -> Meant:
    """Returns what a frame is by the truth."""
    state, values = reading.state(memory), told["state"]["values"]
    if told["demo"] is not None and memory[told["demo"]["at"]]:
        return Meant(None, frozenset({Phase.MENU, Phase.UNKNOWN, Phase.OVER}))
    if told["pause"] is not None and memory[told["pause"]["at"]] and state == values["play"]:
        return Meant(None, frozenset({Phase.PAUSED, Phase.UNKNOWN}))
    if state == values["play"]:
        silent = values["lock"] == values["play"]
        if reading.parked(memory):
            return Meant(None, frozenset())
        try:
            piece = reading.piece(memory)
        except ValueError:
            return Meant(None, frozenset())
        if silent and (told["board"]["drawn"] is not None or _is_in_board(told, reading, memory, piece)):
            return Meant(None, frozenset())
        return Meant(piece, frozenset({Phase.PLAYING}))
    if state in (values["lock"], values["clear"]):
        return Meant(None, frozenset({Phase.LOCKED, Phase.CLEARING, Phase.UNKNOWN}))
    if state == values["over"]:
        return Meant(None, frozenset({Phase.OVER, Phase.MENU, Phase.UNKNOWN}))
    return Meant(None, frozenset({Phase.MENU, Phase.OVER, Phase.UNKNOWN}))


def has_early_name(reading: Reading, before: Memory, memory: Memory) -> bool:
    """Returns whether a piece that locked silently has the next one's name, and is still in its place.

    `before` is a frame in which it had its own.
    """
    told, named = reading.told, reading.told["piece"]
    if told["state"]["values"]["lock"] != told["state"]["values"]["play"] or named["named"] == "cells":
        return False
    own = memory.copy()
    name = [named[key] for key in {"two": ("type", "turn"), "pointer": ("low", "high")}.get(named["named"], ("at",))]
    own[name] = before[name]
    is_other = reading.piece(memory).number != reading.piece(own).number
    return is_other and _is_in_board(told, reading, own, reading.piece(own))


def _is_in_board(told: Told, reading: Reading, memory: Memory, piece: Piece) -> bool:
    """Returns whether a cell of a piece is filled: it has locked, and the next one is not there yet."""
    board, cells = told["board"], reading.board(memory)
    places = [(y + board["hidden"], x) for x, y in piece.cells if y + board["hidden"] >= 0]
    return any(0 <= x < cells.shape[1] and y < len(cells) and cells[y, x] != board["empty"] for y, x in places)


def _without(filled: NDArray[np.bool_], cells: set[Cell] | frozenset[Cell]) -> NDArray[np.bool_]:
    """Returns a board without these cells, whose rows count from the floor."""
    board = filled.copy()
    for x, y in cells:
        if y >= -len(board):
            board[y, x] = False
    return board


def _top(piece: Piece) -> int:
    return min(y for _, y in piece.cells)
