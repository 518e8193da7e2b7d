"""Keeps what a person reaches: counts each game that ends, and tells pages of it; decides nothing of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from emubot.arena import day, results
from emubot.arena.orders import Save
from emubot.arena.tables import MatchTable, ReplayTable, Table

_LEAST: Final = 2  # games in a row that are worth a word


def listed() -> list[dict[str, Any]]:
    """Returns the events that tell a page the results so far."""
    known, wrong = results.read()
    return [*_said(wrong), _event(known)]


def count(table: Table, words: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Count a game that has ended, by the words of its event `over`; returns the events for its owner."""
    if not isinstance(table, MatchTable) or isinstance(table, ReplayTable) or table.is_demo:
        return []
    why = None if table.day is not None else results.why_not(table.request, bool(words.get("full")), table.is_continued)
    if why is None and table.was_helped:
        why = "Not counted: the coach showed where to put the pieces."
    if why is not None:
        return [{"event": "counted-result", "words": why}] if why else []
    if table.day is not None:
        return _count_day(table, table.day, words["result"])
    return _count_rival(table, words["result"])


def _count_day(table: MatchTable, played: str, result: Mapping[str, Any]) -> list[dict[str, Any]]:
    known, wrong = results.read()
    day_before = known.day(played)
    best = None if day_before is None else day_before.best
    score = results.score_of(result, 0) or 0
    if known.count_day(played, score):
        table.tell(Save(path=str(results.best_game()), is_own=False))
        said = "Your first result of this day." if best is None else f"Your best of this day; before, it was {best:,}."
    else:
        said = f"Your best of this day is still {best:,}."
    return [*_said(wrong), *_said(results.write(known)), {"event": "counted-result", "words": said}, _event(known)]


def _count_rival(table: MatchTable, result: Mapping[str, Any]) -> list[dict[str, Any]]:
    known, wrong = results.read()
    (mine,) = table.request.persons
    person, bot = table.request.sides[mine], table.request.sides[1 - mine]
    rival = known.rival(bot.bot or "", person.game, bot.game)
    before = rival.streak
    rival.count(result["winner"] == mine, results.score_of(result, mine))
    said = f"Won {rival.won} of {rival.games} against this bot."
    if rival.streak >= _LEAST:
        said = f"{rival.streak} in a row against this bot. Your longest streak: {rival.longest}."
    elif before >= _LEAST:
        said = f"Your streak ends at {before}."
    return [*_said(wrong), *_said(results.write(known)), {"event": "counted-result", "words": said}, _event(known)]


def _event(known: results.Results) -> dict[str, Any]:
    today = day.today()
    return {"event": "results", "today": day.words_of(today), "title": day.title(), **known.data(today)}


def _said(words: str) -> list[dict[str, Any]]:
    return [{"event": "said", "message": words}] if words else []
