"""Optional packages: each command misses them before it begins, and names the command that works where emubot runs."""

from __future__ import annotations

import configparser
import re
import shlex
import sys
from importlib import util
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

from emubot import extras
from emubot.cli import main
from emubot.errors import UsageError
from tests.cli.refusals import sentence
from tests.paths import ROOT

NEEDS = {name: value for name, value in vars(extras).items() if isinstance(value, extras.Need)}
# What each command needs, the module that is missing and the exit code.
USES = [
    ("play --demo tetris --view window", "WINDOW", "pygame", 2),
    ("play --demo tetris --view web", "ARENA", "uvicorn", 2),
    ("play --demo tetris --gif game.gif --view none", "GIF", "PIL", 2),
    ("play --demo tetris --bridge cynes --view none", "CYNES", "cynes", 3),
    ("maps discover --demo tetris --bridge cynes", "CYNES", "cynes", 3),
    ("play --demo tetris --publish wss://localhost", "PUBLISH", "websockets", 2),
    ("arena --no-open", "ARENA", "starlette", 2),
    ("arena game.match.json", "ARENA", "websockets", 2),
    ("arena game.match.json --gif game.gif", "GIF", "PIL", 2),
    ("train tetris --method cmaes --out run", "CMAES", "cma", 2),
    ("train tetris --method dqn --out run", "DQN", "sklearn", 2),
    ("train tetris --method pso --out run --cluster tcp://127.0.0.1:9", "CLUSTER", "distributed", 2),
    ("train plot run", "PLOTS", "matplotlib", 2),
    ("selfplay tetris --pieces 10 --plot curve.png", "PLOTS", "matplotlib", 2),
    ("evaluate tetris --games 4 --plot bars.png", "PLOTS", "matplotlib", 2),
    ("explain board.txt --piece T --picture board.png", "PLOTS", "matplotlib", 2),
    ("serve", "SERVE", "uvicorn", 2),
]


def not_yet(*_: object, **__: object) -> None:
    pytest.fail("the work began before the missing package was said")


@pytest.mark.parametrize(("line", "need", "module", "code"), USES, ids=[use[0] for use in USES])
def test_a_missing_package_is_said_before_anything_compiles_or_opens(
    line: str,
    need: str,
    module: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    if need == "ARENA":  # its module was perhaps imported by another test
        monkeypatch.delitem(sys.modules, "emubot.arena.server", raising=False)
    if need == "SERVE":
        monkeypatch.delitem(sys.modules, "emubot.serve.server", raising=False)
    monkeypatch.setattr("emubot.jit.warm.warm_up", not_yet)
    monkeypatch.setattr("emubot.training.folder.open_run", not_yet)
    if need == "CYNES":  # the bridge itself says it: here, rather than in a child process
        monkeypatch.setattr("emubot.bridges.hosted.available.why_not", lambda: "a test")
    else:
        monkeypatch.setattr("emubot.session.session.open_session", not_yet)
    assert main([*line.split(), "-q"]) == code
    assert sentence(capsys) == f"emubot: {NEEDS[need].refusal()}\n"
    assert [*tmp_path.iterdir()] == []


def test_every_need_has_a_use() -> None:
    by_import = {"GYM", "QR"}  # of programs, and of a page that does without it: tests/gym, tests/arena
    assert {use[1] for use in USES} | by_import == set(NEEDS)


def declared() -> dict[str, list[str]]:
    read = configparser.ConfigParser()
    read.read(ROOT / "setup.cfg", encoding="utf-8")
    return {name: value.split() for name, value in read["options.extras_require"].items()}


def test_the_packages_are_those_of_the_extra() -> None:
    listed = declared()
    assert {need.extra for need in NEEDS.values()} <= set(listed)
    try:
        known = "\n".join(requires("emubot") or [])
    except PackageNotFoundError:
        pytest.skip("emubot runs without being installed")
    for extra in {need.extra for need in NEEDS.values()}:
        if f'"{extra}"' in known:  # the installation may be older than the checkout
            assert shlex.split(extras.install_command(extra))[-len(listed[extra]) :] == listed[extra]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installation with the window's package listed and without pip."""
    folder = tmp_path / "my tools" / "emubot"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(folder))
    monkeypatch.setattr(sys, "executable", str(folder / "bin" / "python"))
    monkeypatch.setattr(extras, "requires", lambda name: ["rich>=13", 'pygame-ce>=2.5; extra == "window"'])
    real = util.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "pip" else real(name))
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="quotes of a POSIX shell")
@pytest.mark.parametrize(
    ("file", "content", "command"),
    [
        ("pipx_metadata.json", "{}", "pipx inject emubot 'pygame-ce>=2.5'"),
        ("pyvenv.cfg", "uv = 0.9\n", "uv pip install --python 'HOME/bin/python' 'pygame-ce>=2.5'"),
        ("pyvenv.cfg", "version = 3.11\n", "python3 -m pip --python 'HOME/bin/python' install 'pygame-ce>=2.5'"),
    ],
)
def test_the_command_is_for_the_tool_that_installed_emubot(home: Path, file: str, content: str, command: str) -> None:
    (home / file).write_text(content, encoding="utf-8")
    assert extras.install_command("window") == command.replace("HOME", str(home))


@pytest.mark.skipif(sys.platform == "win32", reason="quotes of a POSIX shell")
def test_pip_of_the_installation_is_preferred(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", util.find_spec)
    monkeypatch.setitem(sys.modules, "pip", sys)  # found, whatever the tests run in
    assert extras.install_command("window") == f"'{home}/bin/python' -m pip install 'pygame-ce>=2.5'"


def test_an_installation_older_than_the_extra_is_installed_again_from_its_checkout(home: Path) -> None:
    assert shlex.split(extras.install_command("arena"))[-2:] == ["--editable", f"{ROOT}[arena]"]


def test_the_standalone_program_takes_no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emubot.datafiles.is_standalone", lambda: True)
    assert extras.remedy("window").startswith("install emubot with pip")


def test_a_package_that_is_there_and_broken_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = extras.Need("window", "The window needs rich", ("rich",))
    broken.require()
    assert "needs rich (which cannot be loaded: no libGL): run: " in broken.refusal(ImportError("no libGL"))
    monkeypatch.setitem(sys.modules, "rich", None)
    with pytest.raises(UsageError, match=r"needs rich \(not installed\): run: "):
        broken.require()


def test_no_message_names_an_index_that_does_not_have_emubot() -> None:
    wrong = re.compile(r"emubot\[\w|pip install ['\"]?emubot")
    assert not [path for path in (ROOT / "emubot").rglob("*.py") if wrong.search(path.read_text(encoding="utf-8"))]
