"""Bots of a match that decide in other processes until the kernels of their games are compiled; knows no page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from emubot.games.edition import Edition
from emubot.pilot.apart.mind import ApartMind
from emubot.session.compiling import is_compiled


class Apart:
    """Makes the minds of one match's bots. Call `close` at the end."""

    def __init__(self, paced: bool, taken_over: Callable[[str], object]) -> None:
        """A `paced` match plays on while a bot thinks, any other one waits.

        `taken_over` gets the name of a bot's map as soon as compiled kernels decide for it.
        """
        self._paced, self._taken_over = paced, taken_over
        self._minds: list[ApartMind] = []

    def mind(self, edition: Edition, weights: str | None) -> ApartMind:
        """Returns what decides for one more bot; `weights` is a name or a file, None the game's own."""
        ram_map = edition.ram_map
        compiled, told = partial(is_compiled, ram_map), partial(self._taken_over, ram_map.name)
        self._minds.append(ApartMind(weights, edition.at_once, self._paced, compiled, told))
        return self._minds[-1]

    def close(self) -> None:
        """End what decides."""
        for mind in self._minds:
            mind.close()
