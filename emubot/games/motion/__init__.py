"""How a piece moves on a grid, from tables, for any family; knows no rules of a game, no evaluation and no memory."""

from emubot.games.motion.frame import moved
from emubot.games.motion.shapes import Fall, Grid, Shapes
from emubot.games.motion.straight import straight
from emubot.games.motion.timed import Flight, Lock, compile_once, timed

__all__ = ["Fall", "Flight", "Grid", "Lock", "Shapes", "compile_once", "moved", "straight", "timed"]
