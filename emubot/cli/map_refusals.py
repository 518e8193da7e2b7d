"""Asks families whether they accept maps, in a child process, because `maps check` must not load a compiler.

As a program it prints one JSON object.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence


def refusals(names: Sequence[str]) -> dict[str, str]:
    """Returns the reasons why families refuse maps, by file or name; accepted maps are not in it."""
    if not names:
        return {}
    done = subprocess.run([sys.executable, "-m", __name__, *names], capture_output=True, text=True, check=False)
    if done.returncode:
        last = next(iter(done.stderr.strip().splitlines()[-1:]), f"it ended with {done.returncode}")
        return dict.fromkeys(names, f"The check by the map's family failed: {last}")
    found: dict[str, str] = json.loads(done.stdout)
    return found


def _refusal(name: str) -> str | None:
    """Returns the error with which `play` would end, or None."""
    from emubot.errors import EmubotError
    from emubot.games import game as family
    from emubot.rammap import load_map
    from emubot.tempo import FULL_SPEED, tempo_for_speed
    from emubot.weights import load_weights

    try:
        ram_map = load_map(name)
        game = family(ram_map.family)
        weights = load_weights(game.facts.default_weights)
        for known in (ram_map, *(ram_map.for_identity(identity.sha1) for identity in ram_map.identities)):
            game.thinker(known, weights, tempo_for_speed(FULL_SPEED))
            for player in range(known.players):
                game.decoder(known, player)
                game.learner(known, player)
    except EmubotError as refused:
        return str(refused)
    return None


if __name__ == "__main__":
    found = {name: refusal for name in sys.argv[1:] if (refusal := _refusal(name)) is not None}
    print(json.dumps(found))
