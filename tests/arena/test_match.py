"""Matches frame by frame: who meets whom, who wins, what a person's keys do, and what a pause stops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emubot.arena.match import COUNTDOWN, GO_ON, ArenaMatch
from emubot.arena.side import BotSide
from emubot.arena.wire import Input, Stage
from emubot.errors import UsageError
from emubot.pad import Pad
from tests.arena.playing import begin, drop, match_of, play, side

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("arena-match")]


def boards(match: ArenaMatch) -> list[tuple[bytes, int | None, int]]:
    return [(one.board.cells, one.board.score, one.board.pieces) for one in match.sides]


def placements(match: ArenaMatch) -> tuple[bytes, ...]:
    return tuple(one.board.cells for one in match.sides)


def test_a_countdown_then_the_game_runs() -> None:
    match = match_of(side("blocks"))
    for _ in range(COUNTDOWN - 1):
        match.tick()
        assert (match.stage, match.frames) == (Stage.COUNTDOWN, 0)
    play(match, 11)
    assert (match.stage, match.frames) == (Stage.PLAYING, 10)


@pytest.mark.parametrize("game", ["blocks", "blocks-pal", "pairs", "pairs-tsu"])
def test_a_person_alone_plays_until_the_field_is_full(game: str) -> None:
    match = begin(match_of(side(game)))
    drop(match, 0, 20_000)
    assert match.finished
    result = match.result()
    assert result["winner"] is None
    assert result["sides"][0]["pieces"] >= 5


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "games",
    [
        *(("blocks", "blocks"), ("pairs", "pairs"), ("blocks", "pairs"), ("pairs", "blocks")),
        *(("pairs-tsu", "pairs-tsu"), ("pairs-tsu", "pairs"), ("blocks", "pairs-tsu")),
    ],
)
def test_the_bot_wins_against_someone_who_only_drops(games: tuple[str, str]) -> None:
    match = begin(match_of(side(games[0]), side(games[1], "full")))
    drop(match, 0, 20_000)
    assert match.finished
    assert match.result()["winner"] == 1


def test_the_result_has_the_longest_chain_and_not_the_one_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of(side("pairs"))
    player = match.sides[0]
    shown = player.snapshot()
    for chain in (1, 2, 3, 0, 1):
        told = replace(shown, counters={**shown.counters, "chain": chain})
        monkeypatch.setattr(player, "snapshot", lambda told=told: told)
        player.after(0)
    assert player.board.count == 1
    assert match.result()["sides"][0]["count"] == match.figures()[0]["count"] == 3


def test_both_sides_get_the_same_pieces() -> None:
    for game in ("blocks", "pairs"):
        match = begin(match_of(side(game), side(game), seed=8))
        seen: list[list[object]] = [[], []]
        drop(match, 0, 1)
        for _ in range(600):
            match.tick()
            if match.finished:
                break
            for number, one in enumerate(match.sides):
                upcoming = [(cell.column, cell.row, cell.kind) for cell in one.board.lists[1]]
                if upcoming and upcoming != (seen[number][-1] if seen[number] else None):
                    seen[number].append(upcoming)
        shared = min(map(len, seen))
        assert shared >= 1
        assert seen[0][:shared] == seen[1][:shared]


def test_the_same_seed_is_the_same_match_and_another_seed_another() -> None:
    def after(seed: int) -> list[tuple[bytes, int | None, int]]:
        match = begin(match_of(side("blocks", "middle"), side("pairs", "middle"), seed=seed))
        play(match, 900)
        return boards(match)

    assert after(5) == after(5)
    assert after(5) != after(6)


def test_equal_bots_do_not_play_mirror_games() -> None:
    assert differs("blocks", seed=4)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["blocks", "pairs"])
def test_in_nineteen_of_twenty_matches_equal_bots_differ_within_twenty_pieces(game: str) -> None:
    assert sum(differs(game, seed) for seed in range(20)) >= 19


def differs(game: str, seed: int) -> bool:
    """Whether two equal bots have placed one of their first twenty pieces in different ways."""
    match = begin(match_of(side(game, "full"), side(game, "full"), seed=seed))
    differ = False
    while not differ and min(one.board.pieces for one in match.sides) < 20:
        match.tick()
        differ = len(set(placements(match))) == 2 and match.sides[0].board.pieces == match.sides[1].board.pieces
    return differ


def test_a_pause_stops_everything_and_drops_what_is_pressed_meanwhile() -> None:
    match = begin(match_of(side("blocks"), side("blocks", "easy")))
    play(match, 60)
    before = boards(match)
    match.pause()
    match.put(Input(0, 1, Pad.DOWN))
    play(match, 300)
    assert (match.stage, boards(match)) == (Stage.PAUSED, before)
    match.resume()
    play(match, GO_ON)
    assert match.stage is Stage.PLAYING
    play(match, 3)
    assert match.sides[0].board.pad is Pad.NONE
    assert match.frames == 60 + 3


def test_pausing_twice_or_after_the_end_is_harmless() -> None:
    match = begin(match_of(side("blocks")))
    match.pause()
    match.pause()
    match.resume()
    match.resume()
    begin(match)
    drop(match, 0, 20_000)
    match.pause()
    assert match.stage is Stage.OVER


def test_inputs_for_a_bot_or_for_nobody_are_dropped() -> None:
    def watched(meddle: bool) -> list[tuple[bytes, int | None, int]]:
        match = begin(match_of(side("blocks", "middle"), side("blocks", "easy")))
        for number in range(600):
            if meddle:
                for one in (0, 1, 7):
                    match.put(Input(one, number, Pad.DOWN | Pad.LEFT))
            match.tick()
        return boards(match)

    assert watched(meddle=True) == watched(meddle=False)


def test_a_bot_presses_no_more_than_its_speed_allows() -> None:
    match = begin(match_of(side("blocks", "middle"), side("pairs", "easy")))
    presses: list[list[int]] = [[], []]
    before = [Pad.NONE, Pad.NONE]
    for frame in range(1500):
        if match.finished:
            break
        match.tick()
        for number, one in enumerate(match.sides):
            pad = Pad(match._own[number].bridge._held[one.player])
            if pad & ~before[number] & ~Pad.DOWN:
                presses[number].append(frame)
            before[number] = pad
    for number, period in ((0, 8), (1, 13)):  # of speeds 5 and 3
        gaps = [later - earlier for earlier, later in zip(presses[number], presses[number][1:], strict=False)]
        assert gaps
        assert min(gaps) >= period


def test_games_of_different_frame_rates_do_not_meet() -> None:
    with pytest.raises(UsageError, match="different frame rates"):
        match_of(side("blocks-pal"), side("pairs"))


@pytest.mark.parametrize(("game", "rules"), [("blocks", {"level": 18}), ("pairs", {"colors": 4, "level": 9})])
def test_the_rules_that_were_chosen_are_played(game: str, rules: dict[str, int]) -> None:
    match = begin(match_of(side(game, None, **rules), side(game, None, **rules)))
    play(match, 60)
    assert {one.board.level for one in match.sides} == ({18} if game == "blocks" else {9})


def test_the_decisions_of_a_bot_do_not_depend_on_the_generator() -> None:
    """What is not shown is altered in the machine's RAM as the bot sees it; it presses the same."""
    match = begin(match_of(side("blocks", "full")))
    bot = match.sides[0]
    assert isinstance(bot, BotSide)
    hidden = [
        address
        for name, value in bot.console.edition.ram_map.document.values.items()
        if value.hidden_from_search
        for address in bot.console.edition.ram_map.addresses(name)
    ]
    assert hidden
    snapshot = bot.pilot._decode(bytes(2048))
    ram = bytearray(match._own[0].bridge.view("ram").tobytes())
    before = bot.pilot._decode(bytes(ram))
    for address in hidden:
        ram[address] ^= 0xFF
    after = bot.pilot._decode(bytes(ram))
    assert (before.current, before.next, dict(before.counters)) == (after.current, after.next, dict(after.counters))
    assert snapshot is not None
