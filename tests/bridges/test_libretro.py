"""Both real cores with our own pad recorder: input, RAM, pictures, repeatability."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.bridges.image import image_reader
from emubot.bridges.libretro import LibretroBridge, connect
from emubot.bridges.protocol import Bridge
from emubot.cartridge import parse_cartridge
from emubot.errors import BridgeClosed, CoreError, RomError, UsageError
from emubot.machine import FRAME_RATE_NTSC, FRAME_RATE_PAL
from emubot.pad import Pad, legal
from tests.bridges.cores import FRAMES, PADS, RING, ROMS, STEPS, pad_cartridge, require_core
from tests.paths import ROOT

LEGAL = [Pad(bits) for bits in range(256) if legal(Pad(bits))]


def boot(bridge: LibretroBridge) -> None:
    """Run until the cartridge counts frames."""
    while bridge.read("ram", FRAMES, 1) != b"\x01":
        assert bridge.advance() < 20, "the cartridge does not start"


def counter(bridge: LibretroBridge, address: int) -> int:
    return int.from_bytes(bridge.read("ram", address, 2), "little")


def test_facts(bridge: LibretroBridge) -> None:
    facts = bridge.facts
    assert isinstance(bridge, Bridge)
    assert (facts.name, facts.latency, facts.lock_step, facts.save_states) == ("libretro", 0, True, True)
    assert facts.frame_rate == FRAME_RATE_NTSC
    assert facts.spaces == {"ram": (0, 2048)}
    assert facts.rom_identity == pad_cartridge().sha1
    assert facts.emulator.startswith(("Nestopia 1.", "FCEUmm git"))


@pytest.mark.parametrize(
    ("header", "rate"),
    [
        ({9: 0x01}, FRAME_RATE_PAL),
        ({7: 0x08, 12: 0x01}, FRAME_RATE_PAL),
        ({7: 0x08, 12: 0x02}, FRAME_RATE_NTSC),
        ({7: 0x08, 12: 0x03}, FRAME_RATE_PAL),
    ],
    ids=["PAL", "PAL in NES 2.0", "any console", "Dendy"],
)
def test_the_console_is_that_of_the_header(core_file: Path, header: dict[int, int], rate: float) -> None:
    image = bytearray(pad_cartridge().image)
    for place, byte in header.items():
        image[place] |= byte
    with connect(rom=parse_cartridge(bytes(image), "x.nes"), core=str(core_file), emu_speed=None) as bridge:
        assert bridge.facts.frame_rate == rate
        boot(bridge)
        bridge.press(0, Pad.A)
        bridge.advance()
        assert bridge.read("ram", PADS, 1) == bytes([Pad.A])


def test_frames_are_numbered_from_one_and_each_is_one_of_the_game(bridge: LibretroBridge) -> None:
    assert bridge.advance() == 1
    boot(bridge)
    started = bridge.frame
    for _ in range(300):
        number = bridge.advance()
        assert counter(bridge, FRAMES) == number - started + 1


def test_every_state_of_both_pads_arrives_in_its_own_frame(bridge: LibretroBridge) -> None:
    boot(bridge)
    for first, second in zip(LEGAL, reversed(LEGAL), strict=True):
        bridge.press(0, first)
        bridge.press(1, second)
        bridge.advance()
        assert bridge.read("ram", PADS, 2) == bytes([first, second])


def test_a_tap_of_one_frame_is_one_frame_long(bridge: LibretroBridge) -> None:
    boot(bridge)
    seen = bytearray()
    for frame in range(40):
        bridge.press(0, Pad.A if frame % 2 else Pad.NONE)
        bridge.advance()
        seen += bridge.read("ram", PADS, 1)
    assert seen == bytes([0x00, 0x80]) * 20


def test_a_pad_is_held_until_it_is_changed_and_the_other_port_stays_alone(bridge: LibretroBridge) -> None:
    boot(bridge)
    bridge.press(0, Pad.LEFT | Pad.B)
    for _ in range(30):
        bridge.advance()
        assert bridge.read("ram", PADS, 2) == bytes([0x42, 0x00])


@pytest.mark.parametrize("pad", [Pad.LEFT | Pad.RIGHT, Pad.UP | Pad.DOWN | Pad.A, Pad(0xFF)])
def test_opposite_directions_are_refused_and_nothing_changes(bridge: LibretroBridge, pad: Pad) -> None:
    boot(bridge)
    bridge.press(0, Pad.A)
    with pytest.raises(UsageError, match="Opposite directions cannot be pressed together"):
        bridge.press(0, pad)
    bridge.advance()
    assert bridge.read("ram", PADS, 1) == b"\x80"


def test_ports_and_pads_that_do_not_exist(bridge: LibretroBridge) -> None:
    for port in (-1, 2):
        with pytest.raises(UsageError, match="There is no controller port"):
            bridge.press(port, Pad.A)
    with pytest.raises(UsageError, match="holds eight buttons"):
        bridge.press(0, Pad(0x100))


def test_the_pad_of_a_frame_that_failed_is_not_kept(bridge: LibretroBridge, monkeypatch: pytest.MonkeyPatch) -> None:
    bridge.keep_pads()
    bridge.press(0, Pad.A)
    bridge.advance()

    def fails() -> None:
        raise CoreError("The core failed.")

    monkeypatch.setattr(bridge, "_run", fails)
    bridge.press(0, Pad.B)
    with pytest.raises(CoreError):
        bridge.advance()
    kept = bridge.pads_since_power_on()
    assert kept is not None
    assert kept.tolist() == [[Pad.A, Pad.NONE]]


def test_lag_frames_show_in_the_games_own_counter(core_file: Path) -> None:
    with connect(rom=pad_cartridge("pads_lag"), core=str(core_file), emu_speed=None) as bridge:
        boot(bridge)
        bridge.press(0, Pad.B)
        lag = 0
        for _ in range(90):
            before = counter(bridge, STEPS)
            bridge.advance()
            step = counter(bridge, STEPS) - before
            assert step in (0, 1)
            lag += step == 0
            if step and bridge.frame > 10:
                assert bridge.read("ram", PADS, 1) == b"\x40"
        assert lag == 10, "one frame in nine passes without a step"


def test_view_follows_the_game_is_read_only_and_outlives_the_core(core_file: Path) -> None:
    with connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as bridge:
        view = bridge.view("ram")
        assert view.shape == (2048,)
        assert view.dtype == np.uint8
        boot(bridge)
        for _ in range(5):
            bridge.advance()
            assert view.tobytes() == bridge.read("ram", 0, 2048)
        assert view[FRAMES] == 6
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
        assert bridge.view("ram") is view
    assert view[FRAMES] == 6


@pytest.mark.parametrize(("address", "length"), [(-1, 1), (0, 2049), (2048, 1), (0, -1), (0x6000, 1)])
def test_reading_outside_the_space_is_refused(bridge: LibretroBridge, address: int, length: int) -> None:
    with pytest.raises(UsageError, match=r"ram is \$0000-\$07FF"):
        bridge.read("ram", address, length)


def test_an_unknown_space_is_refused(bridge: LibretroBridge) -> None:
    for ask in (lambda: bridge.read("wram", 0x6000, 1), lambda: bridge.view("vram")):
        with pytest.raises(UsageError, match=r"There is no memory space '[vw]ram'; this bridge has ram"):
            ask()


def test_battery_ram_is_a_space_of_its_own(core_file: Path) -> None:
    image = bytearray((ROMS / "pads.nes").read_bytes())
    image[6] |= 0x02
    with connect(rom=parse_cartridge(bytes(image), "battery"), core=str(core_file), emu_speed=None) as bridge:
        assert bridge.facts.spaces["wram"] == (0x6000, 0x2000)
        bridge.advance()
        assert bridge.read("wram", 0x6000, 0x2000) == bridge.view("wram").tobytes()
        read = image_reader(bridge, ["ram", "wram"])
        assert read() == bridge.read("ram", 0, 0x800) + bridge.read("wram", 0x6000, 0x2000)
        assert len(read()) == 0x2800


def test_a_cartridge_without_wram_is_no_cartridge_for_a_map_with_it(bridge: LibretroBridge) -> None:
    with pytest.raises(UsageError, match=r"This map needs a bridge with wram, and .* shows only ram of this cartridge"):
        image_reader(bridge, ["ram", "wram"])


def test_reset_starts_the_game_again_and_frames_go_on(bridge: LibretroBridge) -> None:
    boot(bridge)
    for _ in range(50):
        bridge.advance()
    number = bridge.frame
    bridge.reset()
    assert bridge.advance() == number + 1
    for _ in range(10):
        bridge.advance()
    assert counter(bridge, FRAMES) < 12


def test_picture_is_the_last_frame_in_rgb(bridge: LibretroBridge) -> None:
    boot(bridge)
    for _ in range(3):
        bridge.advance()
    red = bridge.picture()
    bridge.press(0, Pad.A)
    for _ in range(3):
        bridge.advance()
    green = bridge.picture()
    for picture, channel in ((red, 0), (green, 1)):
        assert picture.shape[2] == 3
        assert picture.shape[0] in range(224, 241)
        assert picture.shape[1] in range(240, 257)
        assert (picture == picture[0, 0]).all()
        assert picture[0, 0].argmax() == channel
        assert picture[0, 0, channel] > 130


def play(bridge: LibretroBridge, seed: int, frames: int) -> list[str]:
    """Hashes of RAM while random legal pads are pressed."""
    rng = np.random.default_rng(seed)
    hashes = []
    for _ in range(frames):
        for port in (0, 1):
            bridge.press(port, LEGAL[rng.integers(len(LEGAL))])
        bridge.advance()
        hashes.append(hashlib.sha256(bridge.read("ram", 0, 2048)).hexdigest())
    return hashes


def test_ten_machines_one_after_the_other_run_alike(core_file: Path) -> None:
    runs = set()
    for _ in range(10):
        with connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as bridge:
            runs.add((bridge.read("ram", 0, 2048), *play(bridge, 1, 60)))
    assert len(runs) == 1


def test_power_on_ram_is_set_where_the_core_has_an_option(bridge: LibretroBridge) -> None:
    ram = set(bridge.read("ram", 0, 2048))
    if bridge.facts.emulator.startswith("Nestopia"):
        assert "nestopia_ram_power_state" in bridge._core.environment.options_read
        assert ram == {0x00}
    elif "fceumm_ramstate" in bridge._core.environment.options_read:
        assert ram == {0x00}
    else:
        assert ram == {0xFF}, "a build without the option starts from a fixed value"


def test_one_core_file_opened_twice_is_two_machines(core_file: Path) -> None:
    solo = {}
    for seed in (1, 2):
        with connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as alone:
            solo[seed] = play(alone, seed, 60)
    with (
        connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as first,
        connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None) as second,
    ):
        rngs = {1: (first, np.random.default_rng(1)), 2: (second, np.random.default_rng(2))}
        together: dict[int, list[str]] = {1: [], 2: []}
        for _ in range(60):
            for seed, (bridge, rng) in rngs.items():
                for port in (0, 1):
                    bridge.press(port, LEGAL[rng.integers(len(LEGAL))])
                bridge.advance()
                together[seed].append(hashlib.sha256(bridge.read("ram", 0, 2048)).hexdigest())
    assert together == solo


def test_paths_with_spaces_and_letters_of_the_world(core_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Käse und 猫"
    folder.mkdir()
    core = Path(shutil.copy(core_file, folder / f"mein kern{core_file.suffix}"))
    rom = Path(shutil.copy(ROMS / "pads.nes", folder / "mon jeu é.nes"))
    with connect(rom=rom, core=str(core), emu_speed=None) as bridge:
        boot(bridge)
        bridge.press(0, Pad.A)
        bridge.advance()
        assert bridge.read("ram", PADS, 1) == b"\x80"


def test_a_closed_bridge_says_so_and_closes_again(core_file: Path) -> None:
    bridge = connect(rom=pad_cartridge(), core=str(core_file), emu_speed=None)
    bridge.advance()
    bridge.close()
    bridge.close()
    for ask in (bridge.advance, bridge.save, bridge.reset, bridge.picture):
        with pytest.raises(BridgeClosed, match="closed"):
            ask()


def test_a_bad_cartridge_is_refused_before_any_core_is_opened(tmp_path: Path) -> None:
    rom = tmp_path / "bad.nes"
    rom.write_bytes((ROMS / "pads.nes").read_bytes()[:5000])
    with pytest.raises(RomError):
        connect(rom=rom, core=str(tmp_path / "no such core"))


def test_both_cores_show_the_game_the_same_pads() -> None:
    """The cores boot one frame apart, so the script goes by the game's own frame counter."""
    rings = []
    for name in ("nestopia", "fceumm"):
        with connect(rom=pad_cartridge(), core=str(require_core(name)), emu_speed=None) as bridge:
            rng = np.random.default_rng(7)
            script = rng.integers(len(LEGAL), size=(256, 2))
            boot(bridge)
            for pads in script:
                for port, pad in enumerate(pads):
                    bridge.press(port, LEGAL[pad])
                bridge.advance()
            rings.append(bridge.read("ram", RING, 512))
    assert rings[0] == rings[1]
    assert len(set(rings[0])) > 50


def test_two_different_cores_in_one_process() -> None:
    with (
        connect(rom=pad_cartridge(), core=str(require_core("nestopia")), emu_speed=None) as first,
        connect(rom=pad_cartridge(), core=str(require_core("fceumm")), emu_speed=None) as second,
    ):
        boot(first)
        boot(second)
        first.press(0, Pad.A)
        second.press(0, Pad.B)
        first.advance()
        second.advance()
        assert (first.read("ram", PADS, 1), second.read("ram", PADS, 1)) == (b"\x80", b"\x40")


@pytest.mark.core("fceumm")
def test_the_documented_example_runs() -> None:
    require_core("fceumm")
    page = (ROOT / "docs" / "how-to" / "cores.md").read_text(encoding="utf-8")
    example = page.split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["frame"] == 1
    assert names["picture"].shape == (224, 240, 3)
