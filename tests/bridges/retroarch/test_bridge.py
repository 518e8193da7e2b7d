"""The RetroArch bridge against a scripted one: frames, reads, pads, losses, and what it says when something is off."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from itertools import pairwise

import pytest

from emubot.bridges import notices
from emubot.bridges.check import check_bridge
from emubot.bridges.checked_pads import PadAddresses
from emubot.bridges.protocol import RAM_SIZE, Bridge, Remote
from emubot.bridges.retroarch import RetroArchBridge, bridge, connect
from emubot.errors import BridgeClosed, BridgeError, EmulatorNotFound, UsageError
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from tests.bridges.retroarch.fake import CLOCK, PADS, FakeRetroArch, Mischief

pytestmark = pytest.mark.xdist_group("ports")


def as_it_is(answers: list[bytes]) -> list[bytes]:
    return answers


def attached(fake: FakeRetroArch, patience: float = 5.0) -> RetroArchBridge:
    return connect(port=fake.port, pad_port=fake.pad_port, patience=patience)


@pytest.fixture
def emulator(fake: FakeRetroArch) -> Iterator[RetroArchBridge]:
    """A bridge that follows the pads, by the clock."""
    with attached(fake) as found:
        found.follow("ram", [(PADS[0], 2)], CLOCK)
        yield found


def test_it_keeps_what_the_protocol_promises(fake: FakeRetroArch) -> None:
    check_bridge(lambda: attached(fake), PadAddresses(CLOCK, PADS))


def test_facts(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    assert isinstance(emulator, Bridge)
    assert isinstance(emulator, Remote)
    facts = emulator.facts
    assert (facts.name, facts.emulator) == ("retroarch", "RetroArch 1.14.0, FCEUmm")
    assert (facts.latency, facts.lock_step, facts.save_states) == (1, False, False)
    assert facts.spaces == {"ram": (0, RAM_SIZE)}
    assert facts.rom_identity == "file:DFB97C4B"
    assert emulator.view("ram") is None


def test_frames_are_counted_by_the_clock(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    first = emulator.advance()
    assert [emulator.advance() - first for _ in range(300)] == list(range(1, 301)), "past 255 too"


def test_missed_frames_are_told(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    emulator.advance()
    fake.frames_a_poll = 7
    emulator.advance()  # answered before the first seven
    numbers = [emulator.advance() for _ in range(40)]
    steps = [after - before for before, after in pairwise(numbers)]
    assert {step % 7 for step in steps} == {0}, "what is asked again on a busy machine is one more poll"
    assert steps.count(7) > 30
    assert emulator.epoch == 0


def test_a_frame_is_waited_for(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    first = emulator.advance()
    fake.frames_a_poll = 0
    fake.mischief.extend([as_it_is] * 5)

    def go_on(answers: list[bytes]) -> list[bytes]:
        fake.frames_a_poll = 1
        return answers

    fake.mischief.append(go_on)
    assert emulator.advance() == first + 1
    assert emulator.advance() == first + 2
    assert not fake.mischief


def test_one_request_a_frame_reads_all_that_is_followed(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    emulator.follow("ram", [(0x300, 200), (0x20, 1), (0x24, 1)], CLOCK)
    emulator.advance()
    fake.asked.clear()
    emulator.advance()
    assert fake.asked == ["GET_STATUS", "READ_CORE_MEMORY 10 21", "READ_CORE_MEMORY 300 200"]
    fake.asked.clear()
    assert emulator.read("ram", 0x2F0, 0x20) == bytes(16) + bytes(range(16)), "what is not followed reads as 0"
    assert fake.asked == []


@pytest.mark.parametrize("clock", ["ram", "wram"])
def test_both_memories_are_read_in_one_request(fake: FakeRetroArch, clock: str) -> None:
    fake.wram = bytearray(range(256)) * 32
    with attached(fake) as emulator:
        assert emulator.facts.spaces == {"ram": (0, RAM_SIZE), "wram": (0x6000, 0x2000)}
        emulator.follow("ram", [(CLOCK, 1), (0x24, 1)], CLOCK if clock == "ram" else None)
        emulator.follow("wram", [(0x6010, 4)], None)
        if clock == "wram":

            def tick(answers: list[bytes]) -> list[bytes]:
                fake.wram[0] = (fake.wram[0] + 1) % 256
                return answers

            fake.mischief.extend([tick] * 40)
            emulator.follow("wram", [(0x6010, 4)], 0x6000)
            emulator.follow("ram", [(CLOCK, 1), (0x24, 1)], None)
        first = emulator.advance()
        fake.asked.clear()
        assert emulator.advance() > first
        assert [line.split()[1] for line in fake.asked[1:3]] == ["10", "6010" if clock == "ram" else "6000"]
        fake.asked.clear()
        assert emulator.read("wram", 0x600F, 3) == bytes([0, 0x10, 0x11])
        assert emulator.read("ram", 0x23, 2) == bytes([0, 0x24])
        assert fake.asked == []


def test_without_a_clock_frames_go_by_the_time_of_day(fake: FakeRetroArch, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    with attached(fake) as emulator:
        emulator.follow("ram", [(PADS[0], 2)], None)
        monkeypatch.setattr(bridge, "monotonic", lambda: now[0])
        monkeypatch.setattr(bridge, "sleep", sleep)
        assert [emulator.advance() for _ in range(4)] == [1, 2, 3, 4]
        assert slept == pytest.approx([1 / FRAME_RATE_NTSC] * 3)
        now[0] += 3.5 / FRAME_RATE_NTSC
        assert emulator.advance() == 7, "two were missed"
        assert [emulator.advance(), emulator.advance()] == [8, 9]
        assert emulator.epoch == 0


def test_reads_on_demand_before_anything_is_followed(fake: FakeRetroArch) -> None:
    with attached(fake) as emulator:
        assert emulator.read("ram", 0x3F0, 32) == (bytes(range(256)) * 8)[0x3F0:0x410]
        assert emulator.read("ram", 0, 0) == b""


@pytest.mark.parametrize(("space", "address", "length"), [("wram", 0x6000, 1), ("ram", 0x7FF, 2), ("ram", -1, 1)])
def test_what_is_not_there_is_refused(emulator: RetroArchBridge, space: str, address: int, length: int) -> None:
    with pytest.raises(UsageError):
        emulator.read(space, address, length)
    with pytest.raises(UsageError):
        emulator.follow(space, [(address, length)], None)


def test_a_core_without_memory_map_is_read_by_the_other_command(fake: FakeRetroArch) -> None:
    fake.memory_map = False
    fake.status = "GET_STATUS PLAYING Nestopia,a game,crc32=dfb97c4b\n"
    with attached(fake) as emulator:
        emulator.follow("ram", [(0x400, 0x200)], CLOCK)
        emulator.advance()
        assert emulator.read("ram", 0x400, 0x200) == bytes(range(256)) * 2


def test_a_core_that_shows_nothing_is_named_with_the_remedy(fake: FakeRetroArch) -> None:
    fake.memory_map = fake.shows_ram = False
    fake.status = "GET_STATUS PLAYING QuickNES,a game,crc32=dfb97c4b\n"
    with pytest.raises(BridgeError, match=r"QuickNES.*READ_CORE_MEMORY: no memory map defined.*FCEUmm"):
        attached(fake)


def test_a_press_is_read_after_the_latency(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    emulator.advance()
    for pad in (Pad.LEFT, Pad.NONE, Pad.A):
        emulator.press(0, pad)
        before = emulator.read("ram", PADS[0], 1)
        for _ in range(emulator.facts.latency):
            emulator.advance()
            assert emulator.read("ram", PADS[0], 1) == before
        emulator.advance()
        assert emulator.read("ram", *PADS) == bytes([pad]) + bytes(PADS[1] - 1)


def test_both_ports_and_none_that_was_not_pressed(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    emulator.press(1, Pad.START)
    for _ in range(3):
        emulator.advance()
    assert emulator.read("ram", PADS[0], 2) == bytes([0, Pad.START])
    assert fake.packets[0] == []
    emulator.press(0, Pad.B)
    for _ in range(3):
        emulator.advance()
    assert emulator.read("ram", PADS[0], 2) == bytes([Pad.B, Pad.START])


def test_close_releases_the_pads(fake: FakeRetroArch) -> None:
    emulator = attached(fake)
    emulator.follow("ram", [(PADS[0], 2)], CLOCK)
    for _ in range(4):
        emulator.press(0, Pad.LEFT | Pad.A)
        emulator.advance()
    emulator.close()
    emulator.close()
    with pytest.raises(BridgeClosed):
        emulator.advance()
    with pytest.raises(BridgeClosed):
        emulator.press(0, Pad.A)
    with pytest.raises(BridgeClosed):
        emulator.read("ram", 0, 1)
    with attached(fake) as again:
        again.follow("ram", [(PADS[0], 2)], CLOCK)
        for _ in range(4):
            again.advance()
        assert again.read("ram", PADS[0], 2) == bytes(2)


def test_a_port_that_is_released_is_no_longer_written(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    emulator.press(0, Pad.LEFT)
    for _ in range(3):
        emulator.advance()
    emulator.release(0)
    emulator.release(1)
    for _ in range(3):
        emulator.advance()
    assert emulator.read("ram", PADS[0], 2) == bytes(2)
    fake.packets[0].clear()
    for _ in range(10):
        emulator.advance()
    assert fake.packets == [[], []]
    emulator.press(0, Pad.B)
    for _ in range(3):
        emulator.advance()
    assert emulator.read("ram", PADS[0], 2) == bytes([Pad.B, 0])


def test_opposite_directions_and_other_ports_are_refused(emulator: RetroArchBridge) -> None:
    with pytest.raises(UsageError):
        emulator.press(0, Pad.LEFT | Pad.RIGHT)
    with pytest.raises(UsageError):
        emulator.press(2, Pad.A)


@pytest.mark.usefixtures("hasty")
def test_lost_answers_are_asked_for_again(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    first = emulator.advance()
    ways: list[Mischief] = [lambda answers: [], lambda answers: answers[:-1], lambda answers: answers[1:], fake.late]
    for lost in ways:
        fake.mischief.append(lost)
        now = emulator.advance()
        assert now >= first + 2, "a frame went by with the lost answer"
        first = now
    assert emulator.epoch == 0


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
def test_after_a_long_silence_everything_begins_anew(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    emulator.advance()
    emulator.press(0, Pad.LEFT)
    emulator.advance()
    silence = 6  # requests: 0.05 + 0.1 + 0.2 + 0.4 s are more than half a second, with two of 0.8 s and 1 s more
    fake.mischief.extend([lambda answers: []] * silence)
    emulator.advance()
    assert emulator.epoch == 1
    for _ in range(10):
        emulator.advance()
    assert emulator.read("ram", *PADS)[:1] == bytes(1), "what was held is let go"


@pytest.mark.usefixtures("hasty")
def test_a_retroarch_that_is_gone_is_an_error_after_the_patience(fake: FakeRetroArch) -> None:
    with attached(fake, patience=0.2) as emulator:
        emulator.follow("ram", [(PADS[0], 2)], CLOCK)
        emulator.advance()
        fake.close()
        with pytest.raises(BridgeError, match="does not answer any more"):
            emulator.advance()


def test_a_game_that_was_closed_is_an_error_after_the_patience(fake: FakeRetroArch) -> None:
    with attached(fake, patience=0.2) as emulator:
        fake.status = "GET_STATUS CONTENTLESS\n"
        with pytest.raises(BridgeError, match="runs no game any more"):
            emulator.advance()


def test_another_game_is_an_error(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    emulator.advance()
    fake.status = "GET_STATUS PLAYING FCEUmm,another,crc32=00000001\n"
    with pytest.raises(BridgeError, match=r"now runs another .* instead of a game, by us"):
        emulator.advance()


def test_a_clock_that_went_back_is_another_machine(fake: FakeRetroArch, emulator: RetroArchBridge) -> None:
    first = emulator.advance()
    fake.ram[CLOCK] = (fake.ram[CLOCK] - 50) % 256
    assert emulator.advance() == first + 1
    assert emulator.epoch == 1
    assert emulator.advance() == first + 2
    assert emulator.epoch == 1


def test_a_pause_is_waited_out_and_said(
    fake: FakeRetroArch, emulator: RetroArchBridge, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "_FIRST", (0.0,))
    first = emulator.advance()
    playing, fake.status = fake.status, fake.status.replace("PLAYING", "PAUSED")
    fake.mischief.extend([as_it_is] * 3)

    def go_on(answers: list[bytes]) -> list[bytes]:
        fake.status = playing
        return answers

    fake.mischief.append(go_on)
    with caplog.at_level(logging.WARNING):
        assert emulator.advance() == first + 1, "the frame that was played before the pause"
        assert emulator.advance() == first + 2
    assert "stands still" in caplog.text


def test_nothing_is_held_in_a_pause_for_it_would_steer_the_menu(
    fake: FakeRetroArch, emulator: RetroArchBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge, "_STALL", 0.0)
    for _ in range(3):
        emulator.press(0, Pad.LEFT | Pad.A)
        emulator.advance()
    fake.frames_a_poll = 0
    fake.packets[0].clear()
    fake.mischief.extend([as_it_is] * 4)

    def go_on(answers: list[bytes]) -> list[bytes]:
        fake.frames_a_poll = 1
        return answers

    fake.mischief.append(go_on)
    for _ in range(2):  # the first was played before
        emulator.advance()
    assert not fake.mischief
    assert fake.ram[PADS[0]] == 0
    emulator.press(0, Pad.A)
    for _ in range(2):
        emulator.advance()
    assert fake.ram[PADS[0]] == Pad.A


def test_a_retroarch_that_listens_for_no_pads_is_told_which_option(fake: FakeRetroArch) -> None:
    deaf = FakeRetroArch(listens_for_pads=False)
    try:
        with attached(deaf) as emulator:
            emulator.follow("ram", [(PADS[0], 2)], CLOCK)

            def press() -> None:
                for _ in range(4):
                    emulator.press(1, Pad.A)
                    emulator.advance()

            with pytest.raises(BridgeError, match=rf"UDP port {deaf.pad_port + 1}.*Network RetroPad"):
                press()
    finally:
        deaf.close()


@pytest.mark.usefixtures("hasty")
def test_a_refusal_of_a_retroarch_that_is_gone_is_not_the_next_ones(fake: FakeRetroArch) -> None:
    with attached(fake) as emulator:
        emulator.follow("ram", [(PADS[0], 2)], CLOCK)
        emulator.press(0, Pad.A)
        emulator.advance()
        ports = (fake.port, fake.pad_port)
        fake.close()
        emulator.press(0, Pad.B)  # to nobody, and to nobody again as the next frame is waited for

        again: list[FakeRetroArch] = []
        starting = threading.Timer(0.3, lambda: again.append(FakeRetroArch(ports=ports)))
        starting.start()
        try:
            for _ in range(12):
                emulator.advance()
            assert emulator.epoch == 1
            assert emulator.read("ram", PADS[0], 2) == bytes(2)
        finally:
            starting.join()
            again[0].close()


def test_nobody_there(fake: FakeRetroArch) -> None:
    fake.close()
    with pytest.raises(EmulatorNotFound, match=r"Network Commands.*--appendconfig"):
        attached(fake)
    with pytest.raises(EmulatorNotFound):
        connect(port=fake.port, wait=0.2)


def test_a_retroarch_in_its_menu_is_waited_for(fake: FakeRetroArch) -> None:
    playing, fake.status = fake.status, "GET_STATUS CONTENTLESS\n"
    with pytest.raises(EmulatorNotFound, match="runs no game"):
        attached(fake)

    def load(answers: list[bytes]) -> list[bytes]:
        fake.status = playing
        return answers

    fake.mischief.append(load)
    connect(port=fake.port, wait=5.0).close()


def test_a_speed_cannot_be_asked_for(fake: FakeRetroArch) -> None:
    with pytest.raises(UsageError, match="set it there"):
        connect(port=fake.port, emu_speed=2.0)


@pytest.mark.usefixtures("hasty")
def test_something_else_on_that_port(fake: FakeRetroArch) -> None:
    fake.mischief.append(lambda answers: [b"hello"] * 2)
    with pytest.raises(EmulatorNotFound):
        attached(fake)
