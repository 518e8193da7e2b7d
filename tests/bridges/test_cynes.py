"""The cynes bridge: on a scripted cynes for what goes wrong, on the real one for play."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import emubot
from emubot.bridges.check import check_bridge
from emubot.bridges.cynes import CynesBridge, connect
from emubot.bridges.image import image_reader
from emubot.bridges.protocol import Bridge, Remote
from emubot.cartridge import load_cartridge
from emubot.demos import image
from emubot.errors import BridgeClosed, BridgeError, StateError, UsageError
from emubot.extras import CYNES
from emubot.pad import Pad
from tests.bridges.broken_bridges import OBSERVED
from tests.bridges.cores import child, pad_cartridge

PADS = 0x12


class FakeNES:
    """A console like that of cynes, with a program that records pads; `jams` is the frame in which its CPU stops."""

    jams = -1
    loaded: bytes

    def __init__(self, path: str) -> None:
        self.image = Path(path).read_bytes()
        if self.image[6] >> 4 == 5:
            raise RuntimeError("The mapped used by the ROM is currently not supported.")
        if self.image[7] & 0x80:  # the real one's message has the number as one byte, which is no UTF-8
            b"unknown mapper \xa7".decode()
        self.path = path
        self.memory: NDArray[np.uint8] = np.zeros(0x8000, dtype=np.uint8)
        self.screen: NDArray[np.uint8] = np.zeros((240, 256, 3), dtype=np.uint8)
        self.controller = 0
        self.has_crashed = False
        self.asked: list[int] = []
        self.frames = -1  # the bridge's own first frame, before its reset

    def __getitem__(self, address: int) -> int:
        self.asked.append(address)
        return int(self.memory[address])

    def step(self) -> NDArray[np.uint8]:
        self.frames += 1
        self.has_crashed |= self.frames == self.jams
        self.memory[0x10] = (int(self.memory[0x10]) + 1) % 256
        self.memory[PADS : PADS + 2] = self.controller & 0xFF, self.controller >> 8
        self.screen[:] = self.memory[0x10]
        return self.screen

    def save(self) -> NDArray[np.uint8]:
        return self.memory.copy()

    def load(self, state: NDArray[np.uint8]) -> None:
        assert state.shape == self.memory.shape, "cynes would read past the end"
        self.memory[:] = state
        self.has_crashed = False

    def reset(self) -> None:
        self.memory[0x10] = 0


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeNES]:
    """The module cynes, with that console."""

    class Console(FakeNES):
        pass

    module = ModuleType("cynes")
    module.__dict__.update(NES=Console, __version__="0.0.fake")
    monkeypatch.setitem(sys.modules, "cynes", module)
    return Console


def opened(**options: Any) -> CynesBridge:
    return connect(rom=pad_cartridge(), emu_speed=None, **options)


@pytest.mark.usefixtures("fake")
class TestScripted:
    def test_it_keeps_what_bridges_promise(self) -> None:
        check_bridge(opened, OBSERVED)

    def test_facts(self) -> None:
        with opened() as bridge:
            assert isinstance(bridge, Bridge)
            assert isinstance(bridge, Remote)
            facts = bridge.facts
            assert (facts.name, facts.emulator, facts.latency) == ("cynes", "cynes 0.0.fake", 0)
            assert (facts.lock_step, facts.save_states) == (True, True)
            assert facts.rom_identity == pad_cartridge().sha1
            assert facts.spaces == {"ram": (0, 0x800), "wram": (0x6000, 0x2000)}

    def test_cynes_is_shown_the_checked_image_in_a_file_that_is_gone_afterwards(self) -> None:
        with opened() as bridge:
            assert bridge._nes.image == pad_cartridge().image
            assert not Path(bridge._nes.path).exists()

    def test_only_the_bytes_followed_are_read_and_once_a_frame(self) -> None:
        with opened() as bridge:
            bridge.follow("ram", [(0x12, 2), (0x10, 1)], 0x10)
            bridge.press(1, Pad.B)
            bridge.advance()
            asked = bridge._nes.asked
            asked.clear()
            for _ in range(3):
                assert bridge.read("ram", 0x10, 4) == bytes([1, 0, 0, Pad.B])
            assert asked == [0x12, 0x13, 0x10]

    def test_spaces_are_followed_apart(self) -> None:
        with opened() as bridge:
            bridge._nes.memory[0x6001] = 7
            bridge.follow("ram", [(0x10, 1)], None)
            assert bridge.read("wram", 0x6000, 2) == bytes([0, 7])
            with pytest.raises(UsageError, match=r"wram is \$6000-\$7FFF; 2 bytes from \$7FFF are not all in it"):
                bridge.follow("wram", [(0x7FFF, 2)], None)
            with pytest.raises(UsageError, match="no memory space 'vram'; this bridge has ram, wram"):
                bridge.view("vram")

    def test_an_image_has_both_memories_of_one_frame(self) -> None:
        with opened() as bridge:
            bridge._nes.memory[0x6001] = 7
            read = image_reader(bridge, ["ram", "wram"], [(0x10, 1), (0x6001, 1)], 0x10)
            for frame in (1, 2):
                bridge.advance()
                image = read()
                assert (len(image), image[0x10], image[0x801]) == (0x2800, frame, 7)

    def test_the_picture_is_a_copy(self) -> None:
        with opened() as bridge:
            with pytest.raises(BridgeError, match="no picture before the first frame"):
                bridge.picture()
            bridge.advance()
            first = bridge.picture()
            bridge.advance()
            assert first.shape == (*bridge.picture_size[::-1], 3)
            assert int(first[0, 0, 0]) + 1 == int(bridge.picture()[0, 0, 0])

    def test_speed(self) -> None:
        with opened() as bridge:
            bridge.emu_speed = 2.0
            assert bridge.emu_speed == 2.0
            with pytest.raises(UsageError, match="above 0"):
                bridge.emu_speed = 0.0


def test_a_stopped_cpu_is_an_error_until_a_state_is_loaded(fake: type[FakeNES]) -> None:
    fake.jams = 3
    with opened() as bridge:
        bridge.advance()
        state = bridge.save()
        bridge.advance()
        for _ in range(2):
            with pytest.raises(BridgeError, match="an instruction that stops the console's CPU: start it again, or"):
                bridge.advance()
        bridge.load(state)
        assert bridge.advance() == 3


@pytest.mark.usefixtures("fake")
def test_no_state_but_its_own_whole_one_reaches_cynes() -> None:
    with opened() as bridge:
        state = bridge.save()
        for wrong in (b"", state[:-1], state[:-1] + bytes([state[-1] ^ 1]), bytes(10)):
            with pytest.raises(StateError):
                bridge.load(wrong)
    other = load_cartridge(image("tetris"))
    with connect(rom=other) as bridge, pytest.raises(StateError, match="another cartridge"):
        bridge.load(state)


@pytest.mark.usefixtures("fake")
def test_a_closed_bridge_is_of_no_use() -> None:
    bridge = opened()
    bridge.advance()
    bridge.close()
    uses: list[Any] = [bridge.advance, bridge.save, bridge.reset, bridge.picture, lambda: bridge.read("ram", 0, 1)]
    for use in uses:
        with pytest.raises(BridgeClosed, match="connect again"):
            use()


@pytest.mark.usefixtures("fake")
def test_a_board_that_cynes_does_not_know(tmp_path: Path) -> None:
    cartridge = bytearray(image("tetris").read_bytes())
    cartridge[6] |= 0x50
    file = tmp_path / "board5.nes"
    file.write_bytes(cartridge)
    with pytest.raises(BridgeError, match=r"does not take board5.nes, whose board is mapper 5 .* --bridge libretro"):
        connect(rom=file)
    cartridge[6:8] = 0x70, 0xA0
    file.write_bytes(cartridge)
    with pytest.raises(BridgeError, match=r"mapper 167 \(it does not say why\): play it by --bridge libretro"):
        connect(rom=file)


def test_without_cynes_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cynes", None)
    with pytest.raises(BridgeError, match=r"use --bridge libretro, or run: .* 'cynes>="):
        connect(rom=image("tetris"))


@pytest.fixture
def real() -> None:
    """The emulator itself; without it a test is skipped, or fails where EMUBOT_REQUIRE_EMULATORS=1 says it must run."""
    try:
        import cynes  # type: ignore[import-not-found, import-untyped, unused-ignore]  # noqa: F401
    except ImportError as error:
        remedy = CYNES.refusal(error)
        if os.environ.get("EMUBOT_REQUIRE_EMULATORS") == "1":
            pytest.fail(remedy)
        pytest.skip(remedy)


@pytest.fixture
def bridge(real: None) -> Iterator[CynesBridge]:
    with opened() as bridge:
        yield bridge


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("demo", ["tetris", pytest.param("puyo", marks=pytest.mark.slow)])
def test_the_real_one_keeps_what_bridges_promise(demo: str) -> None:
    check_bridge(lambda: connect(rom=image(demo), emu_speed=None))


@pytest.mark.jit
@pytest.mark.usefixtures("real")
@pytest.mark.parametrize(("demo", "asked"), [("tetris", {"level": 18}), ("puyo", {"level": 5})])
@pytest.mark.parametrize("pieces", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_no_piece_is_misplaced(demo: str, asked: dict[str, int], pieces: int) -> None:
    with connect(rom=image(demo), emu_speed=None) as bridge:
        tally = emubot.Pilot(bridge, emubot.Goal(pieces=pieces, menu_choices=asked)).run()
    assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (pieces, 0, 0, 0)


def test_reading_ram_changes_nothing(bridge: CynesBridge) -> None:
    """Bytes are read through the console's bus, where other addresses have side effects."""
    seen = []
    for length in (0, 2048):
        with opened() as run:
            for frame in range(60):
                run.press(0, Pad.A if frame % 3 else Pad.NONE)
                run.advance()
                run.read("ram", 0, length)
            seen.append(run.read("ram", 0, 2048))
    assert seen[0] == seen[1]


def test_the_backdrop_is_red_and_green_while_a_is_held(bridge: CynesBridge) -> None:
    for pad, brightest in ((Pad.NONE, 0), (Pad.A, 1)):
        bridge.press(0, pad)
        for _ in range(8):
            bridge.advance()
        assert int(np.argmax(bridge.picture()[120, 128])) == brightest


@pytest.mark.usefixtures("real")
def test_runs_are_the_same_whatever_was_in_memory_before() -> None:
    code = """
import hashlib, sys
from pathlib import Path
from emubot.bridges.cynes import connect
from emubot.pad import Pad
seen = hashlib.sha1()
with connect(rom=Path(sys.argv[1]), emu_speed=None) as bridge:
    for frame in range(60):
        bridge.press(0, Pad.START if frame % 7 == 0 else Pad.NONE)
        bridge.advance()
        seen.update(bridge.read("ram", 0, 2048))
print(seen.hexdigest())
"""
    runs = [child(code, image("tetris"), MALLOC_PERTURB_=filling) for filling in ("0", "85")]  # glibc: mallopt
    assert len({run.stdout for run in runs}) == 1, [run.stderr for run in runs]
    assert runs[0].stdout
