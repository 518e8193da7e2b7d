"""Which environments there are, by their families' offers, and their games; knows no family and no space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import gymnasium
import pettingzoo

from emubot.errors import UsageError
from emubot.games.batch import Batch
from emubot.games.declared import environments
from emubot.games.options import read
from emubot.text import counted, did_you_mean

_ID: Final = "emubot/{}-v0"
ALONE, MATCH = 1, 2  # seats


def environment_names() -> list[str]:
    """Returns the ids of all environments of one player, as `gymnasium.make` takes them."""
    return [_ID.format(name) for name in _names(ALONE)]


def match_names() -> list[str]:
    """Returns the ids of all environments of two players, as `pettingzoo.make("parallel", ...)` takes them."""
    return [_ID.format(name) for name in _names(MATCH)]


def _names(seats: int) -> list[str]:
    return [name for name, offer in environments().items() if offer.seats == seats]


def register() -> None:
    """Make all environments known to Gymnasium, and to PettingZoo, once."""
    for name in _names(ALONE):
        if (known := _ID.format(name)) not in gymnasium.registry:
            gymnasium.register(
                known,
                entry_point="emubot.gym.environment:Environment",
                vector_entry_point="emubot.gym.vector:VectorEnvironment",
                kwargs={"name": name},
            )
    for name in _names(MATCH):
        if (known := _ID.format(name)) not in pettingzoo.parallel_registry:
            pettingzoo.register(
                "parallel", known, entry_point="emubot.gym.parallel:ParallelEnvironment", kwargs={"name": name}
            )


def open_batch(name: str, number: int, options: Mapping[str, Any], seats: int = ALONE) -> Batch:
    """Returns games of an environment with these options. Raises UsageError for a name or an option there is not."""
    known = environments()
    if name in known and known[name].seats != seats:
        make = "gymnasium.make" if seats == MATCH else 'pettingzoo.make("parallel", ...)'
        raise UsageError(f"{name} is for {counted(known[name].seats, 'player')}: make it with {make}.")
    if name not in known:
        names = _names(seats)
        raise UsageError(f"There is no environment {name!r}{did_you_mean(name, names)}; known: {', '.join(names)}.")
    offer = known[name]
    return offer.open(read(offer.values, options, f"the environment {name}", called=str), number)
