"""A map with addresses in the cartridge's memory is read from FCEUX, or refused where the cartridge has none."""

from __future__ import annotations

import pytest

from emubot.bridges.fceux import connect
from emubot.bridges.image import image_reader
from emubot.errors import UsageError
from tests.bridges.fceux.peer import IMAGE, Console, FakeScript
from tests.bridges.two_memories import FIELD, MAP, check_frames

pytestmark = pytest.mark.xdist_group("ports")

BOARD_WITH_MEMORY = IMAGE[:6] + b"\x10" + IMAGE[7:]


class Counting(Console):
    """Its own memory shows the frame count as its RAM does, and a field."""

    @property
    def wram(self) -> bytes:
        return (self.count.to_bytes(2).ljust(0x100, b"\0") + FIELD).ljust(0x2000, b"\0")


def test_ram_and_wram_are_of_one_frame() -> None:
    console = Counting(image=BOARD_WITH_MEMORY)
    with FakeScript(console=console) as script, connect(port=script.port) as bridge:
        check_frames(bridge)


def test_a_plain_board_shows_ram_alone_and_says_so_in_one_sentence() -> None:
    told = r"^This map needs a bridge with wram, and FCEUX shows only ram of this cartridge: take another --bridge\.$"
    with FakeScript() as script, connect(port=script.port) as bridge, pytest.raises(UsageError, match=told):
        image_reader(bridge, MAP.spaces, MAP.used, MAP.clock)
