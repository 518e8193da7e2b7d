"""The RetroArch bridge on a real RetroArch: both demo cartridges, both cores, coming and going."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from emubot import Goal, Pilot, load_map
from emubot.bridges.check import check_bridge
from emubot.bridges.checked_pads import PadAddresses
from emubot.bridges.retroarch import RetroArchBridge, connect
from emubot.cli.compiling import compile_kernels
from emubot.demos import image
from emubot.errors import BridgeError, EmulatorNotFound
from emubot.pad import Pad
from emubot.pilot.tally import Tally
from tests.bridges.cores import FRAMES, PADS, ROMS
from tests.bridges.retroarch.emulator import free_ports, retroarch
from tests.bridges.retroarch.witness import Witness
from tests.bridges.started import START
from tests.families import default_edition, whole_edition

pytestmark = [
    pytest.mark.emulators,
    pytest.mark.retroarch,
    pytest.mark.usefixtures("hasty"),
    pytest.mark.xdist_group("retroarch"),  # `played` is played once
]

RECORDER = PadAddresses(FRAMES, (PADS, PADS + 1))
PIECES = 300
SPEED = 1.5  # of the console: 300 pieces take less than four minutes
SOON = 600  # frames

each_core = pytest.mark.parametrize(
    "core", [pytest.param(name, marks=pytest.mark.core(name)) for name in ("fceumm", "nestopia")]
)


def play(folder: Path, demo: str, core: str, pieces: int) -> tuple[Tally, Witness]:
    """A demo at the test's speed: the pilot's own word of it, and that of the game's memory."""
    ram_map = load_map({"tetris": "nes_tetris_usa", "puyo": "demo_pairs"}[demo])
    with retroarch(folder, image(demo), core, speed=SPEED) as emulator, emulator.attach() as bridge:
        emulator.tell("FAST_FORWARD")
        pilot = Pilot(bridge, Goal(pieces=pieces, games=None), edition=whole_edition(ram_map))
        witness = Witness(ram_map)
        witness.watch(pilot)
        return pilot.run(), witness


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Tally, Witness]]:
    """Both games to their end, at the same time: each waits for its emulator nearly always."""
    cores = {"tetris": "fceumm", "puyo": "nestopia"}
    for demo in cores:
        compile_kernels(default_edition(demo), quiet=True)  # a game does not wait for a compiler
    with ThreadPoolExecutor() as pool:
        running = {
            demo: pool.submit(play, tmp_path_factory.mktemp(demo), demo, core, PIECES) for demo, core in cores.items()
        }
        return {demo: game.result() for demo, game in running.items()}


@pytest.mark.jit
@pytest.mark.parametrize("demo", ["tetris", "puyo"])
def test_a_demo_is_played_for_300_pieces(played: dict[str, tuple[Tally, Witness]], demo: str) -> None:
    """At most 1 in 100 is misplaced, and the pilot knows of each; what nobody could see counts as misplaced too."""
    tally, witness = played[demo]
    assert tally.pieces == PIECES
    assert len(witness.misplaced) <= tally.misplaced, f"{witness.misplaced} locked elsewhere"
    assert max(witness.locked) - PIECES <= len(witness.unseen), f"only {witness.unseen} were out of sight"
    wrong = max(tally.misplaced, len(witness.misplaced) + len(witness.unseen))
    assert wrong <= PIECES // 100, f"{witness.misplaced} locked elsewhere, {witness.unseen} out of sight"


@each_core
def test_it_keeps_what_the_protocol_promises(core: str, tmp_path: Path) -> None:
    with retroarch(tmp_path, ROMS / "pads.nes", core) as emulator:
        check_bridge(emulator.attach, RECORDER)


@each_core
def test_a_core_is_read_by_the_command_that_it_answers(core: str, tmp_path: Path) -> None:
    with retroarch(tmp_path, ROMS / "pads.nes", core) as emulator, emulator.attach() as bridge:
        assert bridge.facts.emulator.startswith("RetroArch 1.")
        assert bridge.facts.rom_identity == "file:DFB97C4B", "the CRC32 of pads.nes, header and all"
        bridge.follow("ram", [(0, 0x800)], FRAMES)
        bridge.advance()
        assert bridge.read("ram", 0x100, 0x600) == b"".join(
            bridge.read("ram", start, 0x300) for start in (0x100, 0x400)
        ), "across the border of a kilobyte"


def test_the_order_of_starting_does_not_matter_and_a_restart_is_survived(tmp_path: Path) -> None:
    ports = free_ports()
    pool = ThreadPoolExecutor()  # left without waiting: where RetroArch ends at once nothing will answer
    waiting = pool.submit(connect, port=ports[0], pad_port=ports[1], wait=START, patience=START)
    pool.shutdown(wait=False)
    with ExitStack() as first:
        emulator = first.enter_context(retroarch(tmp_path / "first", ROMS / "pads.nes", "fceumm", ports))
        with emulator.attached_by(waiting) as bridge:
            bridge.follow("ram", [(PADS, 2)], FRAMES)
            assert_reads(bridge, Pad.LEFT)
            first.close()
            with retroarch(tmp_path / "second", ROMS / "pads.nes", "fceumm", ports):
                bridge.advance()
                assert bridge.epoch >= 1
                assert_reads(bridge, Pad.NONE)
                assert_reads(bridge, Pad.A)


def assert_reads(bridge: RetroArchBridge, pad: Pad) -> None:
    """The game soon reads this pad from port 0, and nothing from port 1, which is not ours."""
    for _ in range(SOON):
        bridge.press(0, pad)
        bridge.advance()
        if bridge.read("ram", PADS, 2) == bytes([pad, 0]):
            return
    raise AssertionError(f"{pad!r} did not arrive in {SOON} frames")


def test_another_cartridge_is_not_taken_for_the_first(tmp_path: Path) -> None:
    ports = free_ports()
    with retroarch(tmp_path / "first", ROMS / "pads.nes", "fceumm", ports) as emulator:
        bridge = emulator.attach()
        bridge.advance()
    second = retroarch(tmp_path / "second", ROMS / "pads_lag.nes", "fceumm", ports)
    with second, bridge, pytest.raises(BridgeError, match="now runs pads_lag"):
        bridge.advance()


def test_nobody_answers() -> None:
    port, pad_port = free_ports()
    with pytest.raises(EmulatorNotFound, match="start it"):
        connect(port=port, pad_port=pad_port)
