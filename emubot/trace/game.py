"""One recorded game in memory, and the rules that every file of one must keep; opens no file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from emubot.errors import TraceError
from emubot.text import printable

ORDERS: Final = ("game-nmi", "nmi-game")
LARGEST: Final = 2**29  # bytes of all arrays together: more than four hours at the console's speed
_DEEPEST: Final = 4  # levels of the note about the origin: an object in an object, and some room


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One recorded game.

    `fields` names the n state bytes, and `address` (n,) holds their CPU addresses. `initial` (n,) and `initial_page`
    (p,) are the state before the first row. `pads` (frames, 2) holds the newly pressed and the held buttons that the
    game used. `state` (frames, n) and `page` (frames, p) are the state after each row. `plans` (pieces, 4) int32 holds
    what a bot had chosen on each piece's first controllable frame: row index, orientation, column, row of the lock.
    `inputs` (frames since power-on, 2) uint8 holds the Pad bits of both ports, and is empty if the machine's start was
    not recorded. `about` says where the game was recorded.
    """

    fields: tuple[str, ...]
    address: NDArray[Any]
    initial: NDArray[Any]
    initial_page: NDArray[Any]
    pads: NDArray[Any]
    state: NDArray[Any]
    page: NDArray[Any]
    order: str = "game-nmi"
    plans: NDArray[Any] = field(default_factory=lambda: np.zeros((0, 4), dtype=np.int32))
    inputs: NDArray[Any] = field(default_factory=lambda: np.zeros((0, 2), dtype=np.uint8))
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def frames(self) -> int:
        """The number of recorded rows."""
        return len(self.pads)

    def column(self, name: str) -> NDArray[Any]:
        """Returns one field over all rows, (frames,) uint8. Raises TraceError if it was not recorded."""
        if name not in self.fields:
            raise TraceError(f"The trace has no field {name!r}; it has {printable(', '.join(self.fields))}.")
        return np.asarray(self.state[:, self.fields.index(name)])


def no_game(path: Path, why: str = "it is damaged or no .npz file") -> TraceError:
    """Returns the error for a file that is not a recorded game."""
    return TraceError(f"{path} is not a recorded game: {why}; record it again.")


def check_order(path: Path, order: str) -> None:
    """Raise TraceError if the row order is unknown."""
    if order not in ORDERS:
        raise TraceError(f"{path}: its row order is {printable(order)!r}, not one of {', '.join(ORDERS)}.")


def check_inputs(path: Path, inputs: int, frames: int) -> None:
    """Raise TraceError if there are pads, but for fewer frames than the game has rows."""
    if 0 < inputs < frames:
        raise TraceError(f"{path}: inputs is of {inputs} frames, and the game has {frames} rows; record it again.")


def about_of(path: Path, text: str) -> dict[str, Any]:
    """Returns the note about a game's origin from its JSON. Raises TraceError if it is not one or nested too deeply."""
    try:
        about = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or not _is_shallow(about, _DEEPEST):
        raise TraceError(f"{path}: the note about its origin is not a JSON object; record it again.")
    return about


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _is_shallow(value: object, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inside = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_shallow(item, levels - 1) for item in inside)
