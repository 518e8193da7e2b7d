"""What ships: what both packages hold, and that maps and weights are found from a wheel and from a bare checkout."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import warnings
import zipfile
from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from pyproject_hooks import BuildBackendHookCaller, quiet_subprocess_runner

from tests.paths import ROOT
from tests.programs import tracked_files

pytestmark = pytest.mark.xdist_group("packaging")  # one wheel and one environment for all

SETUPTOOLS = 70  # the first that builds wheels alone


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """The command's stdout; where it fails, what it said is the failure."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def builds_alone() -> bool:
    """Whether the setuptools at hand can build, without asking the network for one."""
    try:
        return int(version("setuptools").partition(".")[0]) > SETUPTOOLS
    except ModuleNotFoundError:
        return False


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tracked files, so that building and running leave nothing in the working tree."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in tracked_files(ROOT):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def build(checkout: Path, folder: Path) -> tuple[Path, Path]:
    """The source package of a copy of the checkout, and the wheel that is built from that alone."""
    shutil.copytree(checkout, folder / "emubot")
    alone = ["--no-isolation"] if builds_alone() else []
    words = ["-m", "build", *alone, "--outdir", str(folder), str(folder / "emubot")]
    run(sys.executable, *words, SOURCE_DATE_EPOCH="1000000000")
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="session")
def packages(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Both packages."""
    return build(checkout, tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="session")
def wheel(packages: tuple[Path, Path]) -> Path:
    """The wheel."""
    return packages[1]


def borrow(python: Path) -> None:
    """Lend an environment this one's packages: its own come first, and .pth files in borrowed folders are not read."""
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    folders = [folder for folder in sys.path if Path(folder).name in {"site-packages", "dist-packages"}]
    (site / "borrowed.pth").write_text("\n".join(folders) + "\n", encoding="utf-8")


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a clean environment with the wheel, its dependencies borrowed from this one."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel)
    borrow(python)
    return python


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_is_for_every_system_and_holds_the_whole_package(wheel: Path, checkout: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    shipped = set(names(wheel))
    for file in (path for path in (checkout / "emubot").rglob("*") if path.is_file()):
        assert file.relative_to(checkout).as_posix() in shipped, "is it missing in setup.cfg?"
    for folder in ("ram_maps", "weights"):
        for file in (checkout / folder).iterdir():
            assert f"emubot/_{folder}/{file.name}" in shipped


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"emubot"}
    kinds = {Path(name).suffix for name in names(wheel) if name.startswith("emubot/")}
    page = {".html", ".css", ".js", ".svg"}
    assert kinds <= page | {".py", ".typed", ".yaml", ".json", ".nes", ".s", ".inc", ".cfg", ".lua", ".md", ".xz"}
    assert [name for name in names(wheel) if name.endswith(".nes")] == [
        "emubot/demos/blocks.nes",
        "emubot/demos/capsules.nes",
        "emubot/demos/pairs.nes",
    ]
    assert "emubot/py.typed" in names(wheel)


def test_the_source_package_holds_what_the_repository_holds(packages: tuple[Path, Path], checkout: Path) -> None:
    """Tests and all that they read, so that the README's test command passes in it too."""
    held: dict[str, bytes] = {}
    with tarfile.open(packages[0]) as archive:
        for member in archive:
            if (file := archive.extractfile(member)) is not None:
                held[member.name.partition("/")[2]] = file.read()
    there = {path.relative_to(checkout).as_posix(): path for path in checkout.rglob("*") if path.is_file()}
    names = {name for name in held if not name.startswith("emubot.egg-info/")}
    assert names == {*there, "PKG-INFO"}, "MANIFEST.in says what the source package holds"
    changed = {name for name, path in there.items() if held[name] != path.read_bytes()}
    assert changed <= {"setup.cfg", "PKG-INFO"}, "which setuptools writes anew"


@pytest.mark.slow
def test_two_builds_have_the_same_bytes(packages: tuple[Path, Path], checkout: Path, tmp_path: Path) -> None:
    again = build(checkout, tmp_path)
    assert [path.name for path in again] == [path.name for path in packages]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in packages]


def about(wheel: Path) -> Message:
    """The metadata of the wheel, with README as its text."""
    with zipfile.ZipFile(wheel) as archive:
        return message_from_bytes(archive.read(next(name for name in names(wheel) if name.endswith("/METADATA"))))


def test_every_link_of_the_index_page_leads_somewhere(wheel: Path) -> None:
    metadata = about(wheel)
    text = str(metadata.get_payload())
    version = rf"{re.escape(metadata['Home-page'])}/(?:blob|raw)/v{re.escape(metadata['Version'])}/"
    inside = re.compile(rf"{version}([^#]+)")
    targets = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    files = [found[1] for target in targets if (found := inside.match("".join(target)))]
    assert {"docs/pictures/demo.png", "docs/how-to/cores.md", "CHANGELOG.md"} <= {*files}
    assert all((ROOT / file).exists() for file in files)
    others = ["".join(target) for target in targets if not inside.match("".join(target))]
    assert all(target.startswith(("https://", "#")) for target in others), others


def test_the_index_page_says_for_whom_it_is_and_where_more_is(wheel: Path) -> None:
    metadata = about(wheel)
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "NES" in metadata["Keywords"].split(",")
    assert "Development Status :: 5 - Production/Stable" in metadata.get_all("Classifier", [])
    pages = dict(line.split(", ") for line in metadata.get_all("Project-URL", []))
    assert {"Changelog", "Documentation", "Issues", "Security"} <= set(pages)
    assert all(page.startswith(metadata["Home-page"] + "/") for page in pages.values())


