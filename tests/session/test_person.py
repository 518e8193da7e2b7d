"""A person against the bot: the game for two begins by itself, the pad is theirs in it, and they ask for the next."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.pad import Pad
from emubot.pilot import Match
from emubot.pilot.waiting import Waiting
from emubot.rammap import load_map
from emubot.session import emulators, session
from emubot.session.person import Person, Wish
from emubot.session.request import SessionRequest
from emubot.session.session import Session, open_session
from emubot.snapshot import Phase
from tests.pilot.test_waiting import Clock

GRACE = 60  # frames


class Sitting:
    """A session against a person on the simulator. Notes what the bot writes, and what the game then reads."""

    def __init__(self, opened: Session, human: int) -> None:
        self.opened, self.human = opened, human
        self.match = Match([opened.pilot(seat, opened.goal(None, None)) for seat in opened.seats])
        self.person = Person(opened, self.match, human)
        self.bot: list[tuple[int, Pad]] = []
        self.read: list[Pad] = []  # from the person's port
        bridge = opened.bridges[0]
        assert isinstance(bridge, SimulatedBridge)
        self.held: Any = bridge._held
        press = bridge.press
        self._writes = False

        def noted(port: int, pad: Pad) -> None:
            if self._writes:
                self.bot.append((port, pad))
            press(port, pad)

        bridge.press = noted  # type: ignore[method-assign]

    def frame(self, pad: Pad = Pad.NONE) -> Wish:
        """Play a frame, then hold this pad as the window does."""
        self.read.append(Pad(self.held[self.human]))
        self._writes = True
        self.match.step()
        self._writes = False
        self.person.hold(pad)
        return self.person.wish

    def until(self, wish: Wish, pad: Pad = Pad.NONE, most: int = 4000) -> int:
        """Play until the person is waited for like that; returns the frames."""
        for frame in range(most):
            if self.frame(pad) is wish:
                return frame
        raise AssertionError(f"never {wish}")

    @property
    def mode(self) -> int:
        ram_map = self.opened.edition.ram_map
        return ram_map.reader().value(self.opened.bridges[0].read("ram", 0, 2048), "mode")


@pytest.fixture(params=[("puyo", 0), ("puyo", 1), ("capsules", 0)], ids=lambda made: f"{made[0]}-{made[1] + 1}")
def sitting(request: pytest.FixtureRequest) -> Iterator[Sitting]:
    demo, human = request.param
    game = {"puyo": "demo_pairs", "capsules": "demo_capsules"}[demo]
    wanted = SessionRequest(bridge="simulated", map=game, human=human)
    with contextlib.closing(open_session(wanted)) as opened:
        yield Sitting(opened, human)


def test_the_game_for_two_begins_by_itself_whatever_the_person_presses(sitting: Sitting) -> None:
    person, frame = Pad.START | Pad.SELECT, 0
    while sitting.frame(person if frame % 3 else Pad.NONE) is not Wish.PLAY:
        frame += 1
        assert frame < 600
    assert sitting.mode == 2
    sitting.bot.clear()
    sitting.read.clear()
    for frame in range(300):
        sitting.frame((Pad.LEFT, Pad.RIGHT | Pad.A, Pad.NONE)[frame // 5 % 3])
    assert {port for port, _ in sitting.bot} == {1 - sitting.human}, "the person's pad is theirs"
    assert set(sitting.read[1:]) == {Pad.LEFT, Pad.RIGHT | Pad.A, Pad.NONE}


def test_the_end_stays_until_the_person_asks_for_the_next_game(sitting: Sitting) -> None:
    sitting.until(Wish.PLAY)
    sitting.until(Wish.NEXT_GAME, Pad.DOWN)
    sitting.bot.clear()
    assert [sitting.frame(Pad.DOWN) for _ in range(600)] == [Wish.NEXT_GAME] * 600
    assert sitting.bot == [], "nothing is pressed while the person looks at the end"
    assert set(sitting.read[-500:]) == {Pad.NONE}
    sitting.frame(Pad.START)
    assert sitting.until(Wish.PLAY) < 600
    assert sitting.mode == 2


def test_a_counts_as_asking_only_after_a_moment(sitting: Sitting) -> None:
    sitting.until(Wish.PLAY)
    sitting.until(Wish.NEXT_GAME, Pad.DOWN)
    for frame in range(GRACE // 2):
        assert sitting.frame(Pad.A if frame % 2 else Pad.NONE) is Wish.NEXT_GAME, "it was meant for the game that ended"
    for _ in range(GRACE):
        assert sitting.frame() is Wish.NEXT_GAME
    assert sitting.frame(Pad.A) is Wish.WAIT


def test_a_person_pauses_and_goes_on(sitting: Sitting) -> None:
    if sitting.human:
        return  # START of port 1 pauses
    sitting.until(Wish.PLAY)
    for _ in range(60):
        sitting.frame()
    sitting.frame(Pad.START)
    assert sitting.until(Wish.GO_ON) < 30
    for _ in range(30):
        assert sitting.frame() is Wish.GO_ON
    sitting.frame(Pad.START)
    assert sitting.until(Wish.PLAY) < 30


@pytest.fixture
def elsewhere(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[Sitting]:
    """The same in an emulator that the person started: their pad is theirs in menus too; it is pad 1 by default."""
    monkeypatch.setattr(emulators, "runs_elsewhere", lambda _: True)
    caplog.set_level(logging.WARNING)
    human = getattr(request, "param", 0)
    wanted = SessionRequest(bridge="simulated", human=human)
    with contextlib.closing(session._on_our_own(wanted, load_map("demo_pairs"), None)) as opened:
        yield Sitting(opened, human)


def obeyed(sitting: Sitting, caplog: pytest.LogCaptureFixture, seconds: int) -> list[str]:
    """Play for so long, with a person who does what they are told; returns what that was."""
    (pilot,), clock, told = sitting.match.pilots, Clock(), []
    pilot.waiting = Waiting(sitting.opened.edition.ram_map, 1, clock)
    for frame in range(20 * seconds):
        clock.now = frame / 20  # a message comes after a second of a wait
        sitting.frame()
        pad = Pad.NONE
        for message in caplog.messages:
            told.append(message.partition(" (")[0])
            pad = Pad[message.split()[4]] if "press" in message else pad
        caplog.clear()
        sitting.opened.bridges[0].press(0, pad)
        if pilot.in_game:
            break
    return told


def test_a_person_in_an_emulator_of_their_own_is_told_each_button_to_the_game_for_two(
    elsewhere: Sitting, caplog: pytest.LogCaptureFixture
) -> None:
    told = obeyed(elsewhere, caplog, 60)
    press = "waiting for you: press {} on pad 1".format
    assert list(dict.fromkeys(told)) == [press("START"), press("SELECT")]
    assert told[-1] == press("START")
    assert elsewhere.mode == 2
    for _ in range(300):
        elsewhere.frame()
    assert {port for port, _ in elsewhere.bot} == {1}


def test_a_person_who_plays_a_game_for_one_is_told_what_the_bot_waits_for(
    elsewhere: Sitting, caplog: pytest.LogCaptureFixture
) -> None:
    for frame in range(400):
        elsewhere.opened.bridges[0].press(0, Pad.START if frame in (100, 200) else Pad.NONE)
        elsewhere.match.step()
    told = obeyed(elsewhere, caplog, 4)
    assert told[-1].startswith("waiting for the game for two: this is a game for one player")
    assert elsewhere.mode == 0
    assert all(port == 1 for port, _ in elsewhere.bot)


@pytest.mark.parametrize("elsewhere", [1], indirect=True)
def test_at_pad_2_of_an_emulator_of_their_own_a_person_sees_the_end_before_the_bot_goes_on(elsewhere: Sitting) -> None:
    elsewhere.until(Wish.PLAY)
    while elsewhere.match.pilots[0].phase is not Phase.OVER:
        elsewhere.frame(Pad.DOWN)
    elsewhere.bot.clear()
    for _ in range(290):
        elsewhere.frame()
    assert not any(pad for _, pad in elsewhere.bot)
    assert elsewhere.until(Wish.PLAY) < 600
    assert elsewhere.mode == 2
    assert {port for port, _ in elsewhere.bot} == {0}


@pytest.mark.parametrize("writes", [False, True], ids=["nobody's", "the bot's"])
def test_the_menus_port_is_released_at_the_beginning_of_a_game_unless_the_bot_holds_it(writes: bool) -> None:
    """A person at port 2 has chosen with port 1, which is the bot's in the game: its first input stays."""
    released: list[int] = []
    outside = SimpleNamespace(held=False, on_its_way=False)
    pilot = SimpleNamespace(phase=Phase.MENU, in_game=False, outside=outside, writes=lambda port: writes and port == 0)
    bridge = SimpleNamespace(press=lambda port, pad: None, release=released.append)
    opened: Any = SimpleNamespace(bridges=[bridge])
    match: Any = SimpleNamespace(pilots=[pilot])
    person = Person(opened, match, human=1)
    person.hold(Pad.START)
    pilot.phase, pilot.in_game = Phase.PLAYING, True
    person.hold(Pad.NONE)
    assert released == ([] if writes else [0])
