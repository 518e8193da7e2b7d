"""Learns from watching a game: codes of cells and timing; knows no particular game and no emulator."""

from emubot.learn.clock import ClockWatch
from emubot.learn.codes import CodeEvidence
from emubot.learn.reports import Duel, MapLearner, Prober, ProbeReport
from emubot.learn.script import LONGEST, GaveUp, Script, ScriptedPlay

__all__ = [
    "LONGEST",
    "ClockWatch",
    "CodeEvidence",
    "Duel",
    "GaveUp",
    "MapLearner",
    "ProbeReport",
    "Prober",
    "Script",
    "ScriptedPlay",
]
