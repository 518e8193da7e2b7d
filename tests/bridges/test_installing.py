"""Installing a core: what is kept, what is said when it cannot be had; with scripted tools instead of a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.bridges.libretro import installing
from emubot.bridges.libretro.finding import SUFFIX
from emubot.errors import BridgeError, CoreError

from . import fakes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The user's folder for cores, which does not exist yet."""
    return tmp_path / "data" / "cores"


def use(monkeypatch: pytest.MonkeyPatch, **tools: tuple[str, ...]) -> None:
    for name, command in tools.items():
        monkeypatch.setattr(installing, name.upper(), command)


def test_one_core_and_its_licence_are_kept(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = bytes(range(256)) * 40
    use(monkeypatch, pip=fakes.pip(tmp_path, fakes.wheel(tmp_path / "made.whl", core)))
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    done: list[int] = []
    installed = installing.install("fceumm", folder, done.append)
    assert installed.path == folder / f"fceumm_libretro{SUFFIX}"
    assert installed.path.read_bytes() == core
    assert installed.size == len(core)
    assert (
        installed.licence.read_text(encoding="utf-8") == "## FCEUmm\nCopyright of FCEUmm.\n# GPLv2 full text\nThe GPL."
    )
    assert sorted(folder.iterdir()) == sorted([installed.path, installed.licence])
    assert not list(temporary.iterdir()), "the wheel is gone"
    words = (tmp_path / "pip.words").read_text(encoding="utf-8").split("|")
    assert words[0] == "download"
    assert words[-1] == "stable-retro==1.0.1"
    assert {"--no-deps", "--only-binary=:all:"} <= set(words)


def test_an_old_core_is_replaced(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for core in (b"old", b"new"):
        use(monkeypatch, pip=fakes.pip(tmp_path, fakes.wheel(tmp_path / "made.whl", core)))
        assert installing.install("fceumm", folder).path.read_bytes() == core
    assert len(list(folder.iterdir())) == 2


def test_licences_of_another_make_are_kept_whole(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "All licences,\nin one piece."
    use(monkeypatch, pip=fakes.pip(tmp_path, fakes.wheel(tmp_path / "made.whl", b"core", text)))
    assert installing.install("fceumm", folder).licence.read_text(encoding="utf-8") == text


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
        installing.install("fceumm", folder)
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)
    assert not folder.exists()


def test_no_python_to_run_pip_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, pip=("/no/such/python", "-m", "pip"))
    with pytest.raises(BridgeError, match="/no/such/python cannot be started"):
        installing.install("fceumm", folder)


def test_pip_that_brings_nothing(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, pip=fakes.tool(tmp_path, "pip", ""))
    with pytest.raises(BridgeError, match="downloaded 0 files"):
        installing.install("fceumm", folder)


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
        fakes.wheel(made, b"core", cores=0 if odd == "no core" else 2)
    use(monkeypatch, pip=fakes.pip(tmp_path, made))
    with pytest.raises(CoreError, match="is not the wheel that was expected"):
        installing.install("fceumm", folder)
    assert not folder.exists()


def test_a_full_disk_leaves_the_old_core(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, pip=fakes.pip(tmp_path, fakes.wheel(tmp_path / "made.whl", b"old")))
    path = installing.install("fceumm", folder).path
    use(monkeypatch, pip=fakes.pip(tmp_path, fakes.wheel(tmp_path / "made.whl", b"new")))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        installing.install("fceumm", folder)
    assert path.read_bytes() == b"old"
    assert len(list(folder.iterdir())) == 2


APT = "Path('libretro-nestopia_1.52.0_amd64.deb').write_bytes(b'package')\n"
DPKG = f"""
out = Path(sys.argv[3])
for name, data in (('usr/lib/any-triplet/libretro/nestopia_libretro{SUFFIX}', b'core'),
                   ('usr/share/doc/libretro-nestopia/copyright', b'The GPL.')):
    (out / name).parent.mkdir(parents=True)
    (out / name).write_bytes(data)
"""


def test_nestopia_comes_out_of_the_debian_package(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, apt=fakes.tool(tmp_path, "apt", APT), dpkg=fakes.tool(tmp_path, "dpkg", DPKG))
    installed = installing.install("nestopia", folder)
    assert installed.path == folder / f"nestopia_libretro{SUFFIX}"
    assert installed.path.read_bytes() == b"core"
    assert installed.licence.read_text(encoding="utf-8") == "The GPL."
    assert (tmp_path / "apt.words").read_text(encoding="utf-8") == "download|libretro-nestopia"


def test_without_apt_the_other_ways_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, apt=("no-such-apt-get",))
    with pytest.raises(BridgeError, match=r"apt-get and dpkg-deb, which are not here: RetroArch's online updater"):
        installing.install("nestopia", folder)


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
        installing.install("nestopia", folder)
    assert not folder.exists()
