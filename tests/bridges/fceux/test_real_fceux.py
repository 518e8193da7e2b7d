"""The FCEUX bridge in a real FCEUX: both demo cartridges, coming and going, and a user who does things meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from emubot import Goal, Pilot
from emubot.bridges.check import check_bridge
from emubot.bridges.fceux import connect
from emubot.bridges.protocol import AS_SET
from emubot.bridges.scripted import ScriptedBridge
from emubot.cartridge import load_cartridge
from emubot.cli.compiling import compile_kernels
from emubot.demos import image
from emubot.errors import BridgeError, EmulatorNotFound
from emubot.pad import Pad
from tests.bridges.cores import FRAMES, PADS, ROMS
from tests.bridges.fceux.emulator import Fceux, fceux
from tests.bridges.started import START
from tests.families import default_edition

pytestmark = [pytest.mark.emulators, pytest.mark.fceux]

RESTARTS = Path(__file__).with_name("restarts.lua")
SOON = 5.0  # seconds

Start = Callable[..., Fceux]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with ExitStack() as stack:
        yield lambda rom, **options: stack.enter_context(fceux(tmp_path / "fceux", rom, **options))


def frames_seen(bridge: ScriptedBridge) -> int:
    """How many frames our pad recorder has counted."""
    return int.from_bytes(bridge.read("ram", FRAMES, 2), "little")


def advance_for(bridge: ScriptedBridge, frames: int) -> None:
    for _ in range(frames):
        bridge.advance()


@pytest.fixture
def recorder(start: Start) -> Fceux:
    """Our pad recorder, past the frames that it needs to begin."""
    emulator = start(ROMS / "pads.nes")
    with emulator.attach() as bridge:
        while frames_seen(bridge) < 10:
            bridge.advance()
    return emulator


def pads_seen(bridge: ScriptedBridge) -> tuple[int, int]:
    """What our pad recorder read in the last frame."""
    first, second = bridge.read("ram", PADS, 2)
    return first, second


@pytest.mark.jit
@pytest.mark.parametrize(("demo", "asked"), [("tetris", {"level": 19}), ("puyo", None)])
def test_a_demo_is_played_for_300_pieces_without_a_fault(start: Start, demo: str, asked: dict[str, int] | None) -> None:
    compile_kernels(default_edition(demo), quiet=True)  # FCEUX waits for a plan, but not for a compiler
    with start(image(demo)).attach() as bridge:
        assert bridge.facts.rom_identity == load_cartridge(image(demo)).sha1
        pilot = Pilot(bridge, Goal(pieces=300, games=None, menu_choices=asked))
        tally = pilot.run()
        assert tally.pieces == 300
        assert (tally.misplaced, tally.replans, tally.lag_frames) == (0, 0, 0)
        assert bridge.epoch == 0


@pytest.mark.parametrize("demo", ["tetris", "puyo"])
def test_it_keeps_what_the_protocol_promises(start: Start, demo: str) -> None:
    emulator = start(image(demo))
    check_bridge(emulator.attach)


@pytest.mark.jit
def test_emubot_may_leave_in_mid_game_and_come_back(start: Start) -> None:
    compile_kernels(default_edition("puyo"), quiet=True)
    emulator = start(image("puyo"))
    with emulator.attach() as bridge:
        first = Pilot(bridge, Goal(pieces=5))
        assert first.run().pieces == 5
        bridge.press(0, Pad.LEFT | Pad.A)
        bridge.advance()
    with emulator.attach() as bridge:
        tally = Pilot(bridge, Goal(pieces=5)).run()
        assert (tally.pieces, tally.misplaced) == (5, 0)


USERS = ("Left", "f")  # LEFT and A of port 0 in a fresh FCEUX


def advance_until(bridge: ScriptedBridge, pads: tuple[int, int]) -> None:
    """Keys are seen when the emulator's window gets them."""
    due = time.monotonic() + START
    while pads_seen(bridge) != pads:
        assert time.monotonic() < due, f"the game read {pads_seen(bridge)}, and not {pads}"
        bridge.advance()


def test_a_port_that_is_not_owned_is_its_users(recorder: Fceux) -> None:
    with recorder.attach() as bridge, recorder.keys_held(*USERS):
        bridge.press(1, Pad.B)
        advance_until(bridge, (Pad.A | Pad.LEFT, Pad.B))


def test_an_owned_port_is_the_bots_alone_until_it_is_released(recorder: Fceux) -> None:
    with recorder.attach() as bridge, recorder.keys_held(*USERS):
        advance_until(bridge, (Pad.A | Pad.LEFT, 0))
        for pad in (Pad.RIGHT, Pad.NONE, Pad.START):
            bridge.press(0, pad)
            bridge.advance()
            assert pads_seen(bridge) == (pad, 0)
        bridge.release(0)
        bridge.advance()
        assert pads_seen(bridge) == (Pad.A | Pad.LEFT, 0)
        bridge.press(0, Pad.B)
        bridge.advance()
        assert pads_seen(bridge) == (Pad.B, 0)


