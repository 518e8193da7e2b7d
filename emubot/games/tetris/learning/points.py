"""Measures the points of lines by watching games, where a map has `score` and `lines`; presses nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from emubot.games.tetris.decode.value_names import LINE_POINTS
from emubot.learn import ProbeReport
from emubot.rammap import RamMap
from emubot.snapshot import Phase

_MOST_LINES: Final = 5  # of one piece; what the lines grow by beyond that was misread
_NAMES: Final = ("score", "lines")
_LATE: Final = 20  # frames after its lines in which a score is looked for
_Figures = tuple[int, int, int]  # score, lines, level


class PointsSeen:
    """Call `frame` for every frame. What a piece scored is counted from its lock to the next piece."""

    def __init__(self, ram_map: RamMap, player: int = 0) -> None:
        self._reader = ram_map.reader(player)
        self._has = set(_NAMES) <= self._reader.names
        levels = ("level",) if "level" in self._reader.names else _NAMES[:1]
        self._figures = self._reader.select((*_NAMES, *levels)) if self._has else None
        self._levels = "level" in levels
        self._before: _Figures | None = None  # in the last frame of play
        self._locked: _Figures | None = None
        self._waits = 0  # frames of play in which the score may still come
        self._gains: dict[tuple[int, int], Counter[int]] = {}  # level, lines -> points -> times

    def frame(self, ram: bytes) -> None:
        """Take one frame."""
        if self._figures is None:
            return
        phase, _ = self._reader.phase(ram)
        score, lines, level = self._figures(ram)
        now = (score, lines, level if self._levels else 0)
        if phase is Phase.PLAYING:
            if self._before is not None and now[1] != self._before[1]:  # no state came between two pieces
                self._locked, self._waits = self._before, _LATE
            self._waits -= 1
            if self._locked is not None and (self._waits < 0 or now[0] != self._locked[0]):
                self._note(self._locked, now)
                self._locked = None
            self._before = now
        elif phase.between_pieces:
            self._locked, self._before, self._waits = self._before or self._locked, None, 0
        elif phase is not Phase.PAUSED:
            self._locked = self._before = None

    def report(self, made: ProbeReport) -> None:
        """Add what is known: `rules.line_points` from one line up, at the lowest level at which all were seen."""
        if not self._has:
            return
        least = self.least
        for (level, lines), points in sorted(least.items()):
            times = self._gains[level, lines].total()
            made.notes.append(f"points at level {level}: {points} for lines cleared: {lines}, the least of {times}")
        table, where = self._table(least)
        if table:
            seen = f"1 to {len(table)} lines at level {where}, the least of what was seen: drops may add points"
            made.add("rules", LINE_POINTS, table, seen)
        else:
            made.unseen[f"rules.{LINE_POINTS}"] = "the points of lines"

    @property
    def least(self) -> Mapping[tuple[int, int], int]:
        """The fewest points for (level, lines): what a drop adds is not always the same."""
        return {key: min(gains) for key, gains in self._gains.items()}

    def _table(self, least: Mapping[tuple[int, int], int]) -> tuple[tuple[int, ...], int]:
        """Returns the longest table of points for 1, 2, ... lines at one level, and that level."""
        best: tuple[tuple[int, ...], int] = ((), 0)
        for level in sorted({level for level, _ in least}):
            count = next(count for count in range(_MOST_LINES + 1) if (level, count + 1) not in least)
            if count > len(best[0]):
                best = (tuple(least[level, lines] for lines in range(1, count + 1)), level)
        return best

    def _note(self, before: _Figures, after: _Figures) -> None:
        points, lines = after[0] - before[0], after[1] - before[1]
        if 0 < lines <= _MOST_LINES and points >= 0:
            self._gains.setdefault((before[2], lines), Counter())[points] += 1
