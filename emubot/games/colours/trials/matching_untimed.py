"""One game by the rules alone, a piece at a time: a stage, or pieces without end; knows no frames and no RAM.

Placements are those that the pads can reach in time (reach.py), from a piece that has just entered. So a game is played
as in frames, but for the frames between the pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from emubot.games.colours.board.control import fits
from emubot.games.colours.board.groups import Cells
from emubot.games.colours.board.matching_cells import Outcome, empty_field, put_piece, resolve_field, targets_in
from emubot.games.colours.matching_rules import PACES, Rules
from emubot.games.colours.reach.matching_entry import drops_of
from emubot.games.colours.reach.reach import piece_start, reach
from emubot.games.colours.search.matching_search import LATER, Position, Search
from emubot.games.colours.simulator.generator import Generator
from emubot.games.colours.simulator.matching_field import plant
from emubot.games.colours.timing import MATCHING
from emubot.games.motion import Fall
from emubot.rammap.schema import Buttons
from emubot.tempo import InputState, Tempo

_SEEDS: Final = 65_535  # of the targets' generator
_BUTTONS: Final = Buttons(
    rotate_clockwise="A", rotate_counterclockwise="B", left="LEFT", right="RIGHT", soft_drop="DOWN", start="START"
)


@dataclass(frozen=True, slots=True)
class MatchingCourse:
    """What a game is played by. `gravity` is frames per row; 0: that of the fastest pace, which quickens."""

    rules: Rules
    tempo: Tempo
    stage: int = 0
    gravity: int = 0
    previews: int = 1

    def frames_per_row(self, pieces: int) -> int:
        """Returns the gravity of a piece after so many others of the stage."""
        return self.gravity or MATCHING.frames_per_row(MATCHING.index(self.rules, len(PACES) - 1, pieces))


@dataclass(slots=True)
class Game:
    """A game in progress. Its pieces and targets depend on `seed` only; a longer game begins like a shorter one."""

    course: MatchingCourse
    search: Search
    seed: int
    cells: Cells = field(init=False)
    links: Cells = field(init=False)
    pieces: int = 0
    nodes: int = 0
    targets: int = 0  # at the start
    _rng: np.random.Generator = field(init=False)
    _next: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        rules = self.course.rules
        self._rng = np.random.default_rng(self.seed)
        self.cells, self.links = empty_field(rules)
        self.targets = rules.stage_targets(self.course.stage)
        generator = Generator(int(self._rng.integers(1, _SEEDS + 1)))
        for number in range(self.targets):
            plant(self.cells, rules, self.course.stage, number, generator)
        self._next = self._deal()

    def _deal(self) -> tuple[int, ...]:
        rules = self.course.rules
        return tuple(self._rng.integers(1, rules.colors + 1, size=rules.piece_cells).tolist())

    @property
    def lost(self) -> bool:
        """Whether the entry of the next piece is blocked."""
        spawn = self.course.rules.spawn
        shape = self.course.rules.shapes[spawn.orientation]
        return not fits(self.cells, self.course.rules.hidden_rows, shape, spawn.column, spawn.row)

    @property
    def targets_left(self) -> int:
        """The number of targets on the field."""
        return targets_in(self.cells)

    def play_piece(self) -> Outcome:
        """Place the next piece, which must not be blocked; returns what vanished."""
        course, rules = self.course, self.course.rules
        piece, self._next = self._next, self._deal()
        frames = course.frames_per_row(self.pieces)
        fall, waits = (
            Fall(frames, min(frames, MATCHING.soft_drop)),
            InputState(rest=course.tempo.reaction, turn_rest=course.tempo.reaction),
        )
        found = reach(piece_start(self.cells, piece, rules.spawn, rules), frames, fall, course.tempo, waits, _BUTTONS)
        drops = drops_of(course.tempo, course.frames_per_row(self.pieces + 1))
        later = drops_of(course.tempo, course.frames_per_row(self.pieces + LATER))
        following = self._next if course.previews else ()
        position = Position(self.cells, self.links, piece, following, drops, later)
        choice = self.search.decide(position, found.candidates)
        orientation, column, row, *_ = found.locks[choice.index]
        put_piece(self.cells, self.links, rules, (orientation, column, row), piece)
        self.pieces += 1
        self.nodes += choice.nodes
        return resolve_field(self.cells, self.links, rules)
