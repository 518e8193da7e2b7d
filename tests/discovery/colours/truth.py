"""Compares a map of a colour game with what the generator knows, in meaning: both decode the same frames."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from emubot import games
from emubot.bridges.image import image_reader
from emubot.bridges.libretro import LibretroBridge, connect
from emubot.games.colours.board.turning import pair_cells, piece_cells
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.matching_rules import OBSTACLE as MATCHING_OBSTACLE
from emubot.games.colours.matching_rules import TARGET, VANISHING
from emubot.games.colours.matching_rules import rules_of as matching_rules_of
from emubot.games.colours.rules import NUISANCE, OBSTACLE
from emubot.games.edition import Edition
from emubot.pad import Pad, describe
from emubot.pilot import Goal, Pilot
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Snapshot
from tests.toys.strangers.colours import colour_stranger
from tests.toys.strangers.colours.map_data import map_of
from tests.toys.strangers.colours.reading import NUISANCE as TOLD_NUISANCE
from tests.toys.strangers.colours.reading import POPPING, Reading
from tests.toys.strangers.colours.reading import TARGET as TOLD_TARGET
from tests.toys.strangers.colours.stranger import CAPSULES, PAIRS, Stranger
from tests.toys.strangers.colours.watched import mash

_STARTS: Final = 30  # frames in which the console starts, and memory has no meaning yet
_REACHES: Final = 4000  # frames in which a map must have led to a game
_PIECES: Final = 40  # played by the map
_MOST: Final = 9000  # frames of these
_RANDOM: Final = 900  # frames with random pads
_ENDS: Final = 9000  # frames in which pieces that are only dropped must have ended the game
_AFTER_DEMO: Final = 300  # frames of a demonstration
_ALLOWED: Final = {
    "menu": {Phase.MENU, Phase.OVER, Phase.UNKNOWN},
    "demo": {Phase.MENU, Phase.OVER, Phase.UNKNOWN},
    "over": {Phase.OVER, Phase.MENU, Phase.UNKNOWN},
    "paused": {Phase.PAUSED, Phase.UNKNOWN},
    "won": {Phase.CLEARING, Phase.LOCKED, Phase.UNKNOWN},
    "between": {Phase.CLEARING, Phase.LOCKED, Phase.UNKNOWN},
    "control": {Phase.PLAYING, Phase.UNKNOWN},
}


def wrong_lines(ram_map: RamMap, told: Mapping[str, Any], image: Path, core: str) -> list[str]:
    """Returns what a map says and the generator knows to be otherwise, a sentence for each key; none if all is right.

    It plays: by the map from power-on, with random pads, and from the end of a game to the next. What a map leaves out
    is not wrong.
    """
    stranger = colour_stranger(told["seed"])
    family = map_of(stranger)["family"]
    if ram_map.document.family != family:
        return [f"family: {ram_map.document.family}, and it is {family}"]
    frames, faults = played(ram_map, stranger, image, core)
    return [*faults, *wrong_rules(ram_map, stranger), *wrong_in(ram_map, stranger, frames)]


def played(ram_map: RamMap, stranger: Stranger, image: Path, core: str) -> tuple[list[bytes], list[str]]:
    """Returns memory after each frame, and sentences about what the map did not lead to."""
    seen: list[bytes] = []
    if stranger.menus.demo_after:
        with connect(rom=image, core=core, emu_speed=None) as bridge:
            _press(bridge, [], [Pad.NONE] * _STARTS)
            _press(bridge, seen, [Pad.NONE] * (256 * stranger.menus.demo_after + _AFTER_DEMO))
    with connect(rom=image, core=core, emu_speed=None) as bridge:
        first = list[bytes]()
        leads = _by_map(bridge, first, ram_map, 1, _REACHES)
        seen += first[_STARTS:]
        if not leads:
            return seen, ["menu: it does not lead from power-on to a game in which a piece locks"]
        _by_map(bridge, seen, ram_map, _PIECES, _MOST)
        pads = mash(np.random.default_rng(1))
        _press(bridge, seen, [next(pads) for _ in range(_RANDOM)])
        if _loses(bridge, seen, stranger) and not _by_map(bridge, seen, ram_map, 1, _REACHES):
            return seen, ["menu: it does not lead from the end of a game to the next one"]
    return seen, []


def _press(bridge: LibretroBridge, seen: list[bytes], pads: Sequence[Pad]) -> None:
    read = image_reader(bridge, [*bridge.facts.spaces])
    for pad in pads:
        bridge.press(0, pad)
        bridge.advance()
        seen.append(bytes(read()))


def _by_map(bridge: LibretroBridge, seen: list[bytes], ram_map: RamMap, pieces: int, frames: int) -> bool:
    read = image_reader(bridge, [*bridge.facts.spaces])
    pilot = Pilot(bridge, Goal(pieces=None, games=None), games.open_edition(ram_map))
    while pilot.tally.pieces < pieces and pilot.frames < frames:
        pilot.step()
        seen.append(bytes(read()))
    pilot.release()
    return pilot.tally.pieces >= pieces


def _loses(bridge: LibretroBridge, seen: list[bytes], stranger: Stranger) -> bool:
    poll = stranger.pads.poll
    for _ in range(_ENDS // (4 * poll)):
        _press(bridge, seen, [Pad.DOWN] * 2 * poll + [Pad.NONE] * 2 * poll)
        if Reading(stranger, seen[-1]).mode == "over":
            return True
    return False


def wrong_rules(ram_map: RamMap, stranger: Stranger) -> list[str]:
    """Returns what the map's rules and buttons say otherwise."""
    right, play = map_of(stranger), stranger.play
    said = []
    stated, rules = ram_map.rules, right["rules"]
    unmoved = len({*play.shapes[0], *play.shapes[1]}) == 3 and play.kind == PAIRS  # a box: nothing turns into the floor
    checked = ["columns", "visible_rows", "hidden_rows", "colors", "group_size", "hidden_pops", "joined", "match"]
    checked += ["match_size", "wall_kick", "quick_turn", *([] if unmoved else ["floor_kick"])]
    checked += ["kick_left"] if play.kind == CAPSULES else []
    if unmoved and stated.get("hidden_rows") in range(_reached(stranger), rules["hidden_rows"]):
        checked.remove("hidden_rows")  # nothing ever comes into rows above those that a piece reaches as it enters
    said += [
        f"rules.{name}: {stated[name]}, and it is {rules[name]}"
        for name in checked
        if name in stated and name in rules and stated[name] != rules[name]
    ]
    if "targets" in stated and list(stated["targets"]) != list(play.targets[: len(stated["targets"])]):
        said.append(f"rules.targets: {stated['targets']}, and they are {play.targets}")
    if play.targets and not stated.get("targets"):
        said.append("rules.targets: none, and there are some")
    if any(rows > play.target_rows for rows in stated.get("target_rows", ())):
        said.append(f"rules.target_rows: {stated['target_rows']}, and they are {play.target_rows}")
    if "spawn" in stated and _entry(ram_map) != _entry_of(stranger):
        said.append(f"rules.spawn: {stated['spawn']}, and it is {rules['spawn']}")
    names = ("left", "right", "rotate_clockwise", "rotate_counterclockwise", "soft_drop", "step_down", "hard_drop")
    for name in names:
        button = getattr(ram_map.buttons, name, None)
        if button and right["buttons"].get(name) != describe(button):
            said.append(f"buttons.{name}: {describe(button)} does not do that")
    return said


