"""Learns from watching a game: codes of cells and timing; knows no particular game and no emulator."""

from emubot.learn.clock import ClockWatch
from emubot.learn.codes import CodeEvidence
from emubot.learn.reports import Duel, MapLearner, Prober, ProbeReport

__all__ = ["ClockWatch", "CodeEvidence", "Duel", "MapLearner", "ProbeReport", "Prober"]
