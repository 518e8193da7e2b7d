"""The public face of emubot; names are looked up lazily, so that importing it costs nothing.

    import emubot

    tally = emubot.play(demo="tetris", pieces=50)
    print(tally)

play          plays a cartridge in one call, and returns the figures
demo          the path of a built-in cartridge, for a bridge's `rom`
open_bridge   opens an emulator by the name of its bridge
Pilot, Goal   plays one port of a bridge, frame by frame, until a goal
load_map      an address map, by its name or file
load_weights  an evaluation, by its name or file
games         the game families, by name: `games.game("tetris")`

Errors are subclasses of `emubot.errors.EmubotError`; each message is one sentence with the remedy.
"""

from __future__ import annotations

from emubot.lazy import lazy_names
from emubot.version import __version__ as __version__

TYPE_CHECKING = False  # as in typing, which is not loaded for it: the command's first signals wait for this module
if TYPE_CHECKING:
    from emubot import games as games
    from emubot.bridges import open_bridge as open_bridge
    from emubot.demos import image as demo
    from emubot.pilot import Goal as Goal
    from emubot.pilot import Pilot as Pilot
    from emubot.rammap import load_map as load_map
    from emubot.session.play import play as play
    from emubot.weights import load_weights as load_weights

__all__ = ["Goal", "Pilot", "__version__", "demo", "games", "load_map", "load_weights", "open_bridge", "play"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Goal": "emubot.pilot.scorekeeper:Goal",
        "Pilot": "emubot.pilot.pilot:Pilot",
        "demo": "emubot.demos:image",
        "games": "emubot.games:",
        "load_map": "emubot.rammap:load_map",
        "load_weights": "emubot.weights:load_weights",
        "open_bridge": "emubot.bridges:open_bridge",
        "play": "emubot.session.play:play",
    },
)