def _reached(stranger: Stranger) -> int:
    """Returns how many hidden rows a piece reaches in its entry row."""
    return max(0, *(-stranger.play.spawn[2] - y for shape in stranger.play.shapes for _, y in shape))


def _entry(ram_map: RamMap) -> set[tuple[int, int]]:
    """Returns the cells of the map's entry: column, row."""
    if ram_map.document.family == "puyo":
        rules = rules_of_map(ram_map)
        return {(cell.column, cell.row) for cell in pair_cells((1, 1), rules.spawn)}
    own = matching_rules_of(ram_map.profile, ram_map.rules)
    return {(cell.column, cell.row) for cell in piece_cells((1,) * own.piece_cells, own.spawn)}


def _entry_of(stranger: Stranger) -> set[tuple[int, int]]:
    orientation, column, row = stranger.play.spawn
    return {(column + x, row + y) for x, y in stranger.play.shapes[orientation]}


def wrong_in(ram_map: RamMap, stranger: Stranger, frames: Sequence[bytes]) -> list[str]:
    """Returns what a map says of these frames and is otherwise."""
    judge = _Judge(ram_map, stranger)
    for number, memory in enumerate(frames):
        judge.frame(number, memory)
    return judge.sentences()


def _colors(ram_map: RamMap, stranger: Stranger) -> dict[int, int]:
    """Returns the generator's colours by those of the map: both have a code for each."""
    found = {}
    for name, stated in ram_map.data["grid"]["cell"]["kinds"].items():
        codes = stated if isinstance(stated, list) else [stated]
        colors = [stranger.field.colors.index(code) + 1 for code in codes if code in stranger.field.colors]
        if name.startswith("color_") and colors:
            found[int(name.removeprefix("color_"))] = colors[0]
    return found


