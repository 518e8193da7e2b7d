"""Experiments that press buttons on a pairs cartridge: kicks, the one-wide well, gravity of each level.

Each experiment is a generator: it yields the pad for the next frame and is sent that frame's memory. It needs a map
that states the orientations of a pair. Knows no emulator.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Final

from emubot.games.puyo.decode.decode import Decoder, cells_of
from emubot.games.puyo.learning.building import build
from emubot.games.puyo.map_rules import rules_of_map
from emubot.games.puyo.rules import COLORS, COLUMNS, EMPTY, LEFT, ORIENTATIONS, UP
from emubot.learn import ClockWatch, ProbeReport
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Snapshot

Script = Generator[Pad, bytes, None]

_LONGEST: Final = 3000  # frames after which a step of an experiment gives up
_FALLS: Final = 5  # rows watched without pressing a button
_WELL_HEIGHT: Final = 4
_LONG_CHAIN: Final = 7  # steps; the published tables differ from the sixth step on
_LONG_CHAINS: Final = 3  # one chain is not enough: a step with two unknown group sizes gives no entry
_BUILDING: Final = 250  # pairs at most


class GaveUp(Exception):
    """The game did not reach the situation that an experiment needs."""


class Experiments:
    """The experiments for one player. `run` is the script of all of them; the results are added to a report."""

    def __init__(self, ram_map: RamMap, report: ProbeReport, player: int = 0) -> None:
        """Raises MapError for a map that the family cannot read."""
        self._map, self._player = ram_map, player
        self._decode = Decoder(ram_map, player)
        self._rows = ram_map.document.grid.rows
        self._rules = rules_of_map(ram_map)
        buttons = ram_map.buttons
        self._turn = buttons.rotate_clockwise or Pad.NONE
        self._back = buttons.rotate_counterclockwise or Pad.NONE
        self._drop = buttons.soft_drop or Pad.NONE
        self._now: Snapshot | None = None
        self._ram = b""
        self._since_tap = 0
        self._clock = ClockWatch(self._drop)
        self._made = report

    def run(self) -> Script:
        """Run all experiments in turn; one that does not reach its situation is noted as unseen."""
        tried: tuple[tuple[str, str, Callable[[], Script]], ...] = (
            ("rules.wall_kick", "what a pair does at a wall when it turns", self._wall),
            ("rules.floor_kick", "what a pair does on the floor when it turns", self._floor),
            ("rules.quick_turn", "what a pair does in a one-wide well when it turns", self._well),
            ("rules.chain_power", "long chains", self._chains),
            ("timing.gravity", "the fall of every level", self._levels),
        )
        for key, what, script in tried:
            try:
                yield from script()
            except GaveUp:
                self._made.unseen[key] = what

    @property
    def _piece(self) -> tuple[int, int, int]:
        """Canonical orientation, column and row of the piece in the air. Raises GaveUp if there is none."""
        piece = self._now.current if self._now is not None else None
        if piece is None:
            raise GaveUp
        return piece.orientation, piece.column, piece.row

    def _frame(self, pad: Pad = Pad.NONE) -> Script:
        self._ram = yield pad
        self._now = now = self._decode(self._ram)
        self._since_tap += 1
        self._clock.frame(now.phase, now.current, now.counters.get("level", 0), pad)

    def _tap(self, pad: Pad) -> Script:
        yield from self._frame(pad)
        yield from self._frame()

    def _piece_to(self, choices: Mapping[str, int] | None = None) -> Script:
        """Wait for a pair of coloured puyos in the air, through menus with these choices; let items fall."""
        for _ in range(_LONGEST):
            now = self._now
            if now is not None and now.phase is Phase.PLAYING and now.current is not None:
                if all(1 <= now.counters[half] <= COLORS for half in ("pivot", "satellite")):
                    return
                yield from self._until_locked()
            pad = Pad.NONE
            if now is not None and now.phase in (Phase.MENU, Phase.OVER) and self._since_tap >= self._map.menu_pace:
                step = self._map.menu_step(self._ram, choices or {}, self._player)
                if step is not None:
                    if step.hold:
                        yield from self._frame(step.hold)
                    pad = step.hold | step.tap
                    self._since_tap = 0
            yield from self._frame(pad)
        raise GaveUp

    def _next_piece(self, choices: Mapping[str, int] | None = None) -> Script:
        """Let the piece in the air fall, and wait for a pair."""
        yield from self._until_locked()
        yield from self._piece_to(choices)

    def _until_locked(self) -> Script:
        """Let the piece in the air fall."""
        for _ in range(_LONGEST):
            if self._now is None or self._now.phase is not Phase.PLAYING:
                return
            yield from self._frame(self._drop)
        raise GaveUp

    def _stand(self, orientation: int) -> Script:
        """Rotate the pair to this orientation."""
        for _ in range(ORIENTATIONS):
            if self._piece[0] == orientation:
                return
            yield from self._tap(self._turn)
        if self._piece[0] != orientation:
            raise GaveUp

    def _go(self, column: int) -> Script:
        for _ in range(12):
            here = self._piece[1]
            if here == column:
                return
            yield from self._tap(self._map.buttons.left if here > column else self._map.buttons.right)
        raise GaveUp

    def _fall_to(self, row: int) -> Script:
        """Hold the soft drop until the pivot is in this row."""
        for _ in range(_LONGEST):
            if self._piece[2] >= row:
                return
            yield from self._frame(self._drop)
        raise GaveUp

    def _height(self, column: int) -> int:
        return 0 if self._now is None else int((cells_of(self._now)[:, column] != EMPTY).sum())

    def _wall(self) -> Script:
        yield from self._next_piece()
        yield from self._stand(UP)
        yield from self._go(0)
        yield from self._tap(self._back)
        orientation, column, _ = self._piece
        kicked = (orientation, column) == (LEFT, 1)
        if not kicked and orientation != UP:
            raise GaveUp
        self._rule("wall_kick", kicked, "one pair at the left wall")

    def _floor(self) -> Script:
        yield from self._next_piece()
        yield from self._stand(UP)
        heights = [self._height(column) for column in range(COLUMNS)]
        flat = [column for column in range(COLUMNS - 1) if heights[column + 1] <= heights[column]]
        if not flat:
            raise GaveUp
        column = min(flat, key=lambda column: heights[column])
        yield from self._go(column)
        floor = self._rows - 1 - heights[column]
        yield from self._fall_to(floor)
        yield from self._tap(self._turn)
        yield from self._tap(self._turn)
        orientation, _, row = self._piece
        kicked = orientation == 2 and row == floor - 1
        if not kicked and orientation != 1:
            raise GaveUp
        self._rule("floor_kick", kicked, "one pair on the ground")

    def _well(self) -> Script:
        for _ in range(_WELL_HEIGHT):
            yield from self._next_piece()
            if self._height(1) >= self._height(0) + _WELL_HEIGHT:
                break
            yield from self._stand(UP)
            yield from self._go(1)
        deep = self._rows - self._height(1) + 1  # both halves are beside the wall of puyos
        if self._height(1) < self._height(0) + 3 or self._piece[2] >= deep:
            raise GaveUp
        yield from self._stand(UP)
        yield from self._go(0)
        yield from self._fall_to(deep)
        yield from self._tap(self._turn)
        once = self._piece
        yield from self._tap(self._turn)
        twice = self._piece
        turned = 2 in (once[0], twice[0])
        if not turned and twice[0] != UP:
            raise GaveUp
        self._rule("quick_turn", turned, "one pair between the left wall and a column of puyos, turned twice")
        self._made.notes.append(
            "one-wide well: " + ("upside down" if turned else "nothing") + f" after turning twice, row {twice[2]}"
        )

    def _chains(self) -> Script:
        """Play games that build chains as long as possible; the passive measurer evaluates their points."""
        fewest = self._map.menu_choices.get("colors")
        choices = {"colors": fewest.low} if fewest is not None else {}
        choices |= {"items": 0} if "items" in self._map.menu_choices else {}
        yield from self._lose()
        lengths: list[int] = []
        tried = 0
        while tried < _BUILDING and sum(steps >= _LONG_CHAIN for steps in lengths) < _LONG_CHAINS:
            yield from self._piece_to(choices)
            tried += 1
            now = self._now
            if now is None or not now.next:
                continue
            pair = (now.counters["pivot"], now.counters["satellite"])
            following = (now.next[0], now.next[1])
            kinds = {int(kind) for kind in cells_of(now).ravel() if 1 <= kind <= COLORS} | {*pair, *following}
            colors = max(kind for kind in kinds if kind <= COLORS)
            try:
                orientation, column = build(cells_of(now), pair, following, colors, self._rules, _LONG_CHAIN)
                yield from self._stand(orientation)
                yield from self._go(column)
            except (GaveUp, ValueError):
                continue  # the pair falls where it is
            yield from self._until_locked()
            lengths.append((yield from self._chain()))

    def _chain(self) -> Generator[Pad, bytes, int]:
        """Wait for the next piece; returns how often the score grew meanwhile."""
        steps, score = 0, self._score()
        for _ in range(_LONGEST):
            if self._now is None or not self._now.phase.between_pieces:
                return steps
            yield from self._frame()
            steps += self._score() > score
            score = self._score()
        raise GaveUp

    def _score(self) -> int:
        return 0 if self._now is None else self._now.counters.get("score", 0)

    def _levels(self) -> Script:
        choice = self._map.menu_choices.get("level")
        levels = range(choice.low, choice.high + 1) if choice is not None else range(0)
        for level in levels:
            yield from self._lose()
            yield from self._piece_to({"level": level})
            for _ in range(4):
                yield from self._watch_fall()
                if self._clock.gravity(level) is not None and self._clock.soft_drop is not None:
                    break
                yield from self._piece_to({"level": level})
        measured = self._clock.levels
        if not measured:
            raise GaveUp
        remark = ", ".join(f"{level}: {rows} rows" for level, (_, rows) in measured.items())
        missing = [level for level in levels if level not in measured]
        if levels and not missing:
            gravity = tuple(measured[level][0] for level in levels)
            self._made.add("timing", "gravity", gravity, f"rows that fell by themselves at level {remark}")
        if missing:
            self._made.unseen["timing.gravity"] = f"the fall of the levels {', '.join(map(str, missing))}"
        if self._clock.soft_drop is not None:
            rows = f"{self._clock.soft_rows} rows with the soft drop held"
            self._made.add("timing", "soft_drop", self._clock.soft_drop, rows)

    def _watch_fall(self) -> Script:
        """Let a piece fall some rows with nothing pressed, the rest with the soft drop."""
        first = self._piece[2]
        for _ in range(_LONGEST):
            if self._now is None or self._now.phase is not Phase.PLAYING:
                return
            if self._piece[2] >= first + _FALLS:
                break
            yield from self._frame()
        yield from self._until_locked()

    def _lose(self) -> Script:
        """Let all pieces fall at their spawn column until the game is over."""
        for _ in range(_LONGEST * 4):
            if self._now is not None and self._now.phase in (Phase.OVER, Phase.MENU):
                return
            yield from self._frame(self._drop)
        raise GaveUp

    def _rule(self, name: str, value: Any, remark: str) -> None:
        self._made.add("rules", name, value, remark)
