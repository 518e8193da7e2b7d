"""What would crash, hang or be swallowed in a careless frontend; each in a fresh process where it might."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from emubot.bridges.libretro import LibretroBridge
from emubot.pad import Pad
from tests.bridges.cores import PADS, ROMS, child, in_each_core

# Argument 1 is the core, 2 the cartridge.
PROLOGUE = """
import os, signal, sys, threading
from pathlib import Path
from emubot.bridges.libretro import connect
from emubot.bridges.libretro.core import Core, CoreStage
from emubot.cartridge import load_cartridge
from emubot.errors import BridgeClosed, CoreError, RomError

path, rom = Path(sys.argv[1]), load_cartridge(sys.argv[2])

def refused(kind, call, *words):
    try:
        call(*words)
    except kind as error:
        print(error)
    else:
        raise AssertionError("not refused")
"""

ORDERS = {
    "everything before load": """
core = Core(path)
for call in (core.run, core.reset, core.save, core.picture):
    refused(CoreError, call)
refused(CoreError, core.restore, b"")
refused(CoreError, core.memory, 2)
core.close()
""",
    "run after a refused load, then a good one": """
core = Core(path)
refused(RomError, core.load, b"no cartridge at all")
refused(CoreError, core.run)
core.load(rom.image)
core.run()
core.close()
""",
    "load twice": """
core = Core(path)
core.load(rom.image)
refused(CoreError, core.load, rom.image)
core.run()
core.close()
""",
    "everything after close": """
core = Core(path)
core.load(rom.image)
core.run()
core.close()
core.close()
for call in (core.run, core.reset, core.save, core.picture):
    refused(BridgeClosed, call)
refused(BridgeClosed, core.load, rom.image)
refused(BridgeClosed, core.memory, 2)
assert core.stage is CoreStage.CLOSED
""",
    "closed without a cartridge": """
Core(path).close()
""",
    "callbacks survive a collection of garbage": """
import gc
bridge = connect(rom=rom, core=str(path), emu_speed=None)
for _ in range(20):
    gc.collect()
    bridge.advance()
bridge.close()
""",
    "never closed": """
bridge = connect(rom=rom, core=str(path), emu_speed=None)
bridge.advance()
""",
}


@pytest.mark.parametrize(
    "orders",
    [pytest.param([*ORDERS], id="all in one process")]
    + [pytest.param([order], id=order, marks=pytest.mark.slow) for order in ORDERS],
)
def test_no_order_of_calls_crashes(core_file: Path, orders: list[str]) -> None:
    code = "".join(f"print({order!r}, flush=True)\n{ORDERS[order]}" for order in orders)
    done = child(PROLOGUE + code, core_file, ROMS / "pads.nes")
    assert done.returncode == 0, (done.stdout, done.stderr)


CTRL_C = """
bridge = connect(rom=rom, core=str(path), emu_speed=None)
at = []

def interrupt():
    while bridge.frame < 200:
        pass
    at.append(bridge.frame)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    while bridge.frame < 100_000:
        bridge.advance()
except KeyboardInterrupt:
    assert bridge.frame - at[0] <= 2, (bridge.frame, at)
    before = bridge.frame
    bridge.advance()  # the machine is whole: the interrupt came between two frames
    assert bridge.frame == before + 1
    bridge.close()
    print("interrupted")
"""


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="signals to the own process end it there")
@in_each_core("core_file", quick="fceumm", indirect=True)
@pytest.mark.parametrize("attempt", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in (1, 2))])
def test_ctrl_c_is_seen_within_the_frame(core_file: Path, attempt: int) -> None:
    done = child(PROLOGUE + CTRL_C, core_file, ROMS / "pads.nes")
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr
    assert "Traceback" not in done.stderr


HANDLER = """
signals = []
signal.signal(signal.SIGINT, lambda number, frame: signals.append(number))
bridge = connect(rom=rom, core=str(path), emu_speed=None)
for frame in range(50):
    signal.raise_signal(signal.SIGINT)
    bridge.advance()
bridge.close()
assert len(signals) == 50
assert signal.getsignal(signal.SIGINT).__name__ == "<lambda>"
"""


@pytest.mark.xdist_group("signals")
@in_each_core("core_file", quick="nestopia", indirect=True)
def test_a_callers_own_signal_handler_is_left_alone(core_file: Path) -> None:
    done = child(PROLOGUE + HANDLER, core_file, ROMS / "pads.nes")
    assert done.returncode == 0, done.stderr


def test_an_exception_in_a_callback_comes_out_after_the_frame(
    bridge: LibretroBridge, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(10):
        bridge.advance()
    core = bridge._core
    sound, core.held[0] = core.held[0], None  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="not subscriptable"):
        bridge.advance()
    core.held[0] = sound
    bridge.press(0, Pad.B)
    bridge.advance()
    assert bridge.read("ram", PADS, 1) == b"\x40", "the bridge works on"
    assert "Traceback" not in capfd.readouterr().err


NOWHERE_ELSE = """
bridge = connect(rom=rom, core=str(path), emu_speed=None)
for _ in range(60):
    bridge.advance()
bridge.load(bridge.save())
bridge.close()
with connect(rom=rom, core=str(path), emu_speed=None) as first, connect(rom=rom, core=str(path)) as second:
    first.advance()
"""


def test_no_file_is_left_anywhere_and_nothing_is_said(core_file: Path, tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("home", "tmp", "here")}
    for place in places.values():
        place.mkdir()
    image = bytearray((ROMS / "pads.nes").read_bytes())
    image[6] |= 0x02  # a battery, so that a core has something to save
    rom = tmp_path / "battery.nes"
    rom.write_bytes(image)
    before = {file.name for file in core_file.parent.iterdir()}
    code = f"import os\nos.chdir({str(places['here'])!r})\n" + PROLOGUE + NOWHERE_ELSE
    home, temporary = str(places["home"]), str(places["tmp"])
    done = child(
        code, core_file, rom, HOME=home, USERPROFILE=home, XDG_CONFIG_HOME=home, TMPDIR=temporary, TEMP=temporary
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not [file for place in places.values() for file in place.rglob("*")]
    assert {file.name for file in core_file.parent.iterdir()} == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["battery.nes", "here", "home", "tmp"]
