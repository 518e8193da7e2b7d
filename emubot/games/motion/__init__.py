"""How a piece moves on a grid, from tables, for any family; knows no rules of a game, no evaluation and no memory."""

from emubot.games.motion.clock import Clock, moved_by_clock
from emubot.games.motion.clocked import ClockedFlight, clocked, compile_clock
from emubot.games.motion.frame import moved
from emubot.games.motion.shapes import Fall, Grid, Shapes
from emubot.games.motion.straight import apart, straight
from emubot.games.motion.timed import Flight, Lock, compile_once, timed

__all__ = [
    "Clock",
    "ClockedFlight",
    "Fall",
    "Flight",
    "Grid",
    "Lock",
    "Shapes",
    "apart",
    "clocked",
    "compile_clock",
    "compile_once",
    "moved",
    "moved_by_clock",
    "straight",
    "timed",
]
