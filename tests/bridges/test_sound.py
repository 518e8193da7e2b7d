"""What a core sounds like, sample for sample; and nothing kept where nobody listens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emubot.bridges.libretro import LibretroBridge, abi, connect
from emubot.bridges.libretro.sound import Sound
from emubot.demos import image
from emubot.errors import BridgeClosed, UsageError
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from tests.bridges.cores import pad_cartridge
from tests.bridges.toy import build_toy


def toy(folder: Path, *flags: str) -> LibretroBridge:
    return connect(rom=pad_cartridge(), core=str(build_toy(folder, *flags)), emu_speed=None)


def saw(first: int, moments: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """What the toy core plays from moment `first` on."""
    left = np.arange(first, first + moments) % 10000 + 1
    return np.stack([left, -left], axis=1).astype(np.int16)


@pytest.mark.parametrize("way", [1, 2])
def test_every_moment_arrives_once_and_in_order(tmp_path: Path, way: int) -> None:
    with toy(tmp_path, f"SOUND={way}") as bridge:
        bridge.advance()
        assert bridge.heard().shape == (0, 2), "nobody has asked to hear it"
        bridge.listen()
        assert bridge.heard().shape == (0, 2), "the frame before is not heard"
        bridge.advance()
        np.testing.assert_array_equal(bridge.heard(), saw(800, 800))
        bridge.advance()
        bridge.advance()
        heard = bridge.heard()
        assert heard.dtype == np.int16
        np.testing.assert_array_equal(heard, saw(1600, 1600))
        assert bridge.heard().shape == (0, 2)
        assert bridge.read("ram", 5, 1) == b"\x00", "every batch was taken whole"


def test_what_was_heard_stays_when_the_game_goes_on(tmp_path: Path) -> None:
    with toy(tmp_path, "SOUND=2") as bridge:
        bridge.listen()
        bridge.advance()
        heard = bridge.heard()
        bridge.advance()
        bridge.heard()
    np.testing.assert_array_equal(heard, saw(0, 800))


def test_a_listener_who_stops_asking_is_kept_the_newest_two_seconds(tmp_path: Path) -> None:
    with toy(tmp_path, "SOUND=2") as bridge:
        bridge.listen()
        for _ in range(200):
            bridge.advance()
        heard = bridge.heard()
    assert 2 * 48000 < len(heard) < 3 * 48000
    np.testing.assert_array_equal(heard, saw(200 * 800 - len(heard), len(heard)))


def test_nothing_is_copied_unless_somebody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refuses:
        def __getattr__(self, name: str) -> None:
            raise AssertionError(f"{name} was used")

    monkeypatch.setattr(abi, "ffi", Refuses())
    silent = Sound()
    assert silent.batch(None, 735) == 735
    silent.sample(1, 2)
    silent.listen()
    with pytest.raises(AssertionError, match="buffer was used"):
        silent.batch(None, 735)


def test_an_error_while_listening_is_raised_after_the_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with toy(tmp_path, "SOUND=2") as bridge:
        bridge.listen()

        class Broken:
            def buffer(self, data: object, size: int) -> bytes:
                raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr(abi, "ffi", Broken())
            with pytest.raises(ZeroDivisionError):
                bridge.advance()
        bridge.advance()
        assert bridge.read("ram", 0, 1) == b"\x02", "the frame of the error was played to its end"
        np.testing.assert_array_equal(bridge.heard(), saw(800, 800))


def test_the_rate_is_that_of_frames_at_the_consoles_own_speed(tmp_path: Path) -> None:
    with toy(tmp_path, "SOUND=2") as bridge:
        assert bridge.sound_rate == pytest.approx(800 * FRAME_RATE_NTSC)
        assert bridge.picture_size == (2, 2)


def test_both_cores_send_the_moments_they_announce(bridge: LibretroBridge) -> None:
    frames = 120
    for _ in range(10):
        bridge.advance()
    bridge.listen()
    for _ in range(frames):
        bridge.advance()
    heard = bridge.heard()
    assert heard.shape[1] == 2
    assert len(heard) / frames == pytest.approx(bridge.sound_rate / FRAME_RATE_NTSC, rel=0.005)
    width, height = bridge.picture_size
    assert bridge.picture().shape == (height, width, 3)


@pytest.mark.parametrize(("demo", "sounds"), [("puyo", True), ("tetris", False)])
def test_a_cartridge_is_heard_as_it_is_made(core_file: Path, demo: str, sounds: bool) -> None:
    """The pairs cartridge has tunes and noises, the blocks cartridge has none."""
    with connect(rom=image(demo), core=str(core_file), emu_speed=None) as opened:
        opened.listen()
        loudest = 0
        for frame in range(300):
            opened.press(0, Pad.START if frame < 200 and frame % 20 == 0 else Pad.DOWN)
            opened.advance()
            heard = opened.heard().astype(int)
            if frame > 10:  # the first moments are the core's own start
                loudest = max(loudest, int(np.ptp(heard[:, 0])))
    assert loudest > 1000 if sounds else loudest < 10


def test_listening_changes_nothing_in_the_game(core_file: Path) -> None:
    rams = []
    for listening in (False, True):
        with connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as opened:
            if listening:
                opened.listen()
            for _ in range(60):
                opened.advance()
            rams.append(opened.read("ram", 0, 2048))
    assert rams[0] == rams[1]


def test_the_speed_can_be_changed_while_it_runs(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = 100.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    monkeypatch.setattr(
        "emubot.bridges.throttle.Throttle.__init__.__kwdefaults__", {"clock": lambda: now, "sleep": sleep}
    )
    assert bridge.emu_speed is None
    bridge.advance()
    assert not slept
    for speed in (1.0, 2.0):
        slept.clear()
        bridge.emu_speed = speed
        assert bridge.emu_speed == speed
        for _ in range(11):
            bridge.advance()
        assert sum(slept) == pytest.approx(10 / FRAME_RATE_NTSC / speed)
    slept.clear()
    bridge.emu_speed = None
    bridge.advance()
    assert not slept
    with pytest.raises(UsageError, match="must be a number above 0"):
        bridge.emu_speed = 0.0
    assert bridge.emu_speed is None


def test_a_closed_bridge_has_no_rate_and_no_size(core_file: Path) -> None:
    bridge = connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None)
    bridge.close()
    for ask in ("sound_rate", "picture_size"):
        with pytest.raises(BridgeClosed):
            getattr(bridge, ask)
    assert bridge.heard().shape == (0, 2)
