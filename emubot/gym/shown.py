"""What an agent or a person sees of a batch of games: spaces, observations, pictures and text; knows no family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.batch import Batch
from emubot.text import did_you_mean

BOARD, PICTURE = OBSERVATIONS = ("board", "picture")
RENDER_MODES: Final = ("human", "rgb_array", "ansi")
_CELL: Final = 8  # pixels, the last of which is an edge
_SHADE: Final = 2  # times as dark
_GROUND, _WALL = "#14181f", "#566078"
_EMPTY_MARK, _WALL_MARK, _UNMARKED = ".", "|", "#"

Observation = dict[str, NDArray[Any]] | NDArray[np.uint8]


def checked_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Returns a render mode. Raises UsageError for one that there is not."""
    if mode not in (None, *modes):
        near = did_you_mean(str(mode), modes)
        raise UsageError(f"render_mode is {', '.join(modes)} or None, not {mode!r}{near}.")
    return mode


class Sight:
    """What is seen of a batch: as boards and counters, or as a picture. Raises UsageError for anything else."""

    def __init__(self, batch: Batch, observation: str) -> None:
        if observation not in OBSERVATIONS:
            near = did_you_mean(observation, OBSERVATIONS)
            raise UsageError(f"An observation is {' or '.join(OBSERVATIONS)}, not {observation!r}{near}.")
        self._batch, self._as_picture = batch, observation == PICTURE
        kinds = batch.looks.kinds
        colours = [_GROUND, *(kind.colour or _GROUND for kind in kinds[1:]), _WALL]
        self._palette = np.array([list(bytes.fromhex(colour[1:])) for colour in colours], dtype=np.uint8)
        self._marks = [_EMPTY_MARK, *(kind.mark.strip() or _UNMARKED for kind in kinds[1:]), _WALL_MARK]

    def space(self) -> spaces.Space[Any]:
        """Returns the space of one game's observations."""
        if self._as_picture:
            return spaces.Box(0, 255, self.pictures()[0].shape, np.uint8)
        numbers = self._batch.numbers
        low, high = (np.array([number[bound] for number in numbers], dtype=np.int64) for bound in (1, 2))
        boards = self._batch.boards
        return spaces.Dict(
            board=spaces.Box(0, self._batch.kinds, boards.shape[1:], np.uint8),
            counters=spaces.Box(low, high, dtype=np.int64),
        )

    def observations(self) -> Observation:
        """Returns what all games show, without a copy: a dict of arrays with a row a game, or pictures."""
        if self._as_picture:
            return self.pictures()
        return {"board": self._batch.boards, "counters": self._batch.counters}

    def pictures(self) -> NDArray[np.uint8]:
        """Returns the pictures of all games, (games, height, width, 3)."""
        cells = self._palette[self._batch.canvas()]
        pictures: NDArray[np.uint8] = cells.repeat(_CELL, axis=1).repeat(_CELL, axis=2)
        pictures[:, _CELL - 1 :: _CELL] //= _SHADE
        pictures[:, :, _CELL - 1 :: _CELL] //= _SHADE
        return pictures

    def text(self, game: int) -> str:
        """Returns a game's board, and its counters, as lines of ASCII."""
        lines = ["".join(self._marks[kind] for kind in row) for row in self._batch.canvas()[game].tolist()]
        counters = self._batch.counters[game].tolist()
        told = [f"{number.name} {value}" for number, value in zip(self._batch.numbers, counters, strict=True)]
        return "\n".join([*lines, "  ".join(told)]) + "\n"
