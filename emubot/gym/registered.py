"""Which environments there are, by their families' offers, and their games; knows no family and no space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import gymnasium

from emubot.errors import UsageError
from emubot.games.batch import Batch
from emubot.games.declared import environments
from emubot.games.options import read
from emubot.text import did_you_mean

_ID: Final = "emubot/{}-v0"


def environment_names() -> list[str]:
    """Returns the ids of all environments, as `gymnasium.make` takes them."""
    return [_ID.format(name) for name in environments()]


def register() -> None:
    """Make all environments known to Gymnasium, once."""
    for name in environments():
        if (known := _ID.format(name)) not in gymnasium.registry:
            gymnasium.register(
                known,
                entry_point="emubot.gym.environment:Environment",
                vector_entry_point="emubot.gym.vector:VectorEnvironment",
                kwargs={"name": name},
            )


def open_batch(name: str, number: int, options: Mapping[str, Any]) -> Batch:
    """Returns games of an environment with these options. Raises UsageError for a name or an option there is not."""
    known = environments()
    if name not in known:
        raise UsageError(f"There is no environment {name!r}{did_you_mean(name, [*known])}; known: {', '.join(known)}.")
    offer = known[name]
    return offer.open(read(offer.values, options, f"the environment {name}", called=str), number)
