"""A core that crashes, ends, hangs or prints: the parent says how, keeps what was, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from emubot.bridges.hosted import HostedBridge, open_hosted, probe_apart
from emubot.bridges.hosted.bridge import HostedLibretro
from emubot.cartridge import Cartridge, load_cartridge
from emubot.errors import BridgeClosed, BridgeError, CoreCrashed, CoreError, RomError
from emubot.pad import Pad
from tests.bridges.toy import build_toy

pytestmark = [
    pytest.mark.xdist_group("signals"),
    pytest.mark.skipif(os.name != "posix", reason="cores run in this process here"),
]
Start = Callable[..., HostedLibretro]

LAST_GOOD = 19  # the toy core fails in frame 20


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of our own for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def start(tmp_path: Path, make_cartridge: Callable[..., Path], private: Path) -> Start:
    def opened(*flags: str) -> HostedLibretro:
        bridge = open_hosted("libretro", rom=make_cartridge(), core=str(build_toy(tmp_path, *flags)), emu_speed=None)
        assert isinstance(bridge, HostedLibretro)
        return bridge

    return opened


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def run_until_it_fails(bridge: HostedBridge) -> str:
    def run() -> None:
        for _ in range(100):
            bridge.advance()

    with pytest.raises(CoreCrashed) as failure:
        run()
    return str(failure.value)


@pytest.mark.parametrize(
    ("flag", "how"),
    [
        ("FAILS=1", "was ended by SIGSEGV"),
        ("FAILS=2", "was ended by SIGABRT"),
        ("FAILS=3", "ended by itself with exit code 0"),
    ],
)
def test_a_core_that_ends_is_an_error_that_says_how_and_where(start: Start, flag: str, how: str, private: Path) -> None:
    bridge = start(flag)
    bridge.keep_pads()
    bridge.press(0, Pad.LEFT)
    sentence = run_until_it_fails(bridge)
    assert sentence.startswith(f"Toy 1.0 {how}"), sentence
    for part in ("in frame 20", "with tiny.nes", "--core"):
        assert part in sentence, sentence
    pads = bridge.pads_since_power_on()
    assert pads is not None
    assert pads.tolist() == [[Pad.LEFT, 0]] * LAST_GOOD, "the pads of the frame that failed are not kept"
    assert bridge.frame == LAST_GOOD
    assert bridge.read("ram", 0, 1) == bytes([LAST_GOOD]), "memory is that of the last whole frame"
    assert not is_running(bridge.process)
    assert not list(private.iterdir()), "no folder is left"
    for call in (bridge.advance, bridge.picture, bridge.save):
        with pytest.raises(CoreCrashed, match=how):  # whoever asks next hears the same
            call()
    bridge.close()


def test_a_core_that_hangs_is_ended(start: Start, private: Path) -> None:
    bridge = start("FAILS=4")
    bridge._child.limit = 0.3
    sentence = run_until_it_fails(bridge)
    assert "did not answer within 0.3 s in frame 20 and was ended" in sentence
    assert not is_running(bridge.process)
    assert not list(private.iterdir())


def test_a_child_that_stands_still_between_frames_is_ended(start: Start, private: Path) -> None:
    bridge = start()
    bridge.advance()
    bridge._child.limit = 0.3
    os.killpg(bridge.process, signal.SIGSTOP)
    with pytest.raises(CoreCrashed, match=r"did not answer within 0\.3 s and was ended"):
        bridge.save()
    assert not is_running(bridge.process)
    assert not list(private.iterdir())


def test_ctrl_c_ends_the_wait_for_a_core_that_hangs(start: Start, private: Path) -> None:
    bridge = start("FAILS=4")
    for _ in range(LAST_GOOD):
        bridge.advance()
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        bridge.advance()
    bridge.close()
    assert not is_running(bridge.process)
    assert not list(private.iterdir())


def test_a_frame_that_was_interrupted_is_finished_by_the_next_call(start: Start) -> None:
    with start() as bridge:
        bridge.keep_pads()
        bridge.press(0, Pad.A)
        os.killpg(bridge.process, signal.SIGSTOP)
        threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            bridge.advance()
        os.killpg(bridge.process, signal.SIGCONT)
        bridge.press(0, Pad.B)
        assert [bridge.advance(), bridge.advance()] == [1, 2]
        pads = bridge.pads_since_power_on()
        assert pads is not None
        assert pads[:, 0].tolist() == [Pad.A, Pad.B]


def test_a_core_that_crashes_as_it_opens_is_told(start: Start, private: Path) -> None:
    with pytest.raises(CoreCrashed, match=r"toy_libretro.* was ended by SIGSEGV .*tiny\.nes"):
        start("FAILS_AT_LOAD")
    assert not list(private.iterdir())


def test_errors_come_by_their_type(start: Start, tmp_path: Path, make_cartridge: Callable[..., Path]) -> None:
    with pytest.raises(RomError, match="refused the cartridge"):
        start("REFUSE")
    no_core = tmp_path / "text_libretro.so"
    no_core.write_text("no core")
    with pytest.raises(CoreError, match="a text file"):
        open_hosted("libretro", rom=make_cartridge(), core=str(no_core))


def test_what_a_core_prints_goes_to_a_log_that_does_not_grow(
    start: Start, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from emubot.bridges.hosted import bridge as module
    from emubot.bridges.hosted import process

    monkeypatch.setattr(module, "_LOOK_EVERY", 10)
    monkeypatch.setattr(process, "_LOG_LIMIT", 500)
    with start("PRINTS") as bridge:
        sizes = []
        for _ in range(200):
            bridge.advance()
            sizes.append(os.fstat(bridge._child._log).st_size)
        assert max(sizes) < 800
    assert capfd.readouterr() == ("", "")


def test_a_core_file_that_crashes_is_probed_in_safety(tmp_path: Path) -> None:
    crashing = build_toy(tmp_path, "API_VERSION=*(volatile unsigned*)8")
    with pytest.raises(CoreCrashed, match="SIGSEGV"):
        probe_apart(crashing)
    fine = probe_apart(build_toy(tmp_path))
    assert (fine.name, fine.version, fine.extensions, fine.need_fullpath) == ("Toy", "1.0", ("fds", "nes"), False)


PARENT = """
import sys
from pathlib import Path
from emubot.bridges.hosted import open_hosted
bridge = open_hosted("libretro", rom=Path(sys.argv[1]), core=sys.argv[2], emu_speed=None)
print(bridge.process, flush=True)
for _ in range(100):
    bridge.advance()
