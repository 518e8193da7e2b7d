"""Clients and matches, with a scripted process of the matches in place of the real one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from emubot.arena import day, results
from emubot.arena import lobby as lobby_module
from emubot.arena.access import Access, Role
from emubot.arena.connection import PageConnection
from emubot.arena.limits import INPUTS_A_SECOND, MOST_MATCHES, TEXTS_A_SECOND
from emubot.arena.lobby import Lobby, Refused
from emubot.arena.orders import Ghost, GoOnFrom, Open, OpenRecorded, OpenWall, Order, Save, ToMatch, ToProcess
from emubot.arena.replay import MatchLog
from emubot.arena.request import AskCoach, AtSide, Go, MatchRequest
from emubot.arena.tables import ReplayTable
from emubot.arena.wire import Input, pack_input
from emubot.extras import Need
from emubot.pad import Pad

MATCH = {"sides": [{"game": "blocks"}, {"game": "blocks", "bot": "easy"}], "seed": 3}


class FakeLink:
    """What a lobby tells the process of the matches."""

    def __init__(self, on_frame: Callable[[int, bytes], None], on_event: Callable[[dict[str, Any]], None], pace: float):
        self.on_frame, self.on_event = on_frame, on_event
        self.orders: list[ToProcess] = []
        self.inputs: list[tuple[int, bytes]] = []

    def tell(self, message: ToProcess) -> None:
        self.orders.append(message)

    def begin(self, order: Open | OpenRecorded, request: MatchRequest) -> None:
        self.orders.append(order)

    def begin_wall(self, order: OpenWall) -> None:
        self.orders.append(order)

    def put(self, match: int, message: bytes) -> None:
        self.inputs.append((match, message))

    def close(self) -> None:
        self.orders.clear()

    @property
    def opened(self) -> list[int]:
        """The matches that began."""
        return [message.match for message in self.orders if isinstance(message, Open)]

    @property
    def told(self) -> list[tuple[int, Order]]:
        """The orders to matches."""
        return [(message.match, message.order) for message in self.orders if isinstance(message, ToMatch)]

    def did(self, do: str) -> list[int]:
        return [match for match, order in self.told if order.type == do]


class Table:
    """A lobby with its fake link, and what a client says and hears."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lobby_module, "MatchPool", FakeLink)
        self.access = Access("127.0.0.1", 8000)
        self.lobby = Lobby(self.access)
        self.link: FakeLink = self.lobby._link  # type: ignore[assignment]

    def enter(self, role: Role = Role.OWNER, seat: str | None = None) -> PageConnection:
        client = self.lobby.join()
        words = {"type": "hello", "token": self.access.tokens[role]} | ({"seat": seat} if seat else {})
        self.lobby.hear_text(client, json.dumps(words))
        return client

    def say(self, client: PageConnection, **words: Any) -> None:
        self.lobby.hear_text(client, json.dumps(words))

    def start(self, client: PageConnection) -> int:
        self.say(client, type="start", match=MATCH)
        return self.link.opened[-1]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(monkeypatch)


UNASKED = ("cockpit", "runs", "replays", "results", "sides")


def heard(client: PageConnection) -> list[Any]:
    """What waits for a client, in its order, inside an event loop or outside."""
    if not client.news.is_set():
        return []
    with pytest.raises(StopIteration) as done:
        client.outgoing().send(None)
    return [json.loads(one) if isinstance(one, str) else one for one in done.value.value]


def events(client: PageConnection) -> list[str]:
    return [words["event"] for words in heard(client) if isinstance(words, dict) and words["event"] not in UNASKED]


def test_who_knows_the_token_is_welcome_and_gets_the_offers(table: Table) -> None:
    welcome, *others = heard(table.enter())
    assert [words["event"] for words in (welcome, *others)] == ["welcome", "cockpit", "runs", "replays", "results"]
    assert {"games", "bots"} <= set(welcome["offers"])


