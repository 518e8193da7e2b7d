"""Installing a core: what is kept, what is said when it cannot be had; with scripted tools instead of a network."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from emubot.bridges.libretro import installing
from emubot.errors import BridgeError, CoreError, StorageError
from emubot.systems.cores import suffix
from tests.bridges import fakes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The user's folder for cores, which does not exist yet."""
    return tmp_path / "data" / "cores"


def use(monkeypatch: pytest.MonkeyPatch, **tools: tuple[str, ...]) -> None:
    for name, command in tools.items():
        monkeypatch.setattr(installing, name.upper(), command)


def publish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made: Path) -> None:
    """Let this wheel be the published one, and pip bring it."""
    use(monkeypatch, pip=fakes.pip(tmp_path, made))
    fakes.publish(monkeypatch, made)


def good(path: Path) -> None:
    """A probe that finds any core good."""


def bad(path: Path) -> None:
    raise CoreError("It is no core.")


def test_one_core_and_its_licence_are_kept(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = bytes(range(256)) * 40
    publish(monkeypatch, tmp_path, fakes.wheel(tmp_path / "made.whl", core))
    done: list[int] = []
    installed = installing.install("fceumm", folder, good, done.append)
    assert installed.path == folder / f"fceumm_libretro{suffix()}"
    assert installed.path.read_bytes() == core
    assert installed.size == len(core)
    assert (
        installed.licence.read_text(encoding="utf-8") == "## FCEUmm\nCopyright of FCEUmm.\n# GPLv2 full text\nThe GPL."
    )
    assert sorted(folder.iterdir()) == sorted([installed.path, installed.licence]), "the wheel is gone"
    words = (tmp_path / "pip.words").read_text(encoding="utf-8").split("|")
    assert words[0] == "download"
    assert words[-1] == "stable-retro==1.0.1"
    assert {"--no-deps", "--only-binary=:all:"} <= set(words)


def test_a_wheel_that_was_not_published_installs_nothing(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, pip=fakes.pip(tmp_path, fakes.wheel(tmp_path / "made.whl", b"somebody else's")))
    with pytest.raises(CoreError, match=r"is not the wheel that was published \(its SHA-256 is [0-9a-f]{64}\)") as told:
        installing.install("fceumm", folder, good)
    assert told.value.exit_code == 3
    assert not folder.exists()


def test_a_core_that_does_not_work_leaves_the_old_one(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(monkeypatch, tmp_path, fakes.wheel(tmp_path / "made.whl", b"new"))
    with pytest.raises(CoreError, match="It is no core"):
        installing.install("fceumm", folder, bad)
    assert not folder.exists()
    folder.mkdir(parents=True)
    core = installing.core_path("fceumm", folder)
    core.write_bytes(b"old")
    with pytest.raises(CoreError, match="It is no core"):
        installing.install("fceumm", folder, bad)
    assert core.read_bytes() == b"old"
    assert list(folder.iterdir()) == [core]


# A pip that starts another process and then hangs: it says its own number and that of its child.
HANGING = """
import os, subprocess, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
Path("numbers.part").write_text(f"{os.getpid()} {child.pid}")
Path("numbers.part").rename(Path(sys.argv[0]).with_name("numbers"))
time.sleep(600)
"""
INSTALL = """
import sys
from pathlib import Path
from emubot.bridges.libretro import finding, installing
from emubot.cli import main
installing.PIP = (sys.executable, sys.argv[1])
finding.install_folder = lambda: Path(sys.argv[2])
sys.exit(main(["core", "install", "--force"]))
"""


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not status.exists() or status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def soon(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


@pytest.mark.few(1)
@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_an_install_that_is_ended_leaves_neither_pip_nor_folder(name: str, tmp_path: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    core = installing.core_path("fceumm", folder)
    core.write_bytes(b"old")
    (_, script), numbers = fakes.tool(tmp_path, "pip", HANGING), tmp_path / "numbers"
    install = subprocess.Popen(
        [sys.executable, "-c", INSTALL, script, str(folder)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    pids: list[int] = []
    try:
        assert soon(numbers.exists)
        pids = [int(number) for number in numbers.read_text(encoding="utf-8").split()]
        assert all(map(is_running, pids))
        install.send_signal(getattr(signal, name))
        said, errors = install.communicate(timeout=60)
        assert soon(lambda: not any(map(is_running, pids))), "pip, or what it started, lives on"
        assert soon(lambda: list(folder.iterdir()) == [core])
        assert core.read_bytes() == b"old"
        assert said == ""
        assert "Traceback" not in errors
        assert install.returncode == (-signal.SIGKILL if name == "SIGKILL" else 130)
    finally:
        install.kill()
        install.communicate()
        for number in filter(is_running, pids):
            os.kill(number, signal.SIGKILL)


def test_an_old_core_is_replaced(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for core in (b"old", b"new"):
        publish(monkeypatch, tmp_path, fakes.wheel(tmp_path / "made.whl", core))
        assert installing.install("fceumm", folder, good).path.read_bytes() == core
    assert len(list(folder.iterdir())) == 2


def test_licences_of_another_make_are_kept_whole(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "All licences,\nin one piece."
    publish(monkeypatch, tmp_path, fakes.wheel(tmp_path / "made.whl", b"core", text))
    assert installing.install("fceumm", folder, good).licence.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("/usr/bin/python3: No module named pip\n", r"This Python has no pip: install it \("),
        (
            "ERROR: Could not find a version that satisfies the requirement\nERROR: No matching distribution found\n",
            r"There is no stable-retro==1.0.1 wheel for this system .*online updater .* simulated bridge",
        ),
        (
            "WARNING: Retrying after connection broken by 'NewConnectionError'\n"
            "ERROR: No matching distribution found for stable-retro==1.0.1\n",
            r"could not reach its package index \(ERROR: No matching distribution found .*\): check the network",
        ),
        (
            "ERROR: Operation cancelled by user\n",
            r"could not download stable-retro==1.0.1 \(ERROR: Operation cancelled",
        ),
        ("", "it said nothing"),
    ],
)
def test_what_pip_says_becomes_one_sentence(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, said: str, words: str
) -> None:
    use(monkeypatch, pip=fakes.failing(tmp_path, said))
    with pytest.raises(BridgeError, match=words) as caught:
        installing.install("fceumm", folder, good)
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)
    assert not folder.exists()


def test_no_python_to_run_pip_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, pip=("/no/such/python", "-m", "pip"))
    with pytest.raises(BridgeError, match="/no/such/python cannot be started"):
        installing.install("fceumm", folder, good)


def test_pip_that_brings_nothing(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, pip=fakes.tool(tmp_path, "pip", ""))
    with pytest.raises(BridgeError, match="downloaded 0 files"):
        installing.install("fceumm", folder, good)


@pytest.mark.parametrize("odd", ["no zip", "no core", "two cores", "no licence"])
def test_an_unexpected_wheel_installs_nothing(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    made = tmp_path / "made.whl"
    if odd == "no zip":
        made.write_bytes(b"no zip")
    elif odd == "no licence":
        fakes.wheel(made, b"core", None)
    else:
        fakes.wheel(made, b"core", copies=0 if odd == "no core" else 2)
    publish(monkeypatch, tmp_path, made)
    with pytest.raises(CoreError, match="is not the wheel that was expected"):
        installing.install("fceumm", folder, good)
    assert not folder.exists()


def test_a_full_disk_leaves_the_old_core(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, tmp_path, fakes.wheel(tmp_path / "made.whl", b"old"))
    path = installing.install("fceumm", folder, good).path
    publish(monkeypatch, tmp_path, fakes.wheel(tmp_path / "made.whl", b"new"))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        installing.install("fceumm", folder, good)
    assert path.read_bytes() == b"old"
    assert len(list(folder.iterdir())) == 2


APT = "Path('libretro-nestopia_1.52.0_amd64.deb').write_bytes(b'package')\n"
DPKG = f"""
out = Path(sys.argv[3])
for name, data in (('usr/lib/any-triplet/libretro/nestopia_libretro{suffix()}', b'core'),
                   ('usr/share/doc/libretro-nestopia/copyright', b'The GPL.')):
    (out / name).parent.mkdir(parents=True)
    (out / name).write_bytes(data)
"""


def test_nestopia_comes_out_of_the_debian_package(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, apt=fakes.tool(tmp_path, "apt", APT), dpkg=fakes.tool(tmp_path, "dpkg", DPKG))
    installed = installing.install("nestopia", folder, good)
    assert installed.path == folder / f"nestopia_libretro{suffix()}"
    assert installed.path.read_bytes() == b"core"
    assert installed.licence.read_text(encoding="utf-8") == "The GPL."
    assert (tmp_path / "apt.words").read_text(encoding="utf-8") == "download|libretro-nestopia"


def test_without_apt_the_other_ways_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, apt=("no-such-apt-get",))
    with pytest.raises(BridgeError, match=r"apt-get and dpkg-deb, which are not here: RetroArch's online updater"):
        installing.install("nestopia", folder, good)


@pytest.mark.parametrize(
    ("apt", "dpkg", "words"),
    [
        (
            "sys.stderr.write('E: Unable to locate package\\n')\nsys.exit(100)",
            DPKG,
            r"\(E: Unable to locate package\): run",
        ),
        (APT, "sys.stderr.write('dpkg-deb: error: not a package\\n')\nsys.exit(2)", "not a package"),
        (APT, "", "holds no Nestopia core"),
    ],
)
def test_a_package_that_cannot_be_had_or_used(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, apt: str, dpkg: str, words: str
) -> None:
    use(monkeypatch, apt=fakes.tool(tmp_path, "apt", apt), dpkg=fakes.tool(tmp_path, "dpkg", dpkg))
    with pytest.raises((BridgeError, CoreError), match=words):
        installing.install("nestopia", folder, good)
    assert not folder.exists()
