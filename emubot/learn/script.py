"""A script that plays one port to measure a game: wait for a piece, let it fall, lose, time the fall of each level.

A step is a generator: it yields the pad for the next frame and is sent that frame's memory.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Final

from emubot.learn.clock import ClockWatch
from emubot.learn.flights import Flights
from emubot.learn.reports import ProbeReport
from emubot.pad import Pad
from emubot.rammap import MenuTaps, RamMap
from emubot.snapshot import Phase, Snapshot
from emubot.text import counted

Script = Generator[Pad, bytes, None]

LONGEST: Final = 3000  # frames after which a step of an experiment gives up
_FALLS: Final = 5  # rows watched without pressing a button
_TRIES: Final = 4  # pieces watched at a level


class GaveUp(Exception):
    """The game did not reach the situation that an experiment needs."""


class ScriptedPlay:
    """Experiments for one player. A family's own class adds its experiments and calls `_run`."""

    def __init__(
        self, ram_map: RamMap, decode: Callable[[bytes], Snapshot], report: ProbeReport, player: int = 0
    ) -> None:
        """`decode` is the family's decoder for the map and the player; what is found is added to `report`."""
        self._map, self._player, self._decode, self._made = ram_map, player, Flights(decode), report
        self._drop = ram_map.buttons.soft_drop or Pad.NONE
        self._now: Snapshot | None = None
        self._ram = b""
        self._since_tap = self._frames = 0
        self._taps = MenuTaps()
        self._clock = ClockWatch(self._drop)

    def _run(self, experiments: Sequence[tuple[str, str, Callable[[], Script]]]) -> Script:
        """Run experiments (key, what it measures, script) in turn. If one gives up, its key is noted as unseen."""
        for key, what, script in experiments:
            try:
                yield from script()
            except GaveUp:
                self._made.unseen[key] = what

    def _accepts(self, now: Snapshot) -> bool:
        """Returns whether the piece in the air is one to experiment with; a family may exclude some."""
        return True

    @property
    def _piece(self) -> tuple[int, int, int]:
        """Orientation, column and row of the piece in the air. Raises GaveUp if there is none."""
        piece = self._now.current if self._now is not None else None
        if piece is None:
            raise GaveUp
        return piece.orientation, piece.column, piece.row

    def _frame(self, pad: Pad = Pad.NONE) -> Script:
        self._ram = yield pad
        self._now = now = self._decode(self._ram)
        self._since_tap += 1
        self._frames += 1
        self._clock.frame(now.phase, now.current, now.counters.get("level", 0), pad)

    def _press(self, pad: Pad) -> Script:
        """Press, or release, for as long as the game needs to see it."""
        for _ in range(self._map.press):
            yield from self._frame(pad)

    def _tap(self, pad: Pad) -> Script:
        yield from self._press(pad)
        yield from self._press(Pad.NONE)

    def _piece_to(self, choices: Mapping[str, int] | None = None) -> Script:
        """Wait for a piece to experiment with, through menus with these choices; let others fall."""
        for _ in range(LONGEST):
            now = self._now
            if now is not None and now.phase is Phase.PLAYING and now.current is not None:
                if self._accepts(now):
                    return
                yield from self._until_locked()
            if now is not None and now.phase in (Phase.MENU, Phase.OVER) and self._since_tap >= self._map.menu_pace:
                step = self._map.menu_step(self._ram, choices or {}, self._player, self._taps)
                if step is not None:
                    if step.hold:
                        yield from self._press(step.hold)
                    self._taps.tapped(step)
                    self._since_tap = 0
                    yield from self._press(step.hold | step.tap)
                    continue
            yield from self._frame()
        raise GaveUp

    def _next_piece(self, choices: Mapping[str, int] | None = None) -> Script:
        """Let the piece in the air fall, and wait for the next one."""
        yield from self._until_locked()
        yield from self._piece_to(choices)

    def _dropping(self) -> Pad:
        """Returns the pad that lets a piece fall fast: the soft drop held, else another drop tapped."""
        tapped = self._map.buttons.hard_drop or self._map.buttons.step_down
        return self._drop if self._drop or tapped is None or self._frames // self._map.press % 2 else tapped

    def _until_locked(self) -> Script:
        """Let the piece in the air fall."""
        for _ in range(LONGEST):
            if self._now is None or self._now.phase is not Phase.PLAYING:
                return
            yield from self._frame(self._dropping())
        raise GaveUp

    def _levels(self) -> Script:
        """Time the fall at every level that the menus offer."""
        choice = self._map.menu_choices.get("level")
        levels = range(choice.low, choice.high + 1) if choice is not None else range(0)
        for level in levels:
            yield from self._lose()
            yield from self._piece_to({"level": level})
            for _ in range(_TRIES):
                yield from self._watch_fall()
                if self._clock.gravity(level) is not None and (self._clock.soft_drop is not None or not self._drop):
                    break
                yield from self._piece_to({"level": level})
        measured = self._clock.levels
        if not measured:
            raise GaveUp
        remark = ", ".join(f"{level}: {counted(rows, 'row')}" for level, (_, rows) in measured.items())
        missing = [level for level in levels if level not in measured]
        if not levels:
            falls = ", ".join(f"{frames} at level {level}" for level, (frames, _) in measured.items())
            self._made.notes.append(f"frames per row: {falls}; the menus offer no level")
        elif not missing:
            gravity = tuple(measured[level][0] for level in levels)
            self._made.add("timing", "gravity", gravity, f"rows that fell by themselves at level {remark}")
        if missing:
            self._made.unseen["timing.gravity"] = f"the fall of the levels {', '.join(map(str, missing))}"
        if self._clock.soft_drop is not None:
            rows = f"{counted(self._clock.soft_rows, 'row')} with the soft drop held"
            self._made.add("timing", "soft_drop", self._clock.soft_drop, rows)

    def _watch_fall(self) -> Script:
        """Let a piece fall some rows with nothing pressed, the rest with the soft drop."""
        first = self._piece[2]
        for _ in range(LONGEST):
            if self._now is None or self._now.phase is not Phase.PLAYING:
                return
            if self._piece[2] >= first + _FALLS:
                break
            yield from self._frame()
        yield from self._until_locked()

    def _lose(self) -> Script:
        """Let all pieces fall at their spawn column until the game is over."""
        for _ in range(LONGEST * 4):
            if self._now is not None and self._now.phase in (Phase.OVER, Phase.MENU):
                return
            yield from self._frame(self._dropping())
        raise GaveUp
