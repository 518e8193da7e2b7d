"""The content of an explained position: placements, values and their parts, risks; knows no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from emubot.errors import UsageError
from emubot.human_error import HumanError
from emubot.snapshot import Placement, Snapshot


@dataclass(frozen=True, slots=True)
class Part:
    """A summand of a value. `amount` is the feature's own value before its weight; None if the part is no feature."""

    name: str
    value: float
    amount: float | None = None


@dataclass(frozen=True, slots=True)
class DepthValue:
    """The value of a placement if this number of pieces is looked at, the one in the air included."""

    pieces: int
    value: float


@dataclass(frozen=True, slots=True)
class Risk:
    """The rollouts of a placement: of `games` games, `deaths` ended within the next `pieces` pieces."""

    pieces: int
    games: int
    deaths: int


def no_misdrops() -> UsageError:
    """Returns the error for misdrops that are asked for where they cannot be counted."""
    return UsageError("A person's misdrops are counted in falling blocks only: leave out --human-error.")


@dataclass(frozen=True, slots=True)
class Misdrops:
    """How often a person with this error misses a placement: of `tries` pieces, `misses` locked elsewhere."""

    tries: int
    misses: int


@dataclass(frozen=True, slots=True)
class BuiltChain:
    """The best chain that a field is ready for: puyos of `color`, dropped on one column, set it off.

    `trigger` are their cells, `cells` those of the field that pop, each as (column, row), row 0 being the top visible
    one; `popped_in` is the step of each of `cells`, from 1. `points` are those of all `steps`.
    """

    steps: int
    points: int
    color: str
    trigger: tuple[tuple[int, int], ...]
    cells: tuple[tuple[int, int], ...]
    popped_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FieldAfter:
    """The field that a placement leaves, as lines of text like the board, the top line first.

    `parts` are what its own value is made of, in `unit`. `chain` is None if no chain is ready. `cleared` counts what
    vanishes at once, `words` are what is said below the drawing, a line each. `joints` are as in Notation.
    """

    lines: tuple[str, ...]
    parts: tuple[Part, ...]
    unit: str
    chain: BuiltChain | None
    cleared: Mapping[str, int]
    words: tuple[str, ...]
    joints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedPlacement:
    """One placement of the piece in the air.

    `placement` has its timeline or its moves, `name` says in words where it is. `chosen` is true for the placement that
    the bot plays. `next_name` says where the value puts the next piece; None if it puts it nowhere. `parts` add up to
    `value`. `depths` are ordered, and the last one is `value`. `risk` is None without rollouts. `after` is None in a
    family that shows no fields, and `misdrops` is None if nobody asked for a person's.
    """

    placement: Placement
    name: str
    value: float
    chosen: bool
    next_name: str | None
    depths: tuple[DepthValue, ...]
    parts: tuple[Part, ...]
    risk: Risk | None
    after: FieldAfter | None = None
    misdrops: Misdrops | None = None


@dataclass(frozen=True, slots=True)
class Notation:
    """How a board is written: a character for each kind of cell, and for each kind of the piece in the air.

    The last character is that of all higher kinds. `hidden_rows` are written above the visible ones. `joints` are a
    second character of each cell, lines of the board, hidden rows included, and `air_mark` is that of the piece in the
    air; without `joints` a cell has one character.
    """

    cells: str = ".#"
    in_air: str = ".o"
    hidden_rows: int = 0
    joints: tuple[str, ...] = ()
    air_mark: str = ""

    def cell(self, kind: int) -> str:
        """Returns the character of a cell of the board."""
        return self.cells[min(kind, len(self.cells) - 1)]

    def falling(self, kind: int) -> str:
        """Returns the character of a cell of the piece in the air."""
        return self.in_air[min(kind, len(self.in_air) - 1)]


def joined(lines: Sequence[str], joints: Sequence[str]) -> list[str]:
    """Returns lines of cells with the second character of each cell, if there are any (Notation)."""
    if not joints:
        return list(lines)
    pairs = [zip(line, marks, strict=True) for line, marks in zip(lines, joints, strict=True)]
    return ["".join(cell + mark for cell, mark in line) for line in pairs]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A position, and its best placements, best first; none if the piece in the air can lock nowhere.

    `next_piece` is None if it is not known. `settings` are rules and search. `unit` is the unit of the values, empty if
    they have none. `meaning` is a sentence that says what a value is, `rollouts` one that says how the games of the
    rollouts are played, and `fields` one that says what the drawings of the fields after the placements show. `nodes`
    are the boards that the bot's own decision valued.
    """

    snapshot: Snapshot
    piece: str
    next_piece: str | None
    settings: Mapping[str, Any]
    unit: str
    meaning: str
    rollouts: str
    nodes: int
    placements: tuple[ExplainedPlacement, ...]
    notation: Notation = Notation()
    fields: str = ""


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """How to explain: `nodes` of the bot's decision (None: the game's own number), and how many placements.

    Each placement gets `games` rollouts, which depend on `seed`. `aim` and `aggression` are the bot's (None: its own).
    `progress` gets the number of rollouts played and of all, after each of them. `human` is a person whose misdrops are
    counted.
    """

    nodes: int | None = None
    top: int = 5
    games: int = 100
    seed: int = 0
    aim: str | None = None
    aggression: float | None = None
    progress: Callable[[int, int], object] | None = field(default=None, compare=False)
    human: HumanError | None = None

    def refuse_human(self) -> None:
        """Raise UsageError if a person's misdrops are asked for: in a game where they cannot be counted."""
        if self.human is not None:
            raise no_misdrops()


class RolloutCount:
    """Counts the rollouts of all placements as they are played, for the options' `progress`."""

    def __init__(self, options: ExplainOptions, placements: int) -> None:
        self._hear, self._all, self._played = options.progress, options.games * placements, 0

    def played(self) -> None:
        """One more is played."""
        self._played += 1
        if self._hear is not None:
            self._hear(self._played, self._all)


@dataclass(frozen=True, slots=True)
class DrawnPosition:
    """A position as a person draws it: the lines of the board, top line first, and what no board shows.

    `piece` and `next_piece` are the family's names of pieces. `rules` names a release. None means the usual value.
    """

    board: tuple[str, ...]
    piece: str | None
    next_piece: str | None
    level: int | None = None
    lines: int | None = None
    rules: str | None = None
    colors: int | None = None
    pace: str | None = None
