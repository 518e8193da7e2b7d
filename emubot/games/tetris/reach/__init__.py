"""Where a piece can lock, and the pads that carry it there; knows the rules of motion, no evaluation."""

from emubot.games.tetris.reach.start import Start, gravity_at, locks_of, reach
from emubot.games.tetris.reach.timeline import Route, timeline, timelines, underway

__all__ = ["Route", "Start", "gravity_at", "locks_of", "reach", "timeline", "timelines", "underway"]
