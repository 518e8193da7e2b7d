"""The day's pieces: a game whose seed is made from a date alone, so that everybody gets the same; knows no match."""

from __future__ import annotations

import hashlib
import time
from typing import Final

from emubot.arena.catalogue import first_games, game_offer
from emubot.arena.request import MatchRequest, SideRequest

DATE: Final = "%Y-%m-%d"


def today() -> str:
    """Returns today's date where this program runs."""
    return time.strftime(DATE)


def seed_of(day: str) -> int:
    """Returns the seed of a date."""
    return int.from_bytes(hashlib.sha256(f"emubot {day}".encode()).digest()[:4], "big") >> 1


def game_of(day: str) -> MatchRequest:
    """Returns the game of a date: the first game that is offered, by its usual rules, alone."""
    return MatchRequest(sides=(SideRequest(game=first_games()[0]),), seed=seed_of(day))


def words_of(day: str) -> str:
    """Returns a date for people: 5 March 2026."""
    then = time.strptime(day, DATE)
    return f"{then.tm_mday} {time.strftime('%B %Y', then)}"


def title() -> str:
    """Returns what is played."""
    return game_offer(first_games()[0]).game.title
