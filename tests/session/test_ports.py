"""Who sits where, and who chooses in the menus: one bot, two, a person, maps that know the way and maps that do not."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from emubot.errors import UsageError
from emubot.rammap import load_map
from emubot.session import emulators, session
from emubot.session.request import SessionRequest
from tests.bridges.cores import require_core


def seats(request: SessionRequest) -> tuple[list[tuple[int, bool]], int, dict[str, int]]:
    """(port, leads) of each bot, how many consoles, and what the menus are asked for."""
    with contextlib.closing(session.open_session(request)) as opened:
        return [(seat.port, seat.leads) for seat in opened.seats], len(opened.bridges), opened.menu_choices


def puyo(**more: object) -> SessionRequest:
    return SessionRequest(demo="puyo", bridge="simulated", **more)  # type: ignore[arg-type]


def tetris(**more: object) -> SessionRequest:
    return SessionRequest(demo="tetris", bridge="simulated", **more)  # type: ignore[arg-type]


def test_one_bot_sits_at_port_1_and_leads() -> None:
    assert seats(puyo()) == ([(0, True)], 1, {})
    assert seats(puyo(mode="endless", menu_choices={"level": 3})) == ([(0, True)], 1, {"level": 3, "mode": 0})
    assert seats(tetris(menu_choices={"level": 18})) == ([(0, True)], 1, {"level": 18})


def test_two_bots_meet_on_one_console_where_the_game_has_that() -> None:
    assert seats(puyo(against_itself=True)) == ([(0, True), (1, False)], 1, {"mode": 2})
    assert seats(tetris(against_itself=True)) == ([(0, True), (0, True)], 2, {})


def test_against_a_person_the_bot_leads_the_way_to_the_game_for_two() -> None:
    assert seats(puyo(human=0)) == ([(1, True)], 1, {"mode": 2})
    assert seats(puyo(human=1)) == ([(0, True)], 1, {"mode": 2})
    with pytest.raises(
        UsageError, match=r"no game for two .*: take --demo puyo or capsules, or meet the bot in the browser"
    ):
        seats(tetris(human=0))


def test_the_bot_presses_a_person_s_pad_in_the_menus_of_its_own_console_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for elsewhere in (False, True):
        monkeypatch.setattr(emulators, "runs_elsewhere", lambda _, there=elsewhere: there)
        for human in (0, 1):
            with contextlib.closing(session._on_our_own(puyo(human=human), load_map("demo_pairs"), None)) as opened:
                (pilot,) = [opened.pilot(seat, opened.goal(None, 1)) for seat in opened.seats]
                assert pilot.outside.menu.ports == ({1 - human} if elsewhere else {0, 1})
                assert pilot.outside.serves is not elsewhere


def test_a_game_for_two_with_one_player_says_so() -> None:
    heard: list[str] = []
    assert seats(puyo(mode="versus", say=heard.append)) == ([(0, True)], 1, {"mode": 2})
    assert heard == ["--mode versus alone leaves pad 2 to nobody: add AIvsAI for two bots, or --human 2 for you."]
    assert seats(puyo(mode="versus", human=0, say=heard.append)) == ([(1, True)], 1, {"mode": 2})
    assert len(heard) == 1


def test_what_the_menus_cannot_give_is_refused_before_anything_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulators, "start_emulator", lambda *_: pytest.fail("it was opened"))
    for request, said in (
        (puyo(menu_choices={"level": 16}), "has level 0 to 15, not 16"),
        (puyo(menu_choices={"colors": 3}), "has colors 4 to 6, not 3"),
        (tetris(mode="versus"), "has no such mode"),
        (tetris(menu_choices={"colors": 4}), "has no choice of colors"),
    ):
        with pytest.raises(UsageError, match=said):
            session.open_session(request)


@pytest.mark.core("fceumm")
def test_a_map_that_does_not_know_the_way_leaves_the_choice_to_the_person() -> None:
    heard: list[str] = []
    unsure = SessionRequest(demo="puyo", map="famicom_puyo", core=str(require_core("fceumm")), say=heard.append)
    with pytest.raises(UsageError, match="take --view window and choose it yourself"):
        session.open_session(replace(unsure, against_itself=True))
    assert seats(replace(unsure, against_itself=True, by_hand=True)) == ([(0, False), (1, False)], 1, {})
    assert [said[:32] for said in heard] == ["choose the game for two yourself"]
    with pytest.raises(UsageError, match="no choice of mode"):
        session.open_session(replace(unsure, mode="versus"))