@pytest.mark.parametrize(
    "message",
    ['{"type": "hello", "token": "guess"}', '{"type": "leave"}', json.dumps({"type": "start", "match": MATCH}), "x"],
)
def test_nobody_else_gets_past_the_door(table: Table, message: str) -> None:
    client = table.lobby.join()
    with pytest.raises(Refused):
        table.lobby.hear_text(client, message)
    with pytest.raises(Refused):
        table.lobby.hear_input(client, pack_input(Input(0, 1, Pad.A)))
    assert not table.link.orders
    assert not table.link.inputs


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_invited_people_start_nothing(table: Table, role: Role) -> None:
    client = table.enter(role)
    table.say(client, type="start", match=MATCH)
    assert events(client) == ["welcome", "refused"]
    assert not table.link.opened


def test_a_match_is_opened_and_what_it_shows_reaches_its_player_alone(table: Table) -> None:
    player, other = table.enter(), table.enter()
    number = table.start(player)
    heard(player), heard(other)
    table.link.on_event({"event": "opened", "match": number, "seed": 3})
    table.link.on_frame(number, b"\x01old")
    table.link.on_frame(number, b"\x01new")
    assert heard(player) == [{"event": "opened", "seed": 3}, b"\x01new"]
    assert heard(other) == []


def test_inputs_go_to_the_own_match_and_to_no_other(table: Table) -> None:
    one, two = table.enter(), table.enter()
    first, second = table.start(one), table.start(two)
    message = pack_input(Input(0, 1, Pad.A))
    table.lobby.hear_input(two, message)
    assert table.link.inputs == [(second, message)]
    table.lobby.hear_input(one, message)
    assert table.link.inputs[1:] == [(first, message)]


@pytest.mark.parametrize("do", ["pause", "resume", "rematch"])
def test_commands_reach_the_match(table: Table, do: str) -> None:
    player = table.enter()
    table.say(player, type=do)
    assert events(player) == ["welcome", "refused"]
    number = table.start(player)
    table.say(player, type=do)
    assert table.link.did(do) == [number]


def test_a_new_match_ends_the_one_before(table: Table) -> None:
    player = table.enter()
    first = table.start(player)
    second = table.start(player)
    assert first != second
    assert table.link.did("close") == [first]
    table.say(player, type="leave")
    assert table.link.did("close") == [first, second]


def test_there_is_an_end_to_the_number_of_matches(table: Table) -> None:
    for _ in range(MOST_MATCHES):
        table.start(table.enter())
    late = table.enter()
    table.say(late, type="start", match=MATCH)
    assert events(late) == ["welcome", "refused"]
    assert len(table.link.opened) == MOST_MATCHES


def test_a_lost_connection_pauses_the_match_and_who_comes_back_has_it_again(table: Table) -> None:
    async def story() -> None:
        player = table.enter()
        number = table.start(player)
        table.lobby.leave(player)
        assert table.link.did("pause") == [number]
        for frame in (b"\x01before", b"\x01paused"):
            table.link.on_frame(number, frame)
        again = table.enter(seat=player.seat)
        told = heard(again)
        assert told[-1] == b"\x01paused"  # after all events
        (back,) = [words for words in told[:-1] if words["event"] == "back"]
        assert (back["event"], back["match"]["seed"]) == ("back", 3)
        table.say(again, type="resume")
        assert table.link.did("resume") == [number]
        await asyncio.sleep(0.05)
        assert not table.link.did("close")

    story_within(story, 0.02)


def test_a_match_that_is_over_and_saved_is_still_over_for_who_comes_back(table: Table) -> None:
    async def story() -> None:
        player = table.enter()
        number = table.start(player)
        for event in ("opened", "over", "saved", "said", "counted"):
            table.link.on_event({"event": event, "match": number})
        table.lobby.leave(player)
        (back,) = [words for words in heard(table.enter(seat=player.seat)) if words["event"] == "back"]
        assert (back["state"], back["opened"]) == ({"event": "over"}, {"event": "opened"})

    story_within(story, 0.5)


