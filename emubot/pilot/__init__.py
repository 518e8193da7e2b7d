"""Plays a game at the pad: decodes, plans, steers, checks, counts; knows bridges and games by their protocols only."""

from __future__ import annotations

from emubot.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from emubot.pilot.match import Match as Match
    from emubot.pilot.pilot import Pilot as Pilot
    from emubot.pilot.pilot import View as View
    from emubot.pilot.recording import Recording as Recording
    from emubot.pilot.scorekeeper import Goal as Goal
    from emubot.pilot.skill import Skill as Skill
    from emubot.pilot.tally import Tally as Tally

__all__ = ["Goal", "Match", "Pilot", "Recording", "Skill", "Tally", "View"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Goal": "emubot.pilot.scorekeeper:Goal",
        "Match": "emubot.pilot.match:Match",
        "Pilot": "emubot.pilot.pilot:Pilot",
        "Recording": "emubot.pilot.recording:Recording",
        "Skill": "emubot.pilot.skill:Skill",
        "Tally": "emubot.pilot.tally:Tally",
        "View": "emubot.pilot.pilot:View",
    },
)
