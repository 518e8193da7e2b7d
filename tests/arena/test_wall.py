"""A wall of bots without a page: its games are those of single matches, and its table counts them."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from emubot.arena.catalogue import offered
from emubot.arena.entrants import listed
from emubot.arena.match import ArenaMatch
from emubot.arena.orders import Close, OpenWall
from emubot.arena.request import Do, MatchRequest, SideRequest, StartWall, WallRequest, WallSeat, read_message
from emubot.arena.runner import FRAME
from emubot.arena.standings import FEW, Standings
from emubot.arena.wall import MATCHES, Schedule, Wall, skill_of
from emubot.arena.wall_runner import WallRunner
from emubot.arena.wire import Stage
from emubot.errors import UsageError

THREE = ("random", "lowest", "lowest-holes-bumps")
SEED = 11


def seats(*names: str, bot: str = "middle") -> tuple[WallSeat, ...]:
    return tuple(WallSeat(entrant=f"weights:{name}", bot=bot) for name in names)


def wall_of(*names: str, seed: int = SEED, **words: Any) -> Wall:
    return Wall(WallRequest(game="blocks", seats=seats(*names), **words), seed)


def play_wall(wall: Wall, ticks: int) -> None:
    """Play this number of ticks; the next game begins at once."""
    for _ in range(ticks):
        for place in wall.tick():
            wall.renew(place)


def alone(name: str, seed: int, pieces: int) -> tuple[int, int]:
    """The slow and obvious twin: a match of one side. Returns its score and its lines."""
    match = ArenaMatch(
        MatchRequest(sides=(SideRequest(game="blocks", bot="middle"),)),
        seed,
        skills=[skill_of(seats(name)[0], "blocks")],
    )
    while not match.finished and match.sides[0].pieces < pieces:
        match.tick()
    result = match.result()["sides"][0]
    return result["score"], result["count"]


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("same", [True, False])
def test_the_games_of_a_wall_are_those_of_single_matches(same: bool) -> None:
    wall = wall_of(*THREE, pieces=12, same=same)
    found: dict[int, list[tuple[int, int, int]]] = {0: [], 1: [], 2: []}
    while min(map(len, found.values())) < 2:
        for place in wall.tick():
            game = wall.games[place]
            side = game.match.result()["sides"][0]
            found[place].append((game.seed, side["score"], side["count"]))
            wall.renew(place)
    for place, name in enumerate(THREE):
        for number, (seed, *result) in enumerate(found[place][:2]):
            assert seed == (SEED + number if same else SEED + place + 3 * number)
            assert tuple(result) == alone(name, seed, 12)
        scores = [score for _, score, _ in found[place]]
        row = next(row for row in wall.told()["rows"] if row["entrant"] == place)
        assert (row["games"], row["best"]) == (len(scores), max(scores))
        assert row["mean"] == pytest.approx(sum(scores) / len(scores), abs=0.01)


@pytest.mark.jit
def test_equal_seats_are_one_bot_of_the_table() -> None:
    wall = wall_of("random", "lowest", "random", pieces=5)
    play_wall(wall, 900)
    told = wall.told()
    assert [board["entrant"] for board in told["boards"]] == [0, 1, 0]
    assert len(told["rows"]) == 2
    assert sum(row["games"] for row in told["rows"]) > 3
    json.dumps(told)


@pytest.mark.jit
@pytest.mark.slow
def test_in_a_tournament_each_meets_each_and_the_better_ones_win() -> None:
    request = WallRequest(
        game="blocks", seats=(*seats("random", "nes_tetris"), *seats("random", bot="full")), alone=False
    )
    wall = Wall(request, SEED)
    assert len(wall.boards) == 2 * MATCHES
    play_wall(wall, 1800)
    told = wall.told()
    played, won = told["cross"]["played"], told["cross"]["won"]
    for one in range(3):
        assert played[one][one] == 0
        for other in range(3):
            assert played[one][other] == played[other][one]
            assert won[one][other] + won[other][one] == played[one][other]
    assert min(played[0][1], played[0][2], played[1][2]) > 0
    assert won[1][0] == played[1][0]
    assert told["rows"][0]["entrant"] == 1


def test_pairs_meet_equally_often_and_play_the_same_seeds() -> None:
    request = WallRequest(game="blocks", seats=seats(*THREE), alone=False)
    schedule = Schedule(request, SEED, [0, 1, 2])
    games = [schedule.next(place % MATCHES) for place in range(9)]
    for pair in ((0, 1), (0, 2), (1, 2)):
        assert [seed for players, seed in games if players == pair] == [SEED, SEED + 1, SEED + 2]


def test_the_first_matches_of_a_tournament_have_all_bots() -> None:
    request = WallRequest(game="blocks", seats=(*seats(*THREE), *seats(*THREE, bot="full")), alone=False)
    schedule = Schedule(request, SEED, [0, 1, 2, 3, 4, 5])
    assert {one for place in range(3) for one in schedule.next(place)[0]} == {0, 1, 2, 3, 4, 5}


def test_an_interval_needs_some_games() -> None:
    standings = Standings(2)
    for score in range(FEW - 1):
        standings.add(1, score, 0)
    assert standings.rows(True)[0]["half"] is None
    standings.add(1, 4, 0)
    first, last = standings.rows(True)
    assert (first["entrant"], first["mean"], first["half"]) == (1, 2.0, pytest.approx(1.39, abs=0.01))
    assert (last["entrant"], last["mean"]) == (0, None)


@pytest.mark.few(2)
@pytest.mark.jit
@pytest.mark.parametrize("game", [*offered()])
def test_all_weights_that_ship_play_at_full_strength(game: str) -> None:
    family = offered()[game].family
    ids = [one["id"] for one in listed() if one["family"] == family and one["kind"] == "shipped"]
    assert 1 < len(ids) <= 16
    wall = Wall(WallRequest(game=game, seats=tuple(WallSeat(entrant=one, bot="full") for one in ids)), SEED)
    play_wall(wall, 240)
    assert all(board.pieces for board in wall.boards)
    wall.close()


@pytest.mark.jit
def test_weights_that_a_strength_cannot_use_are_named() -> None:
    wall = Wall(WallRequest(game="pairs", seats=seats("chains", bot="middle")), SEED)
    with pytest.raises(UsageError, match="chains: These weights"):
        play_wall(wall, 240)


@pytest.mark.parametrize(
    "entrant", ["weights:../x", "weights:/etc/passwd", "run:nobody", "run:../runs", "lowest", "own:x", ""]
)
def test_only_names_of_the_lists_are_weights(entrant: str) -> None:
    with pytest.raises(UsageError):
        skill_of(WallSeat(entrant=entrant), "blocks")


@pytest.mark.parametrize(
    "words",
    [
        {"seats": []},
        {"seats": [{"entrant": "weights:lowest"}] * 17},
        {"seats": [{"entrant": "weights:lowest", "path": "x"}]},
        {"seats": [{"entrant": 7}]},
        {"pace": 1000},
        {"pieces": -1},
        {"alone": "yes"},
        {"game": "../blocks"},
    ],
)
def test_a_wall_has_its_bounds(words: dict[str, Any]) -> None:
    wall = {"game": "blocks", "seats": [{"entrant": "weights:lowest"}]}
    message = read_message(json.dumps({"type": "wall", "wall": wall}))
    assert isinstance(message, StartWall)
    with pytest.raises(UsageError):
        read_message(json.dumps({"type": "wall", "wall": wall | words}))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (WallRequest(game="chess", seats=seats("lowest")), "no game"),
        (WallRequest(game="blocks", seats=seats("lowest", bot="deity")), "no bot"),
        (WallRequest(game="blocks", seats=seats("lowest", "lowest"), alone=False), "two bots that differ"),
    ],
)
def test_what_is_not_offered_is_refused(request_: WallRequest, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        request_.check()


def run(order: OpenWall, until: Any) -> tuple[list[bytes], list[dict[str, Any]]]:
    """Let a runner play until `until` says so of its frames and events; returns these."""
    frames: list[bytes] = []
    events: list[dict[str, Any]] = []

    def send(message: bytes) -> None:
        if message[:1] == FRAME:
            frames.append(message)
        else:
            events.append(json.loads(message))
        if until(frames, events, runner):
            runner.mail.put(Close())

    runner = WallRunner(order, 50.0, send, lambda game, match: None)
    runner.run()
    return frames, events


@pytest.mark.slow
@pytest.mark.jit
def test_a_runner_tells_the_table_as_it_grows() -> None:
    request = WallRequest(game="blocks", seats=seats(*THREE), pieces=5)

    def until(frames: list[bytes], events: list[dict[str, Any]], runner: WallRunner) -> bool:
        return len(frames) > 200 or sum(row["games"] for row in events[-1].get("rows", [])) > 3

    frames, events = run(OpenWall(match=3, request=request, seed=SEED), until)
    assert [event["event"] for event in events[:3]] == ["readiness", "opened", "standings"]
    assert all(event["match"] == 3 for event in events)
    assert sum(row["games"] for row in events[-1]["rows"]) > 3, "the next games have begun"
    assert max(board["seed"] for board in events[-1]["boards"]) > SEED
    assert frames[-1][5 + 8] == 3, "boards of a frame"


@pytest.mark.jit
def test_a_paused_wall_stands_still() -> None:
    def until(frames: list[bytes], events: list[dict[str, Any]], runner: WallRunner) -> bool:
        if len(frames) == 5:
            runner.mail.put(Do(type="pause"))
        if frames and frames[-1][5 + 5] == Stage.PAUSED:
            threading.Timer(0.3, runner.mail.put, [Do(type="resume")]).start()
        return len(frames) >= 12

    frames, _ = run(OpenWall(match=0, request=WallRequest(game="blocks", seats=seats("lowest")), seed=1), until)
    stages = [frame[5 + 5] for frame in frames]
    assert stages.count(Stage.PAUSED) == 1
    assert len(stages) >= 12


@pytest.mark.jit
def test_a_failure_of_a_wall_is_told() -> None:
    request = WallRequest(game="blocks", seats=seats("famicom_puyo"))
    _, events = run(OpenWall(match=0, request=request, seed=1), lambda *_: False)
    assert events[-1]["event"] == "failed"
    assert "are for puyo, not for tetris" in events[-1]["message"]