def test_who_stays_away_loses_the_match(table: Table) -> None:
    async def story() -> None:
        player = table.enter()
        number = table.start(player)
        table.lobby.leave(player)
        await asyncio.sleep(0.1)
        assert table.link.did("close") == [number]
        assert [words["event"] for words in heard(table.enter(seat=player.seat))] == [
            "welcome",
            "cockpit",
            "runs",
            "replays",
            "results",
        ]

    story_within(story, 0.02)


def test_nobody_takes_the_seat_of_somebody_who_is_there(table: Table) -> None:
    player = table.enter()
    table.start(player)
    thief = table.enter(seat=player.seat)
    assert events(thief) == ["welcome"]
    assert thief.table is None


def test_invited_people_see_the_match_that_runs_and_the_next_one(table: Table) -> None:
    early = table.enter(Role.SPECTATOR)
    assert events(early) == ["welcome"]
    player = table.enter()
    first = table.start(player)
    late = table.enter(Role.SPECTATOR)
    assert events(early) == ["back"]
    assert events(late) == ["welcome", "back"]
    table.link.on_frame(first, b"\x01frame")
    assert heard(early)[-1:] == heard(late)[-1:] == [b"\x01frame"]
    second = table.start(player)
    heard(early)
    table.link.on_frame(first, b"\x01old")
    table.link.on_frame(second, b"\x01new")
    assert heard(early) == [b"\x01new"]
    assert table.access.tokens[Role.OWNER] not in str(table.link.orders)


def test_a_demo_is_for_its_own_page_alone_and_ends_with_it(table: Table) -> None:
    early, owner = table.enter(Role.SPECTATOR), table.enter()
    table.say(owner, type="start", match=MATCH, demo=True)
    (demo,) = table.link.opened
    late = table.enter(Role.SPECTATOR)
    table.link.on_frame(demo, b"\x01frame")
    assert heard(owner)[-1:] == [b"\x01frame"]
    table.link.on_frame(demo, b"\x01late")
    table.say(owner, type="leave")
    assert b"\x01late" not in heard(owner), "what comes after the demo is of the next game"
    assert [events(guest) for guest in (early, late)] == [["welcome"], ["welcome"]]
    table.say(owner, type="start", match=MATCH, demo=True)
    table.lobby.leave(owner)
    assert table.link.did("close") == table.link.opened
    assert events(table.enter(seat=owner.seat)) == ["welcome"]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_invited_people_are_told_that_the_match_was_left(table: Table, role: Role) -> None:
    owner, guest = table.enter(), table.enter(role)
    table.start(owner)
    for client in (owner, guest):
        heard(client)
    table.say(owner, type="leave")
    assert events(guest) == ["ended"]
    assert events(owner) == ["left"]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
@pytest.mark.parametrize(
    "words",
    [
        {"type": "day"},
        {"type": "race", "side": 0},
        {"type": "gif", "start": 0},
        {"type": "play-on", "tick": 0, "side": 0},
    ],
)
def test_invited_people_begin_and_draw_nothing(table: Table, role: Role, words: dict[str, Any]) -> None:
    table.start(table.enter())
    before = list(table.link.orders)
    guest = table.enter(role)
    heard(guest)
    table.say(guest, **words)
    assert events(guest) == ["refused"]
    assert table.link.orders == before


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


def test_the_links_are_qr_codes_where_other_machines_can_follow_them() -> None:
    pytest.importorskip("segno", reason="needs the extra qr")
    words = Access("10.0.0.2", 8000).invitations()
    assert set(words["pictures"]) == {"player", "spectator"}
    assert all(one.startswith("data:image/svg+xml") for one in words["pictures"].values())


def test_without_qr_codes_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    access = Access("10.0.0.2", 8000)
    monkeypatch.setattr(Need, "is_met", lambda need: False)
    words = access.invitations()
    assert words["pictures"] == {}
    assert "segno" in words["instead"]
    assert "pip install" in words["instead"]
    assert access.tokens[Role.OWNER] not in json.dumps(words)


