"""Reads the generator from RAM through the map, for `--rng aware` alone; knows no address and no search."""

from __future__ import annotations

from emubot.errors import UsageError
from emubot.games.tetris.decode.map_checks import profile_of
from emubot.games.tetris.decode.value_names import GENERATOR, GENERATOR_COUNTER
from emubot.games.tetris.foresight.draws import GeneratorState
from emubot.rammap import RamMap


class GeneratorReader:
    """Reads one player's generator and frame counter, which no snapshot shows."""

    def __init__(self, ram_map: RamMap) -> None:
        """Raises UsageError if the map does not say where the generator is, or names no release."""
        named = ram_map.document.foresight
        reader = ram_map.reader()
        if profile_of(ram_map) is None or not {*GENERATOR} <= {*named} or GENERATOR_COUNTER not in reader.names:
            raise UsageError(
                f"--rng aware: the map {ram_map.name} does not name the generator of a known release under "
                "`foresight`: leave the option out."
            )
        self._select = reader.select((*GENERATOR, GENERATOR_COUNTER))

    def __call__(self, ram: bytes) -> tuple[GeneratorState, int]:
        """Returns the generator after this frame, and the frame counter."""
        hi, lo, spawn_id, spawn_count, counter = self._select(ram)
        return GeneratorState(hi << 8 | lo, spawn_id, spawn_count), counter
