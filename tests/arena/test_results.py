"""The day's pieces, best results and streaks: what counts, how it is kept, and what a damaged file does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest

from emubot.arena import day, keeper, results
from emubot.arena.catalogue import preset
from emubot.arena.connection import PageConnection
from emubot.arena.match import ArenaMatch
from emubot.arena.orders import Ghost, Open, Save
from emubot.arena.race import Race
from emubot.arena.replay import read_replay
from emubot.arena.request import AskCoach, MatchRequest, SideRequest
from emubot.arena.tables import MatchTable
from tests.arena.playing import begin, drop, play, side

TODAY = "2026-03-05"


class FakePool:
    def __init__(self) -> None:
        self.told: list[Any] = []

    def tell(self, message: Any) -> None:
        self.told.append(message.order)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(day, "today", lambda: TODAY)
    return results.folder()


def table_of(*sides: SideRequest, played: str | None = None, **more: Any) -> MatchTable:
    request = MatchRequest(sides=sides, **more)
    return MatchTable(1, PageConnection(), request=request, link=FakePool(), day=played)  # type: ignore[arg-type]


def over(*scores: int | None, winner: int | None = None, full: bool = True) -> dict[str, Any]:
    sides = [{"score": score, "count": 1, "pieces": 3} for score in scores]
    return {"event": "over", "full": full, "result": {"winner": winner, "sides": sides}}


def said(events: list[dict[str, Any]]) -> list[str]:
    return [words["words"] for words in events if words["event"] == "counted-result"]


def test_a_day_s_seed_is_made_from_its_date_alone() -> None:
    assert day.seed_of(TODAY) == 1778216833, "another number would be other pieces than other people's"
    assert len({day.seed_of(f"2026-03-{number:02}") for number in range(1, 31)}) == 30
    assert day.game_of(TODAY).persons == (0,)
    assert day.words_of(TODAY) == "5 March 2026"


def test_the_best_game_of_a_day_is_kept_and_told() -> None:
    table = table_of(side("blocks"), played=TODAY)
    pool: FakePool = table.link  # type: ignore[assignment]
    assert said(keeper.count(table, over(500))) == ["Your first result of this day."]
    assert said(keeper.count(table, over(400))) == ["Your best of this day is still 500."]
    assert said(keeper.count(table, over(1500))) == ["Your best of this day; before, it was 500."]
    assert pool.told == [Save(path=str(results.best_game()), is_own=False)] * 2
    (words,) = keeper.listed()
    assert (words["best"], words["games"], words["days"], words["today"]) == (1500, 3, 1, "5 March 2026")


def test_games_in_which_the_coach_showed_the_better_placement_do_not_count() -> None:
    def ask(table: MatchTable, shows: Literal["off", "after", "before"]) -> None:
        table.coach(AskCoach(type="coach", shows=shows))

    for table in (table_of(side("blocks"), side("blocks", "easy")), table_of(side("blocks"), played=TODAY)):
        ask(table, "before")
        ask(table, "off")
        assert "coach" in said(keeper.count(table, over(500, 1, winner=0)))[0]
        table.note("opened", {})
        ask(table, "after")
        assert "coach" not in said(keeper.count(table, over(500, 1, winner=0)))[0], "the next game has had no help"


def test_days_in_a_row_end_with_a_day_that_was_left_out() -> None:
    known = results.Results()
    for played in ("2026-02-27", "2026-03-01", "2026-03-02", "2026-03-03"):
        known.count_day(played, 1)
    assert [known.days_in_a_row(f"2026-03-0{number}") for number in (1, 3, 4, 5)] == [1, 3, 3, 0]


def test_streaks_against_each_bot() -> None:
    table = table_of(side("blocks"), side("blocks", "easy"))
    won, lost = over(900, 100, winner=0), over(100, 900, winner=1)
    told = [said(keeper.count(table, words))[0] for words in (won, won, lost, won)]
    assert told == [
        "Won 1 of 1 against this bot.",
        "2 in a row against this bot. Your longest streak: 2.",
        "Your streak ends at 2.",
        "Won 3 of 4 against this bot.",
    ]
    keeper.count(table_of(side("pairs"), side("blocks", "full")), over(None, 5, winner=1))
    (words,) = keeper.listed()
    figures = [
        (one["title"], one["games"], one["won"], one["streak"], one["longest"], one["best"]) for one in words["rivals"]
    ]
    assert figures == [
        ("Easy bot, falling blocks", 4, 3, 1, 2, 900),
        ("Full bot, pairs against falling blocks", 1, 0, 0, 0, None),
    ]


@pytest.mark.parametrize(
    ("sides", "more", "full", "words"),
    [
        ((side("blocks"), side("blocks", "easy")), {}, False, "full strength"),
        ((side("blocks"), SideRequest(game="blocks", bot="easy", attack=50)), {}, True, "reduced"),
        ((side("blocks"), side("blocks", "easy", level=9)), {}, True, "other rules"),
        ((side("pairs"), side("blocks", "easy", level=9)), {}, True, "other rules"),
        ((side("blocks"), side("blocks", "easy")), {"challenge": "free"}, True, "in turn"),
        ((side("blocks", level=9), side("blocks", "easy", level=9)), {}, True, None),
        ((SideRequest(game="blocks", attack=50), side("blocks", "easy", level=0)), {}, True, None),
        ((side("blocks"), side("blocks")), {}, True, ""),
        ((side("blocks", "easy"), side("blocks", "easy")), {}, True, ""),
        ((side("blocks"),), {}, True, ""),
    ],
)
def test_only_games_against_a_bot_at_full_strength_count(
    sides: tuple[SideRequest, ...], more: dict[str, Any], full: bool, words: str | None
) -> None:
    request = MatchRequest(sides=sides, **more)
    why = results.why_not(request, full)
    assert why == words if not words else words in (why or "")
    keeper.count(table_of(*sides, **more), over(*[1] * len(sides), winner=0, full=full))
    assert len(results.read()[0].rivals) == (words is None)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe\x00",
        b'{"format": "emubot results 2"}',
        b'{"days": [{"day": "2026-99-99", "best": 1}]}',
        b'{"days": [{"day": "2026-01-01", "best": -1}]}',
        b'{"rivals": [{"bot": "easy"}]}',
        b'{"more": 1}',
    ],
)
def test_a_damaged_file_is_one_sentence_and_set_aside(folder: Path, content: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / "results.json").write_bytes(content)
    wrong, words = keeper.listed()
    assert (wrong["event"], words["event"], words["rivals"]) == ("said", "results", [])
    assert wrong["message"].startswith("The file of your results was damaged.")
    assert "\n" not in wrong["message"]
    assert (folder / "results.damaged").read_bytes() == content
    keeper.count(table_of(side("blocks"), played=TODAY), over(7))
    assert results.read()[0].day(TODAY) == results.Day(day=TODAY, best=7)


def test_results_that_cannot_be_kept_are_one_sentence(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way", encoding="utf-8")
    events = keeper.count(table_of(side("blocks"), played=TODAY), over(7))
    messages = [words["message"] for words in events if words["event"] == "said"]
    assert messages
    assert all("\n" not in message for message in messages)


def test_a_bot_that_is_gone_is_kept_but_not_shown(folder: Path) -> None:
    known = results.Results(rivals=[results.Rival(bot="oracle", mine="blocks", its="blocks", games=3)])
    assert results.write(known) == ""
    assert json.loads((folder / "results.json").read_text(encoding="utf-8"))["rivals"][0]["games"] == 3
    (words,) = keeper.listed()
    assert words["rivals"] == []
    assert preset("easy").title == "Easy"


def test_a_ghost_plays_its_game_again_beside_a_person(tmp_path: Path) -> None:
    request = day.game_of(TODAY)
    first = begin(ArenaMatch(request, day.seed_of(TODAY)))
    drop(first, 0, 400)
    path = tmp_path / "ghost.match.json"
    first.replay().write(path)
    race = Race(request, day.seed_of(TODAY), None, read_replay(path), 0)
    begin(race)
    play(race, 400)
    assert race._ghost.board.cells == first.sides[0].board.cells, "the same after the same frames"
    assert race._ghost.board.pieces > race.sides[0].board.pieces
    result = race.result()
    assert [one["pieces"] for one in result["sides"]] == [race.sides[0].pieces, first.sides[0].pieces]
    assert result["winner"] == (1 if first.sides[0].board.score else None)
    assert len(race.replay().result["sides"]) == 1
    drop(race, 0, 20_000)
    assert race.finished


def test_orders_of_a_race_travel() -> None:
    order = Open(match=1, request=day.game_of(TODAY), seed=3, fixed=True, ghost=Ghost(path="x", side=1))
    assert Open.model_validate_json(order.model_dump_json()) == order
