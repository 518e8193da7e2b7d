"""Which environments there are, by their families' offers, and their games; knows no family and no space."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Final

import gymnasium
import pettingzoo

from emubot.errors import UsageError
from emubot.games.batch import Batch
from emubot.games.declared import environments
from emubot.games.offers import EnvironmentOffer
from emubot.games.options import Values, read
from emubot.gym.cartridge import CoreConsole
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
    offer = _offer(name, seats)
    return offer.open(_values(offer, options), number)


def open_on_cartridge(
    name: str,
    rom: str | PathLike[str],
    core: str | PathLike[str] | None,
    options: Mapping[str, Any],
    seats: int = ALONE,
) -> Batch:
    """Returns one game of an environment on a cartridge in a libretro core.

    Raises UsageError as `open_batch` does, and for an environment or options that no cartridge can have; RomError,
    MapError, CoreNotFound or CoreError for what it is to be played on.
    """
    offer = _offer(name, ALONE)
    if offer.on_console is None:
        able = ", ".join(other.name for other in environments().values() if other.on_console is not None)
        raise UsageError(f"{name} is on no cartridge: leave out rom and core, or take one of {able}.")
    values = _values(offer, options)
    console = CoreConsole(rom, core)
    try:
        return offer.on_console(values, console)
    except BaseException:
        console.close()
        raise


def _values(offer: EnvironmentOffer, options: Mapping[str, Any]) -> Values:
    return read(offer.values, options, f"the environment {offer.name}", called=str)


def _offer(name: str, seats: int) -> EnvironmentOffer:
    known = environments()
    if name in known and known[name].seats != seats:
        make = "gymnasium.make" if seats == MATCH else 'pettingzoo.make("parallel", ...)'
        raise UsageError(f"{name} is for {counted(known[name].seats, 'player')}: make it with {make}.")
    if name not in known:
        names = _names(seats)
        raise UsageError(f"There is no environment {name!r}{did_you_mean(name, names)}; known: {', '.join(names)}.")
    return known[name]
