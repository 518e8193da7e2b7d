"""Experiments that press buttons on a pairs cartridge: kicks, the one-wide well, gravity of each level.

Each experiment is a generator: it yields the pad for the next frame and is sent that frame's memory. It needs a map
that states the orientations of a pair. Knows no emulator.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from emubot.games.colours.decode.decode import Decoder, cells_of
from emubot.games.colours.learning.building import build
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import COLORS, EMPTY, LEFT, ORIENTATIONS, UP
from emubot.learn import LONGEST, GaveUp, ProbeReport, Script, ScriptedPlay
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Snapshot

_WELL_HEIGHT: Final = 4
_LONG_CHAIN: Final = 7  # steps; the published tables differ from the sixth step on
_LONG_CHAINS: Final = 3  # one chain is not enough: a step with two unknown group sizes gives no entry
_BUILDING: Final = 250  # pairs at most


class Experiments(ScriptedPlay):
    """The experiments for one player. `run` is the script of all of them; the results are added to a report."""

    def __init__(self, ram_map: RamMap, report: ProbeReport, player: int = 0) -> None:
        """Raises MapError for a map that the family cannot read."""
        super().__init__(ram_map, Decoder(ram_map, player), report, player)
        self._rows = ram_map.document.grid.rows
        self._rules = rules_of_map(ram_map)
        buttons = ram_map.buttons
        self._turn = buttons.rotate_clockwise or Pad.NONE
        self._back = buttons.rotate_counterclockwise or Pad.NONE

    def run(self) -> Script:
        """Run all experiments in turn; one that does not reach its situation is noted as unseen."""
        yield from self._run(
            (
                ("rules.wall_kick", "what a pair does at a wall when it turns", self._wall),
                ("rules.floor_kick", "what a pair does on the floor when it turns", self._floor),
                ("rules.quick_turn", "what a pair does in a one-wide well when it turns", self._well),
                ("rules.chain_power", "long chains", self._chains),
                ("timing.gravity", "the fall of every level", self._levels),
            )
        )

    def _accepts(self, now: Snapshot) -> bool:
        """Items are not measured."""
        return all(1 <= now.counters[half] <= COLORS for half in ("pivot", "satellite"))

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
        for _ in range(LONGEST):
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
        heights = [self._height(column) for column in range(self._rules.columns)]
        flat = [column for column in range(self._rules.columns - 1) if heights[column + 1] <= heights[column]]
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
        for _ in range(LONGEST):
            if self._now is None or not self._now.phase.between_pieces:
                return steps
            yield from self._frame()
            steps += self._score() > score
            score = self._score()
        raise GaveUp

    def _score(self) -> int:
        return 0 if self._now is None else self._now.counters.get("score", 0)

    def _rule(self, name: str, value: Any, remark: str) -> None:
        self._made.add("rules", name, value, remark)
