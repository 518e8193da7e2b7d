"""What a person has reached, as a file: the best score of each day, and games and streaks against each bot.

Knows no page and no match. Only one who plays alone against one bot at its full strength is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from emubot.arena.catalogue import PRESETS, game_offer, offered
from emubot.arena.request import MatchRequest, SideRequest
from emubot.atomic import write_whole
from emubot.datafiles import user_data
from emubot.errors import StorageError
from emubot.files import read_regular

_LARGEST: Final = 1 << 20  # bytes of the file
_MOST: Final = 2_000  # days, or pairings; the oldest are forgotten
_Count = Annotated[int, Field(ge=0, le=2**31)]
_Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
_Name = Annotated[str, Field(max_length=40)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Day(_Model):
    """A day's game: its best score, and how often it was played to the end."""

    day: _Day
    best: _Count
    games: _Count = 1


class Rival(_Model):
    """Games with `mine` against a bot with `its`. `streak` is that of games won in a row, up to the last one."""

    bot: _Name
    mine: _Name
    its: _Name
    games: _Count = 0
    won: _Count = 0
    streak: _Count = 0
    longest: _Count = 0
    best: _Count | None = None  # score; None in a game without points

    def count(self, has_won: bool, score: int | None) -> None:
        """Count one more game."""
        self.games += 1
        self.won += has_won
        self.streak = self.streak + 1 if has_won else 0
        self.longest = max(self.longest, self.streak)
        if score is not None:
            self.best = max(self.best or 0, score)


class Results(_Model):
    """All results; see the module."""

    format: Literal["emubot results 1"] = "emubot results 1"
    days: list[Day] = Field([], max_length=_MOST)
    rivals: list[Rival] = Field([], max_length=_MOST)

    def day(self, day: str) -> Day | None:
        """Returns what was reached on a day."""
        return next((one for one in self.days if one.day == day), None)

    def count_day(self, day: str, score: int) -> bool:
        """Count a game of the day; returns whether it is the best one."""
        known = self.day(day)
        if known is None:
            self.days = [*self.days, Day(day=day, best=score)][-_MOST:]
            return True
        is_best = score > known.best
        known.games, known.best = known.games + 1, max(known.best, score)
        return is_best

    def rival(self, bot: str, mine: str, its: str) -> Rival:
        """Returns what was reached against a bot, from now on in the list."""
        for one in self.rivals:
            if (one.bot, one.mine, one.its) == (bot, mine, its):
                return one
        self.rivals = [*self.rivals, Rival(bot=bot, mine=mine, its=its)][-_MOST:]
        return self.rivals[-1]

    def days_in_a_row(self, day: str) -> int:
        """Returns how many days in a row were played, up to this one or to the one before."""
        played = {one.day for one in self.days}
        at = date.fromisoformat(day)
        if day not in played:
            at -= timedelta(days=1)
        count = 0
        while at.isoformat() in played:
            count, at = count + 1, at - timedelta(days=1)
        return count

    def data(self, day: str) -> dict[str, Any]:
        """Returns what a page shows on a day."""
        known = self.day(day)
        shown = [one for one in self.rivals if one.bot in PRESETS and {one.mine, one.its} <= set(offered())]
        return {
            "best": None if known is None else known.best,
            "games": 0 if known is None else known.games,
            "days": self.days_in_a_row(day),
            "rivals": [{**one.model_dump(), "title": title_of(one)} for one in shown],
        }


def title_of(rival: Rival) -> str:
    """Returns whom a person has met, and with which games."""
    mine, its = (game_offer(game).game.title.lower() for game in (rival.mine, rival.its))
    return f"{PRESETS[rival.bot].title} bot, {mine}" + ("" if mine == its else f" against {its}")


def why_not(request: MatchRequest, full: bool, is_continued: bool = False) -> str | None:
    """Returns why a game against a bot does not count; None if it does, "" if nobody asks."""
    if len(request.sides) != 2 or len(request.persons) != 1:
        return ""
    bot = request.sides[1 - request.persons[0]]
    person = request.sides[request.persons[0]]
    if request.challenge is not None:
        return "Games in turn are not counted: the bot thinks for a moment only."
    if is_continued:
        return "Not counted: the game went on from a saved one."
    if not full:
        return "Not counted: the bot was not at its full strength yet."
    if bot.attack < 100:
        return "Not counted: the bot's attacks were reduced."
    if _rules(bot) != (_rules(person) if person.game == bot.game else _rules(SideRequest(game=bot.game))):
        return "Not counted: the bot played by other rules."
    return None


def _rules(side: SideRequest) -> dict[str, Any]:
    return {name: side.rules.get(name, one["default"]) for name, one in game_offer(side.game).rules.items()}


def folder() -> Path:
    """Returns the folder of what is kept; it need not exist."""
    return user_data("arena")


def best_game() -> Path:
    """Returns the file of the best game of the latest day."""
    return folder() / "best-of-the-day.match.json"


def read() -> tuple[Results, str]:
    """Returns what is in the file, and a sentence on what is wrong with it, "" if nothing is.

    A damaged file is set aside: nothing in it is lost, and counting begins anew.
    """
    path = folder() / "results.json"
    try:
        results = Results.model_validate_json(read_regular(path, _LARGEST))
        for one in results.days:
            date.fromisoformat(one.day)
    except FileNotFoundError:
        return Results(), ""
    except OSError as failure:
        return Results(), f"Your results cannot be read from {path}: {failure.strerror}."
    except (ValidationError, ValueError):
        aside = path.with_suffix(".damaged")
        with suppress(OSError):
            path.replace(aside)
        return Results(), f"The file of your results was damaged. It is now {aside}, and counting begins anew."
    return results, ""


def write(results: Results) -> str:
    """Write the file, whole or not at all; returns a sentence on what went wrong, "" if nothing did."""
    path = folder() / "results.json"
    try:
        folder().mkdir(parents=True, exist_ok=True)
        write_whole(path, results.model_dump_json(indent=1).encode())
    except (OSError, StorageError) as failure:
        return f"Your results cannot be written to {path}: {getattr(failure, 'strerror', None) or failure}"
    return ""


def score_of(result: Mapping[str, Any], side: int) -> int | None:
    """Returns the score of a side of a match's result."""
    score = result["sides"][side]["score"]
    return None if score is None else int(score)