class _Judge:
    """Collects where map and truth differ."""

    def __init__(self, ram_map: RamMap, stranger: Stranger) -> None:
        self._stranger, self._size = stranger, ram_map.image_size
        self._edition: Edition = games.open_edition(ram_map)
        self._decode = self._edition.decoder(0)
        self._is_pairs = ram_map.document.family == "puyo"
        self._colors = _colors(ram_map, stranger)
        self._mode = "menu"
        self._wrong: dict[str, list[int]] = defaultdict(list)

    def sentences(self) -> list[str]:
        """Returns a sentence for each key that is wrong."""
        return [f"{key}: wrong in {len(at)} frames, first in {at[0]}" for key, at in self._wrong.items()]

    def frame(self, number: int, memory: bytes) -> None:
        """A frame."""
        reading, snapshot = Reading(self._stranger, memory), self._decode(memory[: self._size])
        mode = reading.mode
        if mode == "play":
            mode = "control" if reading.is_controlled else "between"
        if snapshot.phase not in _ALLOWED[mode] | _ALLOWED[self._mode]:  # a byte may be a frame late
            self._wrong[f"phases ({mode})"].append(number)
        self._mode = mode
        if mode == "control" and snapshot.phase is Phase.PLAYING:
            for key, is_right in self._compared(reading, snapshot):
                if not is_right:
                    self._wrong[key].append(number)

    def _compared(self, reading: Reading, snapshot: Snapshot) -> Iterator[tuple[str, bool]]:
        own = {(row, column): kind for (row, column), kind in reading.piece.cells(self._stranger)}
        yield "values.x, y, orientation and current", self._same(own, self._cells(snapshot))
        rows, columns = snapshot.playfield.shape
        if (rows, columns) != (self._stranger.play.rows, self._stranger.play.columns):
            yield "grid", False
            return
        field = {cell: kind for cell, (kind, _) in reading.field.items()}
        cells = np.concatenate((snapshot.hidden[::-1], snapshot.playfield))
        hidden = len(snapshot.hidden)
        seen = {(int(row) - hidden, int(column)): int(cells[row, column]) for row, column in np.argwhere(cells)}
        yield "grid", self._same(field, seen)
        if snapshot.next and reading.next:
            following = snapshot.next[::-1] if self._is_swapped(reading, snapshot) else snapshot.next
            yield (
                "values.next",
                all(self._kind(mine) == told for mine, told in zip(following, reading.next, strict=True))
                or sorted(map(self._kind, following)) == sorted(reading.next),
            )

    def _is_swapped(self, reading: Reading, snapshot: Snapshot) -> bool:
        return self._is_pairs and self._kind(snapshot.next[0]) != reading.next[0]

    def _cells(self, snapshot: Snapshot) -> dict[tuple[int, int], int]:
        piece, counters = snapshot.current, snapshot.counters
        if piece is None:
            return {}
        if self._is_pairs:
            cells = pair_cells((counters["pivot"], counters["satellite"]), piece)
        else:
            parts = range(1, self._stranger.play.parts + 1)
            cells = piece_cells(tuple(counters[f"kind_{part}"] for part in parts), piece)
        return {(cell.row, cell.column): cell.kind for cell in cells}

    def _same(self, told: Mapping[tuple[int, int], int], mine: Mapping[tuple[int, int], int]) -> bool:
        if told.keys() != mine.keys():
            return False
        unnamed = OBSTACLE if self._is_pairs else MATCHING_OBSTACLE
        return all(self._kind(mine[cell]) == kind for cell, kind in told.items() if mine[cell] != unnamed)

    def _kind(self, kind: int) -> int:
        """Returns the generator's kind."""
        if self._is_pairs and kind == NUISANCE:
            return TOLD_NUISANCE
        if not self._is_pairs and kind == VANISHING:
            return POPPING
        if kind > TARGET:
            return TOLD_TARGET + self._colors.get(kind - TARGET, 0)
        return self._colors.get(kind, 0)
