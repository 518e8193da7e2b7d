"""Many games of one kind in arrays, a row for each game, that one compiled call steps; knows no game and no library."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from emubot.games.lots import LOTS, fresh_lots
from emubot.looks import Looks
from emubot.pad import Pad, describe

if TYPE_CHECKING:
    from emubot.rammap import RamMap

WAITS: Final = 600  # frames before the first button on a cartridge, drawn by the seed: its generator runs on meanwhile
# The pads of games by frames. Nothing else moves a piece: UP, SELECT and both ways at once do nothing, START pauses.
_TURNS: Final = (Pad.NONE, Pad.A, Pad.B)
STEP_PADS: Final = tuple(way | turn for way in (Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.DOWN) for turn in _TURNS)
PAD_WORDS: Final = tuple(describe(pad) if pad else "nothing" for pad in STEP_PADS)
SIDE: Final = 5  # columns of a canvas beside the board: the wall, and room for a piece


class Counter(NamedTuple):
    """A number that an observation has: its name, and the least and the most that it can be."""

    name: str
    low: int
    high: int


class Shown(NamedTuple):
    """What games show after a step, for kernels; see Batch. `cells` are boards with the hidden rows above."""

    cells: NDArray[np.uint8]
    counters: NDArray[np.int64]
    mask: NDArray[np.int8]
    rewards: NDArray[np.float64]
    ended: NDArray[np.bool_]
    cut: NDArray[np.bool_]


class Console(Protocol):
    """A cartridge in an emulator, for a batch that shows its games; see EnvironmentOffer.on_console."""

    ram_map: RamMap

    def begin(self, choices: Mapping[str, int], wait: int) -> bytes:
        """Go from power-on through the menus, with a wait before the first button; returns a game's first memory."""

    def step(self, pad: Pad) -> bytes:
        """Play a frame; returns memory after it."""

    def close(self) -> None:
        """End the emulator."""


class Batch(ABC):
    """Games beside each other. The arrays are always the same ones, and each call writes them anew.

    boards    uint8 (games, rows, columns): 0 for empty, else the kind of a cell, as in `looks`
    counters  int64 (games, len(numbers))
    mask      int8 (games, len(actions)): 1 for actions that do what they say; no columns if all do
    rewards   float64 (games,): for the last step
    ended     bool (games,): the last step lost the game, or won it
    cut       bool (games,): the last step was the last one that the game may have

    A game that has ended or was cut begins anew at the next step, whatever its action then is. `rate` are the steps of
    a second of play, for those who watch.
    """

    rate: float
    looks: Looks
    numbers: Sequence[Counter]
    actions: Sequence[str]  # what each action is, in words

    def __init__(self, games: int, rows: int, columns: int, hidden: int = 0, masked: bool = False) -> None:
        self._cells = np.zeros((games, hidden + rows, columns), dtype=np.uint8)
        self._hidden = hidden
        self.counters = np.zeros((games, len(self.numbers)), dtype=np.int64)
        self.mask = np.zeros((games, len(self.actions) if masked else 0), dtype=np.int8)
        self.rewards = np.zeros(games, dtype=np.float64)
        self.ended, self.cut = np.zeros(games, dtype=np.bool_), np.zeros(games, dtype=np.bool_)
        self._shown = Shown(self._cells, self.counters, self.mask, self.rewards, self.ended, self.cut)
        self._lots = np.zeros((games, LOTS), dtype=np.int64)  # what each game draws from

    @property
    def kinds(self) -> int:
        """The highest kind of a cell."""
        return len(self.looks.kinds) - 1

    @property
    def boards(self) -> NDArray[np.uint8]:
        """The boards, a view of the cells that are not hidden."""
        return self._cells[:, self._hidden :]

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self._cells)

    def begin(self, which: NDArray[np.bool_], seeds: Sequence[int | None]) -> None:
        """Begin new games where `which` (games,) is true; a game with a seed draws from there on by it."""
        for game in np.flatnonzero(which).tolist():
            if (seed := seeds[game]) is not None:
                self._lots[game] = fresh_lots(seed)
            self._begin(game)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Do one action (games,) in each game. Raises IndexError, and does nothing, if one is not among `actions`."""
        if not self._step(actions):
            raise IndexError(f"Actions are 0 to {len(self.actions) - 1}, not {actions.min()} to {actions.max()}.")

    def close(self) -> None:  # noqa: B027 # most are played on nothing
        """Let go of what the games are played on."""

    def canvas(self) -> NDArray[np.uint8]:
        """Returns what a person sees, kinds of cells (games, rows, columns + SIDE): board, wall, and pieces to come.

        The wall is of a kind beyond the others.
        """
        games, rows, columns = self.boards.shape
        canvas = np.zeros((games, rows, columns + SIDE), dtype=np.uint8)
        canvas[:, :, :columns] = self.boards
        canvas[:, :, columns] = self.kinds + 1
        for cells in self._air(), self._coming(columns + 1):
            inside = (cells[..., 0] >= 0) & (cells[..., 0] < rows)
            game = np.nonzero(inside)[0]
            row, column, kind = cells[inside].T
            canvas[game, row, column] = kind
        return canvas

    def _air(self) -> NDArray[np.int64]:
        """Returns the cells of the pieces in the air, (games, cells, 3): row, column, kind; rows off the board hide."""
        return np.zeros((self.games, 0, 3), dtype=np.int64)

    def _coming(self, column: int) -> NDArray[np.int64]:
        """Returns the cells of the pieces to come, in the same form, beside the wall, from a column on."""
        return np.zeros((self.games, 0, 3), dtype=np.int64)

    @abstractmethod
    def _begin(self, game: int) -> None:
        """Begin a new game in the row of an old one."""

    @abstractmethod
    def _step(self, actions: NDArray[np.int64]) -> bool:
        """Returns whether all actions are some; if one is not, no game has changed."""
