"""The module of a family is light: its facts cost no kernel, no numba and no pydantic."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from emubot import games
for name in games.names():
    game = games.game(name)
    assert game.facts.feature_names and game.modes is not None
heavy = {"numba", "pydantic", "yaml"} & {*sys.modules}
assert not heavy, heavy
rooms = {name.split(".")[3] for name in sys.modules if name.startswith("emubot.games.") and name.count(".") > 2}
assert not rooms & {"board", "decode", "editions", "reach", "search", "simulator", "trials"}, rooms
"""


def test_the_facts_of_a_family_load_nothing_that_plays() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
