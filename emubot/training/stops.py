"""Where the games that a run learns from are stopped, in words and as the most lines of a game; plays nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_COUNTED: Final = {"cap_lines": "lines", "stop_lines": "lines", "cap_pieces": "pieces", "pairs": "pairs"}
_CELLS: Final = 4  # of a piece


def stop_of(settings: Mapping[str, Any]) -> str | None:
    """Returns a phrase that says where the games of a run with these settings are stopped; None if nothing stops them.

    Methods that learn while they play have their own limits, but for the last line of NES Tetris.
    """
    from emubot.training.methods import LEARNERS, TD_POINTS

    contest = settings["contest"]
    if settings["method"] in LEARNERS and settings["method"] != TD_POINTS:
        return None
    stops = [f"{contest[name]:,} {what}" for name, what in _COUNTED.items() if contest.get(name)]
    if not stops:
        return None
    if contest.get("cap_pieces") and (lines := most_lines(settings)) is not None:
        stops[-1] += f" ({lines:,} lines)"
    return f"games are stopped at {' or '.join(stops)}"


def most_lines(settings: Mapping[str, Any]) -> int | None:
    """Returns the most lines that a game of a run with these settings can bring; None if nothing stops it."""
    contest = settings["contest"]
    limits = [contest[name] for name, what in _COUNTED.items() if what == "lines" and contest.get(name)]
    columns = str(contest.get("board", "")).partition("x")[0]
    if contest.get("cap_pieces") and columns.isdecimal():
        limits.append(contest["cap_pieces"] * _CELLS // int(columns))
    return min(limits, default=None)
