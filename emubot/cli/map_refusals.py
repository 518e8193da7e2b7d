"""Asks families what they cannot play in maps, in a child process, because `maps check` must not load a compiler.

As a program it prints one JSON object.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emubot.games.findings import Finding, KeyPath
    from emubot.games.protocol import Game
    from emubot.rammap import RamMap


def refusals(names: Sequence[str]) -> dict[str, list[tuple[KeyPath, str]]]:
    """Returns what families cannot play in maps, (key path, sentence) each, by file or name; nothing for accepted maps.

    The key path is that in the file, and empty where no key of it can be named.
    """
    if not names:
        return {}
    command = [sys.executable, "-P", "-m", __name__, *names]  # -P: what lies in the current folder is not imported
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = next(iter(done.stderr.strip().splitlines()[-1:]), f"it ended with {done.returncode}")
        return {name: [((), f"The check by the map's family failed: {last}")] for name in names}
    found: dict[str, list[tuple[list[str | int], str]]] = json.loads(done.stdout)
    return {name: [(tuple(path), text) for path, text in findings] for name, findings in found.items()}


def _refused(name: str) -> list[tuple[KeyPath, str]]:
    """Returns all that a map's family finds, or else the error with which `play` would end all the same."""
    from emubot.errors import EmubotError
    from emubot.games import game as family
    from emubot.games.findings import ChecksMaps, never_played
    from emubot.rammap import map_without_unknown

    ram_map = map_without_unknown(name)
    found: list[Finding] = []
    try:
        game = family(ram_map.family)
    except EmubotError as unknown:
        return [(("family",), str(unknown))]
    try:
        for known in _variants(ram_map):
            found += never_played(known)
            found += game.findings(known) if isinstance(game, ChecksMaps) else ()
        if not found:
            _begin(game, ram_map)
    except EmubotError as refused:
        return [((), str(refused))]
    return [(one.key, _without_path(one.text, ram_map)) for one in dict.fromkeys(found)]


def _variants(ram_map: RamMap) -> Iterator[RamMap]:
    """Yields the map as it is, and with the overrides of each cartridge."""
    yield ram_map
    yield from (ram_map.for_identity(identity.sha1) for identity in ram_map.identities)


def _begin(game: Game, ram_map: RamMap) -> None:
    """Make what a game by this map needs, and decode a frame. Raises EmubotError as `play` would."""
    from emubot.games.strength import Strength
    from emubot.tempo import FULL_SPEED, tempo_for_speed
    from emubot.weights import load_weights

    weights = load_weights(game.facts.default_weights)
    for known in _variants(ram_map):
        edition = game.open(known)
        edition.thinker(weights, tempo_for_speed(FULL_SPEED), Strength())
        for player in range(known.players):
            edition.decoder(player)(bytes(known.image_size))
            edition.learner(player)


def _without_path(text: str, ram_map: RamMap) -> str:
    """Returns a sentence without the file at its beginning, which `maps check` writes itself."""
    return text.removeprefix(f"{ram_map.path}: ").removeprefix(f"{ram_map.path} ")


if __name__ == "__main__":
    print(json.dumps({name: found for name in sys.argv[1:] if (found := _refused(name))}))
