"""What an owner asks for beside a match: the day's game, recorded matches, a race, the coach, a command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emubot.arena import day, openings, results
from emubot.arena.access import Role
from emubot.arena.orders import Ghost, GoOnFrom, Open, OpenRecorded, Save
from emubot.arena.replay import MatchLog
from emubot.arena.request import AskCoach, AtSide, Go, MatchRequest
from emubot.arena.tables import ReplayTable
from tests.arena.lobbies import MATCH, Table, events, heard


def test_the_game_of_the_day_is_the_server_s_and_is_described_to_everybody(table: Table) -> None:
    owner, watcher = table.enter(), table.enter(Role.SPECTATOR)
    heard(owner), heard(watcher)
    table.say(owner, type="day")
    (order,) = [one for one in table.link.orders if isinstance(one, Open)]
    assert order.request == day.game_of(day.today())
    assert (order.seed, order.fixed) == (day.seed_of(day.today()), True)
    assert order.ghost is not None
    for client in (owner, watcher):
        (back,) = [words for words in heard(client) if words["event"] == "back"]
        assert back["match"] == order.request.model_dump(mode="json")
    table.say(owner, type="day", day="2026-01-01")
    assert events(owner) == ["refused"]


def test_a_recorded_match_is_raced_against(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    owner = table.enter()
    table.say(owner, type="race", side=0)
    assert events(owner)[-1] == "refused", "nothing is open"
    path = tmp_path / "emubot" / "recordings" / "a.match.json"
    MatchLog().replay(MatchRequest.model_validate_json(json.dumps(MATCH)), 3, {}).write(path)
    table.say(owner, type="replay", name=path.name)
    heard(owner)
    table.say(owner, type="race", side=1)
    (order,) = [one for one in table.link.orders if isinstance(one, Open)]
    assert order.ghost == Ghost(path=str(path), side=1)
    assert (order.seed, order.request.persons, len(order.request.sides)) == (3, (0,), 1)
    assert table.link.did("close") == [1]
    assert events(owner) == ["back"]


def test_the_coach_is_there_for_people_in_matches_alone(table: Table) -> None:
    owner = table.enter()
    table.say(owner, type="coach", shows="before")
    assert events(owner)[-1] == "refused", "nothing is played"
    number = table.start(owner)
    table.say(owner, type="coach", shows="after")
    assert table.link.told == [(number, AskCoach(type="coach", shows="after"))]
    table.say(owner, type="start", match={"sides": [{"game": "blocks", "bot": "full"}]})
    heard(owner)
    table.say(owner, type="coach", shows="after")
    assert events(owner) == ["refused"], "nobody plays"


def test_a_recorded_match_goes_on_live(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    owner = table.enter()
    table.say(owner, type="play-on", tick=4, side=0)
    assert events(owner)[-1] == "refused", "nothing is open"
    path = tmp_path / "emubot" / "recordings" / "a.match.json"
    MatchLog().replay(MatchRequest.model_validate_json(json.dumps(MATCH)), 3, {}).write(path)
    for words, players in (
        ({"side": 0}, (None, "easy")),
        ({"side": 1}, ("middle", None)),
        ({"side": 1, "bot": "full"}, ("full", None)),
    ):
        table.say(owner, type="replay", name=path.name)
        heard(owner)
        table.say(owner, type="play-on", tick=4, **words)
        order = [one for one in table.link.orders if isinstance(one, Open)][-1]
        assert order.beginning == GoOnFrom(path=str(path), ticks=4)
        assert (order.seed, order.fixed, tuple(side.bot for side in order.request.sides)) == (3, True, players)
        assert table.link.did("close")[-1] == order.match - 1
        assert events(owner) == ["back"]
        table.link.on_event({"event": "over", "match": order.match, "full": True, "result": {}})
        assert events(owner) == ["over", "counted-result"]
    assert not results.read()[0].rivals
    table.say(owner, type="replay", name=path.name)
    heard(owner)
    for wrong in ({"side": 2}, {"side": 0, "tick": -1}, {"side": 0, "bot": "deity"}, {"side": 0, "path": "x"}):
        table.say(owner, type="play-on", **({"tick": 4} | wrong))
        assert events(owner) == ["refused"]
    assert isinstance(owner.table, ReplayTable)


def test_recorded_matches_are_opened_by_name_from_the_list_alone(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    owner = table.enter()
    table.start(owner)
    heard(owner)
    table.say(owner, type="save")
    (path,) = [Path(order.path) for _, order in table.link.told if isinstance(order, Save)]
    MatchLog().replay(MatchRequest.model_validate_json(json.dumps(MATCH)), 3, {}).write(path)
    assert path.is_relative_to(tmp_path)
    (list_of_all,) = [words for words in heard(table.enter()) if words["event"] == "replays"]
    assert [one["name"] for one in list_of_all["saved"]] == [path.name]
    table.say(owner, type="replay", name=path.name)
    assert table.link.orders[-1] == OpenRecorded(match=2, path=str(path))
    assert events(owner) == ["back"]
    table.say(owner, type="go", tick=7)
    table.say(owner, type="advice", side=1)
    assert table.link.told[-2:] == [(2, Go(type="go", tick=7)), (2, AtSide(type="advice", side=1))]
    for name in ("none.match.json", "../../etc/passwd", str(path)):
        table.say(owner, type="replay", name=name)
        assert events(owner) == ["refused"]


def test_the_first_game_that_is_recorded_finds_its_folder(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    begun: list[list[str]] = []
    monkeypatch.setattr(openings, "PlayLink", lambda words, *heard: begun.append(words))
    table.say(table.enter(), type="watch", options={"what": "demo:tetris", "record": True})
    (words,) = begun
    assert Path(words[words.index("--record") + 1]).parent.is_dir(), "emubot play makes no folder"


def test_the_command_line_of_what_was_chosen_is_told(table: Table) -> None:
    owner = table.enter()
    heard(owner)
    table.say(owner, type="compose", options={"what": "demo:puyo", "speed": 5, "versus": True})
    assert heard(owner) == [{"event": "command", "what": "play", "text": "emubot play 5 AIvsAI --demo puyo"}]
    table.say(owner, type="compose", options={"what": "rom:../secret.nes"})
    assert events(owner) == ["refused"]
