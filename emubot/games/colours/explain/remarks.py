"""What one placement of pairs does worse than another, in words; knows no search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from emubot.explanation import ExplainedPlacement
from emubot.games.colours.explain.by_worth import FIRED, LATER
from emubot.games.colours.explain.valued import LOST
from emubot.text import counted

_WORTH_FIRING: Final = 0.5  # share of the best value that is fired at once, from which on it is the best's reason


def remarks(played: ExplainedPlacement, best: ExplainedPlacement) -> Sequence[str]:
    """Returns what is worse after `played` than after `best`, the worst first."""
    mine, other = _parts(played), _parts(best)
    said = []
    if LOST in mine and LOST not in other:
        said.append("loses the game")
    fired, could = mine.get(FIRED, 0.0), other.get(FIRED, 0.0)
    if could > fired and could >= _WORTH_FIRING * best.value > 0:
        said.append(f"does not fire: a chain of {could:,.0f} points is there")
    steps, better = _steps(played), _steps(best)
    if fired > could and better > steps:
        said.append(f"fires early: {fired:,.0f} points, where {better} steps were being built")
    elif better > steps:
        said.append(f"breaks the chain: {counted(steps, 'step') if steps else 'no steps'} left of {better}")
    if not said and mine.get(LATER, 0.0) < other.get(LATER, 0.0):
        said.append("leaves less to build on")
    return said


def ready(one: ExplainedPlacement) -> float:
    """Returns the points of the chain that a placement fires, and of the best one that it leaves ready.

    The value of a placement hopes for pairs to come, which soon mend what was broken; these points are there now.
    """
    chain = None if one.after is None else one.after.chain
    return _parts(one).get(FIRED, 0.0) + (0.0 if chain is None else float(chain.points))


def _parts(one: ExplainedPlacement) -> dict[str, float]:
    return {part.name: part.value for part in one.parts}


def _steps(one: ExplainedPlacement) -> int:
    return one.after.chain.steps if one.after is not None and one.after.chain is not None else 0
