"""Against the real emulator: start one with a demo cartridge and its program server, and name it in EMUBOT_NINTACO.

No system packages Nintaco, so that no test can start it: EMUBOT_NINTACO is the host and port of a program server,
127.0.0.1:9999 for example, and without it these tests are skipped.
"""

from __future__ import annotations

import os
import time
from statistics import median

import pytest

from emubot.bridges.check import check_bridge
from emubot.bridges.nintaco import Button, Client, EventKind, NintacoBridge, connect
from emubot.bridges.nintaco.route import RouteName
from emubot.bridges.protocol import Mark
from emubot.pilot import Goal, Pilot
from emubot.rammap import map_for_identity

WHERE = os.environ.get("EMUBOT_NINTACO", "")
pytestmark = [
    pytest.mark.emulators,
    pytest.mark.nintaco,
    pytest.mark.xdist_group("nintaco"),  # there is one
    pytest.mark.skipif(not WHERE, reason="EMUBOT_NINTACO names no running program server, such as 127.0.0.1:9999"),
]
ROUTES: list[RouteName] = ["access", "frame"]


def address() -> tuple[str, int]:
    host, port = WHERE.split(":")
    return host, int(port)


def attach(route: RouteName = "auto", emu_speed: float | None = 1.0) -> NintacoBridge:
    host, port = address()
    return connect(host=host, port=port, wait=10.0, route=route, emu_speed=emu_speed)


@pytest.fixture(autouse=True)
def _power_on() -> None:
    """The game from its beginning, whatever the test before left it in: a pause, for example."""
    client = Client(*address())
    client.connect(wait=10.0)
    client.reset()
    client.disconnect()


@pytest.mark.parametrize("route", ROUTES)
def test_the_bridge_keeps_what_the_protocol_promises(route: RouteName) -> None:
    check_bridge(lambda: attach(route))


@pytest.mark.parametrize("route", ROUTES)
def test_every_piece_locks_where_it_was_meant_to(route: RouteName) -> None:
    with attach(route, emu_speed=None) as bridge:
        tally = Pilot(bridge, Goal(pieces=40, games=None, menu_choices={"level": 9})).run()
        assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (40, 0, 0, 0)
        assert (bridge.skipped, bridge.epoch) == (0, 0)


def test_the_bytes_of_a_map_are_read_within_a_millisecond() -> None:
    """In the median of 300 frames."""
    with attach("frame") as bridge:
        ram_map = map_for_identity(bridge.facts.rom_identity)
        bridge.follow("ram", ram_map.used, ram_map.clock)
        times = []
        for _ in range(300):
            bridge.advance()
            started = time.perf_counter()
            bridge._read_frame()
            times.append(time.perf_counter() - started)
        assert median(times) < 0.001


def test_marks_outside_the_picture_do_no_harm() -> None:
    with attach("frame") as bridge:
        bridge.draw(
            [
                Mark(-20, -20, 40, 40, 0xFF0000),
                Mark(250, 230, 5000, 5000, 0x00FF00),
                Mark(300, 300, 0, 0, 0xFFFFFF, "outside"),
                Mark(8, 8, 0, 0, 0xFFFFFF, "\n\x00\xff" + "long" * 200),
            ]
        )
        for _ in range(10):
            bridge.advance()
        assert bridge.epoch == 0


def test_every_question_has_an_answer() -> None:
    """All calls that ask and alter nothing."""
    words: dict[str, tuple[object, ...]] = {
        "get_pixel": (1, 1),
        "get_string_width": ("a",),
        "get_chars_width": ("a",),
        "read_gamepad": (0, Button.A),
        "peek_block": (0x8000, 4096),
    }
    skipped = {"get_default_archive_entry", "get_archive_entries"}  # there is no archive
    client = Client(*address())
    client.add_frame_listener(lambda: None)
    with client:
        while client.next_event().kind is not EventKind.FRAME:
            client.answer()
        for name in {*words, *(name for name in dir(client) if name.startswith(("get_", "is_")))} - skipped:
            getattr(client, name)(*words.get(name, ()))
        assert client.get_pixels().shape == (240, 256)
        assert client.get_string_width("abc") > client.get_string_width("a")
        assert "PRG ROM CRC" in client.get_file_info()
