"""Fixtures for all tests: a machine without cores, the user's own configuration folder, tiny cartridges of our own."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.kernels import compile_for_all
from tests.tiers import keep_few

MakeCartridge = Callable[..., Path]

# A shell in the background or nohup starts the tests, and all that they start and interrupt, with signals ignored.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Modules are compiled once, and not by each of the hundreds of processes that tests start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Nor does a test begin to compile what it does not wait for.
os.environ["EMUBOT_COMPILE_AHEAD"] = "0"
# Nor do the settings of whoever runs the tests change what a command does.
os.environ["EMUBOT_CONFIG"] = ""
# Nor do the terminal and the taste of whoever runs the tests change what a program under test draws.
os.environ["TERM"] = "xterm-256color"
for _taste in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"):
    os.environ.pop(_taste, None)
# Where a test does not say how many: half of what hypothesis takes by itself. Never a time limit: machines are busy.
settings.register_profile("emubot", max_examples=50, deadline=None)
settings.load_profile("emubot")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Kernels are compiled once, where a run of whole folders begins, and not by each worker."""
    config = session.config
    spreads = bool(config.getoption("tx", None)) and not hasattr(config, "workerinput")
    if (
        spreads
        and not config.option.collectonly
        and any("::" not in word and Path(word).is_dir() for word in config.args)
    ):
        compile_for_all()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """A games module's tests share what it compiles and plays: one worker runs them all, but for what is in a group."""
    games = Path(__file__).with_name("games")
    for item in items:
        if games in item.path.parents and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    keep_few(item for item in items if isinstance(item, pytest.Function))
    yield
    if getattr(config.option, "loadgroup", False):
        for item in items:
            keep_group(item)


def keep_group(item: Any) -> None:
    """Groups reach the scheduler as a test's last word; pytest-xdist 3.8 writes it where pytest 9.2 does not look.

    See https://github.com/pytest-dev/pytest-xdist/issues/1386
    """
    marker = item.get_closest_marker("xdist_group")
    if marker is not None and not item.nodeid.endswith(f"@{marker.args[0]}"):
        item._id = type(item._id).parse(f"{item.nodeid}@{marker.args[0]}")


@pytest.fixture(scope="session", autouse=True)
def _no_lines_now_and_then() -> Iterator[None]:
    """On a slow machine a command that takes long would print lines that no test expects."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("emubot.cli.terminal._FIRST", 3600.0)
        yield


@pytest.fixture
def no_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No core anywhere; returns the folder where "emubot core install" would put one."""
    from emubot.bridges.libretro import finding

    folder = tmp_path / "data" / "cores"
    monkeypatch.delenv("EMUBOT_CORES", raising=False)
    monkeypatch.setattr(finding, "install_folder", lambda: folder)
    monkeypatch.setattr(finding, "retroarch_folders", list)
    monkeypatch.setattr(finding, "_stable_retro_folder", list)
    return folder


@pytest.fixture
def user_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's configuration folder of emubot, empty."""
    import platformdirs

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = Path(platformdirs.user_config_dir("emubot", appauthor=False))
    if not folder.is_relative_to(tmp_path):
        pytest.skip("this system's configuration folder cannot be moved by XDG_CONFIG_HOME")
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of compiled kernels, empty, in a process that compiles."""
    from emubot.jit.sources import cache_folder

    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("EMUBOT_CACHE_DIR", str(folder))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    cache_folder.cache_clear()
    yield folder
    cache_folder.cache_clear()


@pytest.fixture
def make_cartridge(tmp_path: Path) -> MakeCartridge:
    """Writes an image that is well-formed and plays nothing: NROM, 16 KiB of one byte and 8 KiB of characters."""

    def make(name: str = "tiny.nes", fill: int = 0xEA) -> Path:
        file = tmp_path / name
        file.write_bytes(b"NES\x1a\x01\x01" + bytes(10) + bytes([fill]) * 0x4000 + bytes(0x2000))
        return file

    return make
