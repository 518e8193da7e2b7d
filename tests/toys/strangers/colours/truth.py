"""What the generator knows of a stranger of colours, as plain data: that of a complete map first, then all the rest.

`map` is a map as `emubot` reads it (tests hold that it plays). Addresses are numbers here, not hex.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from tests.toys.strangers.colours.map_data import map_of
from tests.toys.strangers.colours.properties import properties
from tests.toys.strangers.colours.stranger import Stranger

_STATES: Final = ("play", "settle", "pop", "nuisance", "spawn", "plant")
_MODES: Final = ("play", "over", "won", "paused", "demo")


def truth(stranger: Stranger) -> dict[str, Any]:
    """Returns the truth as JSON has it. Rows count from the highest visible one."""
    at, pads, menus = stranger.addresses, stranger.pads, stranger.menus
    names = [*(f"screen {number + 1}" for number in range(len(menus.screens))), *_MODES]
    return {
        "name": stranger.name,
        "seed": stranger.seed,
        "map": map_of(stranger),
        "kind": stranger.play.kind,
        "stages": list(stranger.play.targets),
        "falls_at_once": stranger.play.falls_at_once,
        "between": stranger.between,
        "quick": stranger.play.quick,
        "waits": {name: getattr(stranger.waits, name) for name in ("settle", "fall", "pop", "spawn", "won")},
        "mode": {"at": at["MODE"], "codes": dict(zip(names, menus.modes, strict=True))},
        "states": dict(zip(_STATES, stranger.states, strict=False)),
        "pads": {
            "poll": pads.poll,
            "clockwise": pads.clockwise,
            "counterclockwise": pads.counterclockwise,
            "down": pads.down,
            "soft_drop": pads.soft_drop,
            "hard_drop": pads.hard_drop,
            "repeats": [pads.repeat_first, pads.repeat_next],
            "lock_delay": pads.lock_delay,
            "speed": list(pads.speed),
        },
        "menus": {
            "screens": [asdict(screen) for screen in menus.screens],
            "cursor": at["MENU_CURSOR"],
            "over": [menus.over_button, menus.over_wait, menus.over_to],
            "pause": menus.pause,
            "demo_after": 256 * menus.demo_after,
            "versus": menus.versus_key,
        },
        "second_player": stranger.shift if stranger.play.players > 1 else None,
        "misleading": {name: at[name] for name in ("LATE", "PAD_COPY", "CURSOR", "PAD_HELD", "PAD_NEW") if at[name]}
        | {"OAM": stranger.oam, "SCRATCH": at["SCRATCH"]},
        "properties": properties(stranger),
    }