def test_the_wheel_says_what_it_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        stem = next(name for name in names(wheel) if name.endswith(".dist-info/METADATA")).rpartition("/")[0]
        metadata = archive.read(f"{stem}/METADATA").decode()
        points = configparser.ConfigParser()
        points.read_string(archive.read(f"{stem}/entry_points.txt").decode())
        assert any(name.startswith(f"{stem}/") and name.endswith("LICENSE") for name in names(wheel))
    assert "Requires-Python: >=3.11" in metadata
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ") and "extra ==" not in line]
    assert needed
    assert all(">=" in line and "==" not in line and "<" not in line for line in needed), "lower bounds only"
    assert points["console_scripts"]["emubot"] == "emubot.cli:main"
    assert {"tetris"} <= set(points["emubot.games"])
    assert {"libretro", "simulated"} <= set(points["emubot.bridges"])


LOOK = """
import json
import emubot
from emubot.datafiles import shipped
from emubot.rammap import all_maps
from emubot.weights import known_weights, load_weights
print(json.dumps({
    "package": emubot.__file__,
    "maps": str(shipped("ram_maps")),
    "names": [known.name for known in all_maps()],
    "weights": {name: len(load_weights(name).values) for name in known_weights()},
    "demo": str(emubot.demo("tetris")),
}))
"""


def looked(python: Path, cwd: Path, **environment: str) -> dict[str, Any]:
    """Where an interpreter's emubot has its package and its data, all of which can be read."""
    environment |= {"XDG_CONFIG_HOME": str(cwd / "config")}
    told: dict[str, Any] = json.loads(run(python, "-c", LOOK, cwd=cwd, **environment))
    assert "nes_tetris_usa" in told["names"]
    assert set(told["weights"]) == {path.stem for path in (ROOT / "weights").glob("*.json")}
    return told


def check_doctor(command: Sequence[Path | str], cwd: Path, **environment: str) -> None:
    environment |= {"XDG_CONFIG_HOME": str(cwd / "config")}
    doctor = json.loads(run(*command, "doctor", "--json", cwd=cwd, **environment))
    assert doctor["ok"] is True


def test_a_wheel_finds_its_own_maps_and_weights(installed: Path, tmp_path: Path) -> None:
    told = looked(installed, tmp_path, PYTHONPATH="")
    package = Path(told["package"]).parent
    assert package.is_relative_to(installed.parents[1]), "the wheel's, not the checkout's"
    assert Path(told["maps"]) == package / "_ram_maps"
    assert Path(told["demo"]) == package / "demos" / "blocks.nes"
    check_doctor([installed.with_name("emubot")], tmp_path, PYTHONPATH="")


def test_a_bare_checkout_finds_its_maps_and_weights(checkout: Path, tmp_path: Path) -> None:
    told = looked(Path(sys.executable), tmp_path, PYTHONPATH=str(checkout))
    assert Path(told["package"]).parent == checkout / "emubot"
    assert Path(told["maps"]) == checkout / "ram_maps"
    asked = run(sys.executable, "-m", "emubot", "maps", "list", cwd=tmp_path, PYTHONPATH=str(checkout))
    assert "nes_tetris_usa" in asked


@pytest.mark.slow
def test_an_editable_install_finds_its_maps_and_weights(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    source = tmp_path / "source"
    shutil.copytree(checkout, source)
    if builds_alone():
        backend = BuildBackendHookCaller(str(source), "setuptools.build_meta", runner=quiet_subprocess_runner)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the backend's advice on where to keep sources
            what = [tmp_path / backend.build_editable(str(tmp_path))]
    else:
        what = [Path("--editable"), source]
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--quiet", *what)
    borrow(python)
    told = looked(python, tmp_path, PYTHONPATH="")
    assert Path(told["package"]).parent == source / "emubot"
    assert Path(told["maps"]) == source / "ram_maps"
    assert run(python.with_name("emubot"), "--version", cwd=tmp_path, PYTHONPATH="").startswith("emubot ")


def test_every_module_of_the_wheel_can_be_imported(installed: Path, tmp_path: Path) -> None:
    code = (
        "import emubot, importlib, pkgutil\n"
        "from emubot.errors import UsageError\n"
        "for found in pkgutil.walk_packages(emubot.__path__, 'emubot.'):\n"
        "    try:\n"
        "        if found.name != 'emubot.__main__': importlib.import_module(found.name)\n"
        "    except (UsageError, ImportError) as missing:\n"  # rooms of an extra that is not installed
        "        window = ('emubot.view.window.', 'emubot.cli.window')\n"
        "        servers = ('emubot.arena.server', 'emubot.serve.server')\n"
        "        rooms = {'pygame-ce>=': window, 'starlette>=': servers, 'gymnasium>=': 'emubot.gym'}\n"
        "        assert any(need in str(missing) and found.name.startswith(room) for need, room in rooms.items())\n"
        "    print(found.name)"
    )
    imported = run(installed, "-c", code, cwd=tmp_path, PYTHONPATH="", EMUBOT_CACHE_DIR=str(tmp_path)).split()
    assert {"emubot.cli.play", "emubot.games.tetris.family", "emubot.bridges.libretro.core"} <= set(imported)


@pytest.mark.slow
@pytest.mark.jit
def test_the_wheel_plays(installed: Path, tmp_path: Path) -> None:
    words = "play --demo tetris --bridge simulated --emu-speed max --pieces 2 --level 18 --json".split()
    emubot = installed.with_name("emubot")
    played = json.loads(run(emubot, *words, cwd=tmp_path, PYTHONPATH="", EMUBOT_CACHE_DIR=str(tmp_path)))
    assert (played["pieces"], played["misplaced"]) == (2, 0)