def test_an_invited_player_has_the_second_side_and_no_other(table: Table) -> None:
    owner = table.enter()
    table.say(owner, type="start", match={"sides": [{"game": "pairs"}, {"game": "pairs"}]})
    number = table.link.opened[-1]
    left, right = (pack_input(Input(side, 1, Pad.A)) for side in (0, 1))
    table.lobby.hear_input(owner, left)
    table.lobby.hear_input(owner, right)
    assert table.link.inputs == [(number, left), (number, right)], "alone at the keyboard, the owner plays both"
    table.link.inputs.clear()
    guest, watcher = table.enter(Role.PLAYER), table.enter(Role.SPECTATOR)
    for client in (owner, guest, watcher):
        table.lobby.hear_input(client, left)
        table.lobby.hear_input(client, right)
    assert table.link.inputs == [(number, left), (number, right)]
    table.lobby.hear_input(guest, left)
    assert len(table.link.inputs) == 2


@pytest.mark.parametrize("do", ["pause", "resume", "rematch", "leave", "insight", "invite"])
def test_invited_people_command_nothing(table: Table, do: str) -> None:
    table.start(table.enter())
    before = list(table.link.orders)
    for role in (Role.PLAYER, Role.SPECTATOR):
        guest = table.enter(role)
        heard(guest)
        table.say(guest, type=do)
        assert events(guest) == ["refused"]
    assert table.link.orders == before


WALL = {"game": "blocks", "seats": [{"entrant": "weights:lowest"}, {"entrant": "weights:pso", "bot": "full"}]}
STANDINGS: dict[str, Any] = {"event": "standings", "boards": [], "rows": [], "cross": None, "rate": None}


def test_a_wall_begins_and_its_table_reaches_those_who_come_later(table: Table) -> None:
    owner, early = table.enter(), table.enter(Role.SPECTATOR)
    heard(owner), heard(early)
    table.say(owner, type="wall", wall=WALL | {"seed": 5})
    (order,) = table.link.orders
    assert isinstance(order, OpenWall)
    assert (order.match, order.seed, [seat.bot for seat in order.request.seats]) == (1, 5, ["middle", "full"])
    back = next(words for words in heard(owner) if words["event"] == "back")
    assert (back["event"], back["titles"], back["wall"]["game"]) == ("back", ["lowest", "pso"], "blocks")
    table.link.on_event({**STANDINGS, "match": 1, "rate": 1.0})
    table.link.on_event({**STANDINGS, "match": 1, "rate": 2.0})
    assert [words["event"] for words in heard(early)] == ["back", "sides", "standings", "standings"]
    assert [words.get("rate") for words in heard(table.enter(Role.SPECTATOR)) if words["event"] == "standings"] == [2.0]
    table.say(owner, type="pause")
    assert table.link.did("pause") == [1]
    heard(owner)
    for words in ({"type": "save"}, {"type": "gif", "start": 0}):
        table.say(owner, **words)
        assert events(owner) == ["refused"]
    table.lobby.hear_input(owner, pack_input(Input(0, 1, Pad.A)))
    assert not table.link.inputs
    table.say(owner, type="leave")
    assert table.link.did("close") == [1]


def test_a_wall_is_a_match_among_the_most_that_run(table: Table) -> None:
    owners = [table.enter() for _ in range(MOST_MATCHES + 1)]
    for owner in owners:
        heard(owner)
        table.say(owner, type="wall", wall=WALL)
    assert len(table.link.orders) == MOST_MATCHES
    assert events(owners[-1]) == ["refused"]


@pytest.mark.parametrize("entrant", ["weights:none", "weights:../lowest", "run:none", "lowest"])
def test_a_wall_has_weights_of_the_lists_alone(table: Table, entrant: str) -> None:
    owner = table.enter()
    heard(owner)
    table.say(owner, type="wall", wall=WALL | {"seats": [{"entrant": entrant}]})
    assert events(owner) == ["refused"]
    assert not table.link.orders


@pytest.mark.parametrize("words", [{"type": "wall", "wall": WALL}, {"type": "entrants"}])
def test_invited_people_build_no_wall(table: Table, words: dict[str, Any]) -> None:
    for role in (Role.PLAYER, Role.SPECTATOR):
        guest = table.enter(role)
        heard(guest)
        table.say(guest, **words)
        assert events(guest) == ["refused"]
    assert not table.link.orders