def test_close_gives_the_pads_back(recorder: Fceux) -> None:
    with recorder.attach() as bridge:
        bridge.press(0, Pad.A)
        bridge.press(1, Pad.B)
        bridge.advance()
        assert pads_seen(bridge) == (Pad.A, Pad.B)
    with recorder.attach() as bridge:
        bridge.advance()
        assert pads_seen(bridge) == (0, 0)
        with recorder.keys_held(*USERS):
            advance_until(bridge, (Pad.A | Pad.LEFT, 0))


@pytest.mark.parametrize(
    "deed",
    [
        "savestate.load(kept)",
        "emu.softreset()",
        "emu.poweron()",
    ],
    ids=["state loaded", "reset", "power switched"],
)
def test_a_machine_that_became_another_one_is_noticed(recorder: Fceux, deed: str) -> None:
    with recorder.attach() as bridge:
        recorder.does("kept = savestate.create(); savestate.save(kept)", bridge.advance)
        bridge.advance()
        assert bridge.epoch == 0
        recorder.does(deed, bridge.advance)
        for _ in range(3):
            bridge.advance()
        assert bridge.epoch == 1


def test_another_cartridge_is_noticed(recorder: Fceux) -> None:
    with recorder.attach(patience=SOON) as bridge:
        bridge.advance()

        def exchange() -> None:
            # Its window puts it in when it gets to it: before the order counts as done, or many frames later.
            recorder.does(f"emu.loadrom({str(image('puyo'))!r})", bridge.advance)
            advance_for(bridge, 10000)

        with pytest.raises(BridgeError, match="Another cartridge runs in FCEUX now"):
            exchange()


def test_a_silent_emubot_does_not_stop_the_game(recorder: Fceux) -> None:
    """After five seconds the game is its user's again; emubot is told when it comes back."""
    with recorder.attach() as bridge:
        bridge.press(0, Pad.A)
        bridge.advance()
        before = frames_seen(bridge)
        recorder.does("for _ = 1, 3 do end")  # done in a frame of its own accord, so FCEUX runs on
        assert bridge.advance() == 2
        assert bridge.epoch == 1
        assert pads_seen(bridge) == (0, 0), "a pad for a frame that is long past is not pressed"
        assert frames_seen(bridge) > before + 1


def test_a_script_that_is_started_anew_is_found_again(start: Start) -> None:
    """It gets its port back at once, and emubot goes on with it where the game is now."""
    emulator = start(image("puyo"), script=RESTARTS)
    with emulator.attach() as bridge:
        bridge.press(0, Pad.A)
        for frame in range(1, 200):
            assert bridge.advance() == frame
        assert bridge.epoch == 1


def test_the_speed_that_was_asked_for_ends_with_emubot(recorder: Fceux) -> None:
    """FCEUX is asked for its normal speed again, the last of what a spy hears; and for nothing where none is asked."""
    recorder.does("asked = ''; local real = emu.speedmode; emu.speedmode = function(w) asked = asked .. w; real(w) end")
    with recorder.attach(emu_speed=AS_SET) as bridge:
        recorder.does("assert(asked == ''); memory.writebyte(0x7FE, 1)", bridge.advance)
        bridge.advance()
        assert bridge.read("ram", 0x7FE, 1) == b"\1"
    with recorder.attach(emu_speed=None) as bridge:
        bridge.advance()
    with recorder.attach(emu_speed=AS_SET) as bridge:
        recorder.does("assert(asked == 'maximumnormal'); memory.writebyte(0x7FE, 2)", bridge.advance)
        bridge.advance()
        assert bridge.read("ram", 0x7FE, 1) == b"\2"


def test_a_second_emubot_is_sent_away_and_the_first_plays_on(recorder: Fceux) -> None:
    with recorder.attach() as bridge:
        bridge.advance()
        with ThreadPoolExecutor() as pool:
            second = pool.submit(connect, port=recorder.port)
            while not second.done():
                bridge.advance()
            with pytest.raises(EmulatorNotFound, match="another emubot plays here already"):
                second.result()
        assert bridge.epoch == 0


def test_a_missing_luasocket_is_said_in_one_sentence_with_the_remedy(start: Start) -> None:
    said = start(image("puyo"), script=Path(__file__).with_name("without_socket.lua")).wrote("said").decode("ascii")
    assert said.startswith("emubot: LuaSocket is missing: on Debian and Ubuntu install the package lua-socket")
    assert said.count("\n") == 1
