"""Plays a stranger so that a map of it can be judged: by the map from power-on, and by pads that know nothing of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from emubot import games
from emubot.bridges.image import image_reader
from emubot.bridges.libretro import LibretroBridge, connect
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import RamMap
from tests.toys.strangers.reading import Memory

_REACHES: Final = 4000  # frames in which a map must have led to a game
_PIECES: Final = 40  # played by the map
_MOST: Final = 9000  # frames of these
_RANDOM: Final = 900  # frames with random pads
_ENDS: Final = 6000  # frames in which pieces that are only dropped must have ended the game
_AFTER_DEMO: Final = 300  # frames of a demonstration
_MASHED: Final = (*[Pad.NONE] * 3, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.UP, Pad.DOWN)


@dataclass(slots=True)
class Run:
    """What was seen: memory after each frame. `faults` are sentences about what the map did not lead to."""

    frames: list[Memory] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def run(ram_map: RamMap, told: Mapping[str, Any], image: Path, core: str) -> Run:
    """Returns the frames of a demonstration, of play by the map, of random pads, and from a game's end to the next."""
    seen = Run()
    with connect(rom=image, core=core, emu_speed=None) as bridge:
        player = _Player(bridge, told, seen)
        if told["demo"] is not None:
            player.press([Pad.NONE] * (told["demo"]["after"] + _AFTER_DEMO))
    with connect(rom=image, core=core, emu_speed=None) as bridge:
        player = _Player(bridge, told, seen)
        if not player.by_map(ram_map, 1, _REACHES):
            seen.faults.append("menu: it does not lead from power-on to a game in which a piece locks")
            return seen
        player.by_map(ram_map, _PIECES, _MOST)
        player.press(_mashed())
        if player.lose() and not player.by_map(ram_map, 1, _REACHES):
            seen.faults.append("menu: it does not lead from the end of a game to the next one")
    return seen


class _Player:
    """One console, all of whose frames are kept."""

    def __init__(self, bridge: LibretroBridge, told: Mapping[str, Any], seen: Run) -> None:
        self._bridge, self._told, self._seen = bridge, told, seen
        self._read = image_reader(bridge, [*bridge.facts.spaces])

    def by_map(self, ram_map: RamMap, pieces: int, frames: int) -> bool:
        """Plays by a map; returns whether so many pieces locked."""
        pilot = Pilot(self._bridge, Goal(pieces=None, games=None), games.open_edition(ram_map))
        while pilot.tally.pieces < pieces and pilot.frames < frames:
            pilot.step()
            self._keep()
        pilot.release()
        return pilot.tally.pieces >= pieces

    def press(self, pads: Iterator[Pad] | list[Pad]) -> None:
        """Presses these pads."""
        for pad in pads:
            self._bridge.press(0, pad)
            self._bridge.advance()
            self._keep()

    def lose(self) -> bool:
        """Drops pieces where they enter until the game is over; returns whether it is."""
        over, poll = self._told["state"]["values"]["over"], self._told["pads"]["poll"]
        for _ in range(_ENDS // (4 * poll)):
            self.press([Pad.DOWN] * 2 * poll + [Pad.NONE] * 2 * poll)
            if self._seen.frames[-1][self._told["state"]["at"]] == over:
                return True
        return False

    def _keep(self) -> None:
        self._seen.frames.append(np.frombuffer(self._read(), np.uint8))


def _mashed() -> Iterator[Pad]:
    """Yields pads that lead pieces to both walls and turn them, without START."""
    rng = np.random.default_rng(1)
    left = _RANDOM
    while left > 0:
        pad = _MASHED[int(rng.integers(len(_MASHED)))]
        held = int(rng.integers(2, 9))
        left -= 2 * held
        yield from [*[pad] * held, *[Pad.NONE] * held]