def test_whose_weights_there_are_is_told_without_a_path(table: Table) -> None:
    async def story() -> None:
        owner = table.enter()
        heard(owner)
        table.say(owner, type="entrants")
        await asyncio.wait_for(owner.news.wait(), 60)
        (words,) = heard(owner)
        found = {one["id"]: one for one in words["entrants"]}
        assert found["weights:nes_tetris"]["usual"]
        assert found["weights:pso"] == {
            "id": "weights:pso",
            "title": "pso",
            "family": "tetris",
            "kind": "shipped",
            "usual": False,
        }
        assert not any("/" in one["id"] or "/" in one["title"] for one in words["entrants"] if one["kind"] != "run")

    asyncio.run(story())


def test_invitations_hold_the_links_of_guests_and_never_the_own(table: Table) -> None:
    owner = table.enter()
    heard(owner)
    table.say(owner, type="invite")
    (words,) = heard(owner)
    assert words == {
        "event": "invitations",
        "player": table.access.url(Role.PLAYER),
        "spectator": table.access.url(Role.SPECTATOR),
        "overlay": table.access.url(Role.SPECTATOR, "?overlay"),
    }
    assert table.access.tokens[Role.OWNER] not in json.dumps(words)


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


def test_the_command_line_of_what_was_chosen_is_told(table: Table) -> None:
    owner = table.enter()
    heard(owner)
    table.say(owner, type="compose", options={"what": "demo:puyo", "speed": 5, "versus": True})
    assert heard(owner) == [{"event": "command", "what": "play", "text": "emubot play 5 AIvsAI --demo puyo"}]
    table.say(owner, type="compose", options={"what": "rom:../secret.nes"})
    assert events(owner) == ["refused"]


def test_a_failure_ends_its_match_and_says_so(table: Table) -> None:
    player, other = table.enter(), table.enter()
    number = table.start(player)
    table.start(other)
    heard(player), heard(other)
    table.link.on_event({"event": "failed", "match": number, "message": "why"})
    assert heard(player) == [{"event": "failed", "message": "why"}]
    assert player.table is None
    assert heard(other) == []


def test_after_a_match_that_ended_another_can_begin(table: Table) -> None:
    player = table.enter()
    table.start(player)
    heard(player)
    table.link.on_event({"event": "failed", "match": 1, "message": "it has ended"})
    assert events(player) == ["failed"]
    table.start(player)
    assert len(table.link.opened) == 2


def test_how_far_the_bots_are_from_full_strength_reaches_their_own_match(table: Table) -> None:
    player, other = table.enter(), table.enter()
    number = table.start(player)
    for client in (player, other):
        heard(client)
    table.link.on_event({"event": "readiness", "match": number, "words": "compiling, 40%"})
    assert [words["words"] for words in heard(player)] == ["compiling, 40%"]
    assert heard(other) == []


def test_a_flood_of_texts_or_inputs_ends_the_connection(table: Table) -> None:
    player = table.enter()
    with pytest.raises(Refused, match="too many messages"):
        repeat(10 * TEXTS_A_SECOND, lambda _: table.say(player, type="pause"))
    other = table.enter()
    table.start(other)
    with pytest.raises(Refused, match="too many inputs"):
        repeat(10 * INPUTS_A_SECOND, lambda number: table.lobby.hear_input(other, pack_input(Input(0, number, Pad.A))))
    assert len(table.link.inputs) <= 3 * INPUTS_A_SECOND


def repeat(times: int, act: Callable[[int], object]) -> None:
    for number in range(times):
        act(number)


def story_within(story: Callable[[], Awaitable[None]], away: float) -> None:
    """Run a story in an event loop in which absent players are given up soon."""
    before = lobby_module.AWAY_SECONDS
    lobby_module.AWAY_SECONDS = away  # type: ignore[misc]
    try:
        asyncio.run(story())  # type: ignore[arg-type]
    finally:
        lobby_module.AWAY_SECONDS = before  # type: ignore[misc]
