"""The network commands: what is asked, and which answer belongs to which question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.retroarch.commands import Commands, Status, parse_read, parse_status, plan_reads
from emubot.errors import BridgeError
from tests.bridges.retroarch.fake import CLOCK, FakeRetroArch

pytestmark = pytest.mark.xdist_group("ports")

spans = st.lists(
    st.tuples(st.integers(0, 0x7FF), st.integers(0, 300)).map(lambda span: (span[0], min(span[1], 0x800 - span[0])))
)


@given(spans)
def test_every_byte_is_asked_for_and_no_read_leaves_its_kilobyte(ranges: list[tuple[int, int]]) -> None:
    reads = plan_reads(ranges)
    asked = {address + offset for address, length in reads for offset in range(length)}
    assert {address + offset for address, length in ranges for offset in range(length)} <= asked
    assert all(address // 1024 == (address + length - 1) // 1024 for address, length in reads)
    assert sum(length for _, length in reads) == len(asked)


def test_many_scattered_bytes_still_fit_one_request() -> None:
    reads = plan_reads([(address, 1) for address in range(0x6000, 0x8000, 34)])
    assert len(reads) <= 32
    assert reads[0][0] == 0x6000
    assert sum(reads[-1]) > 0x7FDD


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("GET_STATUS CONTENTLESS", Status("CONTENTLESS")),
        ("GET_STATUS PLAYING FCEUmm,pads,crc32=dfb97c4b", Status("PLAYING", "FCEUmm", "pads", "DFB97C4B")),
        ("GET_STATUS PAUSED nes,Name, with comma,crc32=1", Status("PAUSED", "nes", "Name, with comma", "00000001")),
        ("GET_STATUS PLAYING nes,no sum", Status("PLAYING", "nes", "no sum", "")),
    ],
)
def test_status(answer: str, status: Status) -> None:
    assert parse_status(answer) == status
    assert status.running == (status.state != "CONTENTLESS")


@pytest.mark.parametrize("answer", ["", "hello", "GET_STATUS", "VERSION 1"])
def test_what_is_no_status_is_refused(answer: str) -> None:
    with pytest.raises(BridgeError, match="not RetroArch"):
        parse_status(answer)


def test_a_read() -> None:
    assert parse_read("READ_CORE_MEMORY 7fe 00 AB", (0x7FE, 2)) == b"\x00\xab"
    assert parse_read("READ_CORE_RAM 10", (0x10, 0)) == b""


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("READ_CORE_MEMORY 0 -1 no memory map defined", "no memory map defined"),
        ("READ_CORE_RAM 0 -1", "does not show"),
        ("READ_CORE_MEMORY 0 00 01", "2 of 4 bytes"),
        ("READ_CORE_MEMORY 0", "0 of 4 bytes"),
        ("READ_CORE_MEMORY 0 zz 01 02 03", "0 of 4 bytes"),
    ],
)
def test_what_is_no_answer_to_a_read_is_an_error(answer: str, reason: str) -> None:
    with pytest.raises(BridgeError, match=reason):
        parse_read(answer, (0, 4))


LINES = ["READ_CORE_MEMORY 10 1", "READ_CORE_MEMORY 20 2", "GET_STATUS", "VERSION"]


def asked(commands: Commands) -> tuple[str, ...]:
    return tuple(commands.ask(LINES, 5))


def test_answers_come_in_the_order_of_the_commands_whatever_their_order_on_the_way(fake: FakeRetroArch) -> None:
    fake.mischief.append(lambda answers: answers[::-1])
    fake.mischief.append(lambda answers: answers[:2] + answers)
    with Commands("127.0.0.1", fake.port) as commands:
        for frame in range(2):
            clock, memory, status, version = asked(commands)
            assert clock == f"READ_CORE_MEMORY 10 {0x10 + frame:02X}"
            assert memory == "READ_CORE_MEMORY 20 20 21"
            assert status.startswith("GET_STATUS PLAYING")
            assert version == "1.14.0"


def test_lines_of_a_request_are_of_one_frame(fake: FakeRetroArch) -> None:
    with Commands("127.0.0.1", fake.port) as commands:
        for _ in range(20):
            first, last = commands.ask([f"READ_CORE_MEMORY {CLOCK:x} 1", f"READ_CORE_RAM {CLOCK:x} 1"], 5)
            assert first.split()[2] == last.split()[2]


def test_a_lost_answer_is_an_error_at_the_deadline(fake: FakeRetroArch) -> None:
    fake.mischief.append(lambda answers: answers[1:])
    with Commands("127.0.0.1", fake.port) as commands:
        with pytest.raises(TimeoutError):
            commands.ask(LINES, 0.05)
        assert asked(commands)[0] == "READ_CORE_MEMORY 10 11"


def test_a_late_answer_is_never_taken_for_the_next_ones(fake: FakeRetroArch) -> None:
    fake.mischief.append(fake.late)
    with Commands("127.0.0.1", fake.port) as commands:
        with pytest.raises(TimeoutError):
            commands.ask(LINES, 0.05)
        assert asked(commands)[0] == "READ_CORE_MEMORY 10 11", "the late one said 10"


def test_nobody_there(fake: FakeRetroArch) -> None:
    fake.close()
    with Commands("127.0.0.1", fake.port) as commands, pytest.raises(ConnectionError):
        commands.ask(LINES, 5)


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("no.such.host.invalid", 55355)])
def test_no_way_to_a_host(host: str, port: int) -> None:
    with Commands(host, port) as commands, pytest.raises(BridgeError, match="check the host"):
        commands.ask(LINES, 0.05)


@pytest.mark.parametrize(
    ("told", "known"), [("abcdef1", "0ABCDEF1"), ("0", ""), ("none", ""), ("dfb97c4b", "DFB97C4B")]
)
def test_a_sum_is_told_without_its_leading_zeros(told: str, known: str) -> None:
    assert parse_status(f"GET_STATUS PLAYING FCEUmm,game,crc32={told}").crc32 == known
