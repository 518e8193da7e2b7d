"""A map with addresses in the cartridge's memory is read from Nintaco, both memories in one frame."""

from __future__ import annotations

import pytest

from emubot.bridges.nintaco import connect
from emubot.bridges.nintaco.route import RouteName
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.two_memories import TwoMemories, check_frames

pytestmark = pytest.mark.xdist_group("ports")


@pytest.mark.parametrize("route", ["access", "frame"])
def test_ram_and_wram_are_of_one_frame(route: RouteName) -> None:
    with FakeNintaco(machine=TwoMemories()) as server, connect(port=server.port, route=route) as bridge:
        check_frames(bridge)
