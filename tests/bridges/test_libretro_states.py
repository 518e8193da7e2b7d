"""Save states of both real cores: exact, and nothing but a whole one of the same core and cartridge is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.bridges.libretro import LibretroBridge, connect
from emubot.errors import StateError
from emubot.pad import Pad
from tests.bridges.cores import pad_cartridge, require_core


def sixty_frames(bridge: LibretroBridge) -> list[bytes]:
    seen = []
    for frame in range(60):
        bridge.press(0, Pad(0x80 >> frame % 4))
        bridge.press(1, Pad(1 << frame % 3))
        bridge.advance()
        seen.append(bridge.read("ram", 0, 2048) + bridge.picture().tobytes())
    return seen


def test_sixty_frames_after_a_restore_are_the_same(bridge: LibretroBridge) -> None:
    for _ in range(30):
        bridge.advance()
    ram = bridge.read("ram", 0, 2048)
    state = bridge.save()
    first = sixty_frames(bridge)
    bridge.load(state)
    assert bridge.read("ram", 0, 2048) == ram, "RAM shows the restored state before the next frame"
    assert sixty_frames(bridge) == first
    assert bridge.frame == 150, "frames go on counting"


def test_a_state_of_another_machine_of_the_same_core_is_taken(core_file: Path) -> None:
    with connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as first:
        for _ in range(30):
            first.advance()
        state = first.save()
        expected = sixty_frames(first)
    with connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as second:
        second.advance()
        second.load(state)
        assert sixty_frames(second) == expected


@pytest.mark.parametrize("how", ["zeros", "noise", "short", "long", "one bit", "empty"])
def test_a_damaged_state_is_refused_and_the_game_goes_on(bridge: LibretroBridge, how: str) -> None:
    for _ in range(30):
        bridge.advance()
    state = bridge.save()
    expected = sixty_frames(bridge)
    bridge.load(state)
    flipped = bytearray(state)
    flipped[len(state) // 2] ^= 1
    damaged = {
        "zeros": bytes(len(state)),
        "noise": bytes(range(251)) * 20,
        "short": state[:-1],
        "long": state + b"\x00",
        "one bit": bytes(flipped),
        "empty": b"",
    }[how]
    with pytest.raises(StateError):
        bridge.load(damaged)
    assert sixty_frames(bridge) == expected


def test_a_state_of_another_cartridge_is_refused(bridge: LibretroBridge, core_file: Path) -> None:
    bridge.advance()
    with connect(rom=pad_cartridge("pads_lag"), core=str(core_file), emu_speed=None) as other:
        other.advance()
        with pytest.raises(StateError, match="belongs to another cartridge"):
            other.load(bridge.save())


def test_a_state_of_another_core_is_refused() -> None:
    with (
        connect(rom=pad_cartridge(), core=str(require_core("nestopia")), emu_speed=None) as first,
        connect(rom=pad_cartridge(), core=str(require_core("fceumm")), emu_speed=None) as second,
    ):
        first.advance()
        second.advance()
        with pytest.raises(StateError, match=r"was made by Nestopia .* and this is FCEUmm"):
            second.load(first.save())
