"""A bridge in a child process behaves as the same bridge in this one: memory, picture, sound, states, pads, errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emubot.bridges import Remote, open_bridge
from emubot.bridges.hosted import HostedBridge, open_hosted
from emubot.bridges.hosted.bridge import HostedCynes, HostedLibretro
from emubot.bridges.libretro import LibretroBridge
from emubot.demos import image
from emubot.errors import BridgeClosed, BridgeError, StateError, UsageError
from emubot.pad import Pad, legal
from tests.bridges.cores import in_each_core

LEGAL = [Pad(bits) for bits in range(0x100) if legal(Pad(bits))]


def pair(core: Path) -> tuple[LibretroBridge, HostedLibretro]:
    here = open_bridge("libretro", rom=image("tetris"), core=str(core), emu_speed=None)
    apart = open_hosted("libretro", rom=image("tetris"), core=str(core), emu_speed=None)
    assert isinstance(here, LibretroBridge)
    assert isinstance(apart, HostedLibretro)
    return here, apart


@in_each_core("core_file", quick="nestopia", indirect=True)
def test_every_frame_is_the_same(core_file: Path) -> None:
    generator = np.random.default_rng(7)
    here, apart = pair(core_file)
    with here, apart:
        assert here.facts == apart.facts
        assert (here.picture_size, here.sound_rate) == (apart.picture_size, apart.sound_rate)
        for bridge in (here, apart):
            bridge.keep_pads()
            bridge.listen()
            with pytest.raises(BridgeError, match="picture"):
                bridge.picture()
        for frame in range(150):
            for port in (0, 1):
                pad = LEGAL[generator.integers(len(LEGAL))]
                here.press(port, pad)
                apart.press(port, pad)
            assert here.advance() == apart.advance() == frame + 1
            for space, (address, length) in here.facts.spaces.items():
                assert here.read(space, address, length) == apart.read(space, address, length)
        np.testing.assert_array_equal(here.picture(), apart.picture())
        np.testing.assert_array_equal(here.heard(), apart.heard())
        np.testing.assert_array_equal(here.pads_since_power_on(), apart.pads_since_power_on())
        view = apart.view("ram")
        assert view is not None
        np.testing.assert_array_equal(here.view("ram"), view)
        assert not view.flags.writeable


@in_each_core("core_file", quick="nestopia", indirect=True)
def test_many_frames_at_once_are_the_same(core_file: Path) -> None:
    generator = np.random.default_rng(8)
    here, apart = pair(core_file)
    with here, apart:
        apart.keep_pads()
        apart.press(1, Pad.A)
        here.press(1, Pad.A)
        for frames in (1, 300, 0, 7):
            pads = [LEGAL[generator.integers(len(LEGAL))] for _ in range(frames)]
            images = apart.play(bytes(map(int, pads)))
            assert images.shape == (frames, sum(length for _, length in here.facts.spaces.values()))
            for image_of_frame, pad in zip(images, pads, strict=True):
                here.press(0, pad)
                here.advance()
                shown = b"".join(here.read(name, *place) for name, place in here.facts.spaces.items())
                assert image_of_frame.tobytes() == shown
            assert here.frame == apart.frame
            assert here.read("ram", 0, 2048) == apart.read("ram", 0, 2048)
        here.advance()  # the last pad is still held
        apart.advance()
        assert here.read("ram", 0, 2048) == apart.read("ram", 0, 2048)
        kept = apart.pads_since_power_on()
        assert kept is not None
        assert (len(kept), kept[-1].tolist()) == (309, [int(pads[-1]), int(Pad.A)])


@in_each_core("core_file", quick="fceumm", indirect=True)
def test_a_state_goes_from_one_to_the_other(core_file: Path) -> None:
    here, apart = pair(core_file)
    with here, apart:
        for _ in range(60):
            here.advance()
        for _ in range(20):
            apart.advance()
        apart.load(here.save())
        assert apart.read("ram", 0, 2048) == here.read("ram", 0, 2048)
        here.advance()
        apart.advance()
        assert apart.read("ram", 0, 2048) == here.read("ram", 0, 2048)
        assert (apart.frame, apart.epoch) == (21, 1)
        assert apart.pads_since_power_on() is None
        with pytest.raises(StateError, match="damaged"):
            apart.load(here.save()[:-1])
        apart.reset()
        here.reset()
        assert apart.epoch == 2
        assert apart.read("ram", 0, 2048) == here.read("ram", 0, 2048)


@in_each_core("core_file", quick="fceumm", indirect=True)
def test_a_closed_bridge_says_so(core_file: Path) -> None:
    here, apart = pair(core_file)
    for bridge in (here, apart):
        bridge.advance()
        bridge.close()
        bridge.close()
        with pytest.raises(BridgeClosed):
            bridge.advance()
        assert len(bridge.read("ram", 0, 2048)) == 2048, "what was is still there to be read"


@in_each_core("core_file", quick="fceumm", indirect=True)
def test_what_is_asked_wrongly_is_refused_here(core_file: Path) -> None:
    with open_hosted("libretro", rom=image("tetris"), core=str(core_file), emu_speed=None) as apart:
        for wrong in (lambda: apart.read("ram", 2047, 2), lambda: apart.read("rom", 0, 1), lambda: apart.view("rom")):
            with pytest.raises(UsageError):
                wrong()
        with pytest.raises(UsageError, match="port 2"):
            apart.press(2, Pad.A)
        with pytest.raises(UsageError, match="Opposite"):
            apart.press(0, Pad.LEFT | Pad.RIGHT)
        with pytest.raises(UsageError, match="above 0"):
            apart.emu_speed = 0


def test_a_bridge_to_another_process_is_not_hosted() -> None:
    with pytest.raises(UsageError, match="nintaco runs in no child process"):
        open_hosted("nintaco", rom=image("tetris"))


@in_each_core("core_file", quick="fceumm", indirect=True)
def test_ends_spin_only_at_full_speed_and_with_processors_to_spare(
    core_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from emubot.bridges.hosted import line, process

    monkeypatch.setattr(line, "_ORDERED", True)
    monkeypatch.setattr(process, "processors", lambda: 2)
    crowded = False
    monkeypatch.setattr(process, "is_crowded", lambda: crowded)

    def spins(*bridges: HostedBridge) -> list[bool]:
        return [bool(bridge._line.memory[line._SPINS]) for bridge in bridges]

    def opened(emu_speed: float | None) -> HostedBridge:
        return open_hosted("libretro", rom=image("tetris"), core=str(core_file), emu_speed=emu_speed)

    with opened(None) as first:
        assert spins(first) == [True]
        first.emu_speed = 1.0
        assert spins(first) == [False]
        first.emu_speed = None
        with opened(None) as second:
            assert spins(first, second) == [False, False]
            assert [first.advance(), second.advance()] == [1, 1]
        assert spins(first) == [True]
        crowded = True
        first._child.look_after()
        assert spins(first) == [False]


def test_cynes_is_the_same_in_a_child_process() -> None:
    pytest.importorskip("cynes")
    generator = np.random.default_rng(7)
    with open_bridge("cynes", rom=image("puyo"), emu_speed=None) as here:  # type: ignore[attr-defined]
        apart = open_hosted("cynes", rom=image("puyo"), emu_speed=None)
        assert isinstance(apart, HostedCynes)
        assert isinstance(apart, Remote)
        with apart:
            assert apart.facts == here.facts
            for frame in range(60):
                if frame == 30:
                    here.follow("ram", [(0x10, 32), (0x300, 256)], None)
                    apart.follow("ram", [(0x10, 32), (0x300, 256)], None)
                pad = LEGAL[generator.integers(len(LEGAL))]
                here.press(0, pad)
                apart.press(0, pad)
                assert here.advance() == apart.advance()
                assert here.read("ram", 0, 2048) == apart.read("ram", 0, 2048)
            np.testing.assert_array_equal(here.picture(), apart.picture())
            apart.load(here.save())
            assert not hasattr(apart, "listen")