"""


@pytest.mark.parametrize(
    ("flag", "from_a_thread"),
    [
        pytest.param("FAILS=4", True, id="inside retro_run, from a thread"),
        pytest.param("SOUND=1", False, id="between two frames"),
        pytest.param("FAILS=4", False, id="inside retro_run", marks=pytest.mark.slow),
        pytest.param("SOUND=1", True, id="between two frames, from a thread", marks=pytest.mark.slow),
    ],
)
def test_the_child_ends_with_its_parent(
    tmp_path: Path, make_cartridge: Callable[..., Path], flag: str, from_a_thread: bool
) -> None:
    """kill -9 of the parent; from a thread the system's own help (PDEATHSIG) is not asked for."""
    code = PARENT + ("" if flag == "FAILS=4" else "import time; time.sleep(60)\n")
    if from_a_thread:
        code = f"import threading\nthread = threading.Thread(target=exec, args=({code!r}, {{}}))\nthread.start()\n"
    words = [sys.executable, "-c", code, str(make_cartridge()), str(build_toy(tmp_path, flag))]
    parent = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert is_running(child)
    assert os.getpgid(child) == child, "a group of its own: Ctrl-C in the terminal is the parent's alone"
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until = time.monotonic() + 30
    while is_running(child):
        assert time.monotonic() < until, "the child outlives its parent"
        time.sleep(0.01)


def test_a_folder_that_a_killed_parent_left_is_removed_by_the_next(start: Start, private: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left, other, mine = (private / name for name in (f"emubot-core-{gone.pid}-x", "emubot-core-x", "other"))
    for folder in (left, other, mine):
        folder.mkdir()
    with start():
        assert not left.exists()
        assert other.exists()
        assert mine.exists()


def test_a_bridge_that_is_never_closed_ends_with_the_script(
    tmp_path: Path, make_cartridge: Callable[..., Path]
) -> None:
    words = [sys.executable, "-W", "error", "-c", PARENT, str(make_cartridge()), str(build_toy(tmp_path))]
    folder = tmp_path / "temporary"
    folder.mkdir()
    done = subprocess.run(
        words, capture_output=True, text=True, env={**os.environ, "TMPDIR": str(folder)}, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not is_running(int(done.stdout))
    assert not list(folder.iterdir())


def test_the_child_imports_neither_the_compiler_nor_the_schemas() -> None:
    code = "import sys, emubot.bridges.hosted.child; print({'numba', 'pydantic', 'rich', 'yaml'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_cartridge_goes_to_the_child_as_it_is(make_cartridge: Callable[..., Path], start: Start) -> None:
    cartridge: Cartridge = load_cartridge(make_cartridge())
    with start() as bridge:
        assert bridge.facts.rom_identity == cartridge.sha1
        assert bridge.read("ram", 0x700, 1) == cartridge.image[:1]


def test_a_bridge_closed_in_another_thread_ends_the_wait_there(start: Start) -> None:
    bridge = start("FAILS=4")
    heard: list[BaseException] = []

    def run() -> None:
        try:
            for _ in range(100):
                bridge.advance()
        except BridgeError as failure:
            heard.append(failure)

    thread = threading.Thread(target=run)
    thread.start()
    until = time.monotonic() + 30
    while bridge._line.frames < LAST_GOOD:
        assert time.monotonic() < until
    bridge.close()
    thread.join(30)
    assert [type(failure) for failure in heard] == [BridgeClosed]
    assert not is_running(bridge.process)
