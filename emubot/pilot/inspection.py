"""Follows a pilot for some pieces, and says what a map let expect that did not come true, with the key to look at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.findings import Finding
from emubot.pad import Pad
from emubot.pilot.pilot import Pilot
from emubot.pilot.presses import Presses
from emubot.rammap.sight import refused, tested_values
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.text import counted

PIECES: Final = 10
_FIRST: Final = 3_600  # frames to the first piece, a minute of the game
_NEXT: Final = 3_600  # frames from one piece to the next: a slow fall from top to bottom takes a third of them
_AGAIN: Final = 3  # pieces in which something must happen again before it is said
_PLACE: Final = ("x", "y", "piece")
_MOST: Final = 8  # values in a sentence
Form = frozenset[tuple[int, int, int]]  # cells from the corner of a piece, with their kinds


class Inspection:
    """What the frames of one player showed. Make it before the first frame."""

    def __init__(self, pilot: Pilot) -> None:
        self._pilot, self._map = pilot, pilot.edition.ram_map
        self._reader = self._map.reader(pilot.port)
        self._presses = Presses(self._map.buttons, self._map.press)
        self._states: Counter[str] = Counter()
        self._playing = self._nowhere = self._frames = self._since = 0
        self._seen: defaultdict[str, set[int]] = defaultdict(set)  # the numbers of values in play
        self._ram = b""
        self._filled: set[int] = set()  # how many cells were filled, in play
        self._board: NDArray[Any] | None = None
        self._vanished = 0  # rows
        self._pieces = 0
        self._last: Snapshot | None = None  # the last frame of play
        self._came: tuple[Form, Form | None] | None = None  # the piece in the air, and what the map shows after it
        self._announced: Form | None = None  # what the map showed while the last piece was in the air
        self._others = 0  # pieces that were not those shown before
        self._misses: list[tuple[Placement, Piece | None]] = []
        pilot.on_frame.append(self._frame)
        pilot.on_plan.append(lambda _: self._entered())
        pilot.doubts.on_placed.append(self._placed)

    def run(self) -> None:
        """Play until enough pieces locked, or until no piece comes any more."""
        pilot = self._pilot
        while not pilot.finished and self._since < (_NEXT if self._pieces else _FIRST):
            pilot.step()
            self._since += 1
            if pilot.tally.pieces > self._pieces:
                self._pieces, self._since = pilot.tally.pieces, 0
        pilot.stop()

    def findings(self) -> list[Finding]:
        """Returns what did not come true, the gravest first; each names the key that is to be looked at."""
        if not self._playing:
            return list(self._never_began())
        learner = self._pilot.learner
        if learner is not None and learner.blind:
            what = " and ".join(self._map.learns)
            return [Finding(("pieces",), f"{what} is still to be learnt: emubot maps learn comes before this check.")]
        buttons = [Finding(("buttons", name), f"{text}.") for name, text in self._presses.findings()]
        causes = [*self._of_pieces(), *self._of_values(), *buttons]
        found = [*causes, *self._of_figures(), *self._of_phases()]
        if self._misses and not causes:
            found.insert(0, self._of_misses())
        return list({one.key: one for one in reversed(found)}.values())[::-1]

    def _frame(self, ram: bytes, snapshot: Snapshot) -> None:
        self._ram = ram
        self._frames += 1
        self._states[snapshot.state] += 1
        playing = snapshot.phase is Phase.PLAYING
        self._presses.frame(snapshot.current if playing else None, self._pilot.used_pad or Pad.NONE)
        if not playing:
            return
        self._playing += 1
        self._nowhere += snapshot.current is None
        for name in (*_PLACE, "score", "lines", self._map.game_counter):
            if name is not None and name in self._reader.names:
                self._seen[name].add(self._reader.value(ram, name))
        self._watch_board(snapshot)
        self._last = snapshot

    def _entered(self) -> None:
        """Note a piece that has just come, and what is shown after it; what is parked comes and goes."""
        look, snapshot = self._pilot.edition.depiction, self._last
        if look is None or snapshot is None or snapshot.current is None:
            return
        shown = look.next_cells(snapshot)
        self._came = _form(look.cells(snapshot, snapshot.current)), _form(shown) if shown else None

    def _watch_board(self, snapshot: Snapshot) -> None:
        board = snapshot.playfield
        if board is self._board:
            return
        filled = int(np.count_nonzero(board))
        if self._board is not None and board.shape == self._board.shape:
            self._vanished += int(np.count_nonzero(self._board)) > filled
        self._board = board
        self._filled.add(filled)

    def _placed(self, chosen: Placement, locked: Piece | None) -> None:
        if locked is None or (chosen.orientation, chosen.column, chosen.row) != (
            locked.orientation,
            locked.column,
            locked.row,
        ):
            self._misses.append((chosen, locked))
        if self._came is not None:
            came, shown = self._came
            self._others += self._announced is not None and self._announced != came
            self._announced, self._came = shown, None

    def _never_began(self) -> Iterator[Finding]:
        """Yields why no frame was one of play."""
        document = self._map.document
        names = tested_values(document, self._reader)[:_MOST]
        values = ", ".join(f"{name} {self._reader.value(self._ram, name)}" for name in names)
        waits = "; ".join(str(one) for one in refused(document, self._reader, self._ram, Phase.PLAYING))
        states = ", ".join(name for name, _ in self._states.most_common(3))
        number = next((place for place, rule in enumerate(document.phases) if rule.phase == Phase.PLAYING.value), 0)
        yield Finding(
            ("phases", number),
            f"no piece came in {self._frames:,} frames: the map read {states}, in the end {values}; {waits}.",
        )
        step = self._pilot.outside.menu.step
        if step is not None and document.menu is not None:
            yield Finding(("menu", "steps", step.number), f"{step.label} led to no game.")

    def _of_pieces(self) -> Iterator[Finding]:
        if len(self._filled) <= 1:
            cells = next(iter(self._filled), 0)
            yield Finding(
                ("grid", "at"),
                f"the board never changed in {self._playing:,} frames of play: {counted(cells, 'cell')} were filled.",
            )
        elif self._pieces < PIECES:
            said = next(iter(self._pilot.doubts.said), f"{counted(self._pieces, 'piece')} of {PIECES} locked")
            yield Finding(("phases",), f"{said.rstrip('.')}.")

    def _of_misses(self) -> Finding:
        """Returns the finding for pieces that locked elsewhere, with the key that the way they missed points to."""
        what = f"{counted(len(self._misses), 'piece')} of {self._pieces} locked elsewhere than meant"
        places = [(chosen, locked) for chosen, locked in self._misses if locked is not None]
        if not places:
            return Finding(("pieces",), f"{what}: the board showed no cells of these pieces where they came to rest.")
        same = [(chosen, locked) for chosen, locked in places if chosen.orientation == locked.orientation]
        if not same:
            return Finding(("pieces",), f"{what}, turned otherwise: see the turns and cells of the pieces.")
        aside, times = Counter(locked.column - chosen.column for chosen, locked in same).most_common(1)[0]
        if aside and 2 * times > len(places):
            return Finding(self._key("x"), f"{what}, most of them {counted(abs(aside), 'column')} aside.")
        down = {locked.row - chosen.row for chosen, locked in same}
        if not aside and times == len(places) and len(down) == 1:
            return Finding(self._key("y"), f"{what}, each {counted(abs(down.pop()), 'row')} higher or lower.")
        return Finding(("pieces",), f"{what}: see the place, the cells and the buttons.")

    def _key(self, name: str) -> tuple[str | int, ...]:
        return ("values", name) if name in self._map.document.values else ("place",)

    def _of_values(self) -> Iterator[Finding]:
        for name in (*_PLACE, self._map.game_counter):
            numbers = self._seen.get(name or "", {0, 1})
            if len(numbers) == 1 and (name != "piece" or self._pieces >= _AGAIN):
                where = "in" if name != "piece" else f"with {counted(self._pieces, 'piece')} in"
                yield Finding(
                    ("values", str(name)), f"{name} was {next(iter(numbers))} {where} all {self._playing:,} frames."
                )
        if self._nowhere > self._playing // 2:
            last = ", ".join(f"{name} {self._reader.value(self._ram, name)}" for name in _PLACE if name in self._seen)
            frames = f"{self._nowhere:,} of {self._playing:,} frames of play"
            yield Finding(self._key("piece"), f"in {frames} no piece can be where the map says ({last}).")

    def _of_figures(self) -> Iterator[Finding]:
        tally = self._pilot.tally
        if tally.replans > self._pieces // 2 and self._map.timing:
            times = counted(tally.replans, "time")
            yield Finding(("timing",), f"the pieces left their plans {times}: they moved otherwise than stated.")
        if self._others >= _AGAIN:
            names = [name for name in self._map.value_names if name.startswith("next")]
            text = f"{counted(self._others, 'piece')} of {self._pieces} were others than shown before."
            yield Finding(("values", *names[:1]), text)
        if not self._vanished:
            return
        for name in ("lines", "score"):
            if getattr(tally, name) is not None and len(self._seen.get(name, {0, 1})) == 1:
                times = counted(self._vanished, "time")
                yield Finding(("values", name), f"{name} stayed while cells vanished from the board {times}.")

    def _of_phases(self) -> Iterator[Finding]:
        """Yields the rules of locks that never held though pieces locked."""
        states = {rule.state for rule in self._map.document.phases if rule.phase == Phase.LOCKED.value}
        if self._pieces < _AGAIN or not states or any(self._states[state] for state in states):
            return
        for number, rule in enumerate(self._map.document.phases):
            if rule.phase == Phase.LOCKED.value:
                yield Finding(("phases", number), f"{rule.state} never held, though {self._pieces} pieces locked.")


def _form(cells: Sequence[Cell]) -> Form:
    left, top = min(cell.column for cell in cells), min(cell.row for cell in cells)
    return frozenset((cell.column - left, cell.row - top, cell.kind) for cell in cells)
