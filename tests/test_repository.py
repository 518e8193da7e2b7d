"""The repository itself: no cartridge but our own, no pickle, no private path."""

from __future__ import annotations

import ast
import configparser
import hashlib
import io
import re
import shlex
import zipfile
from collections.abc import Iterator
from importlib import import_module

import pytest

from emubot.cartridge import load_cartridge
from emubot.rammap import load_map
from tests.paths import ROOT
from tests.programs import tracked_files

OUR_CARTRIDGES = {
    "emubot/demos/blocks.nes",
    "emubot/demos/capsules.nes",
    "emubot/demos/pairs.nes",
    "tests/bridges/roms/pads.nes",
    "tests/bridges/roms/pads_lag.nes",
}
OUR_TITLE = "emubot demo"  # how the titles of our own cartridges begin in the maps
IMAGE_MARKS = (b"NES\x1a", b"FDS\x1a", b"UNIF\0")
STATE_MARKS = (b"NST\x1a", b"FCSX", b"FCS\xff", b"RASTATE")
PICKLES = {"pickle", "_pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}
SUSPICIOUS = {*PICKLES, "allow_pickle"}
# In pieces, or this file would hold them itself.
PRIVATE = re.compile("|".join(["/" + "work/", "/" + "root/", "/" + "home/[a-z]", "index" + "-url", "pypi" + "-more"]))
CONFLICT = re.compile(rb"^[ \t]*(<{7}|>{7}) ", re.MULTILINE)


def tracked() -> list[str]:
    return tracked_files(ROOT)


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Those that name a pickle or its permission at all: to parse them all takes seconds."""
    for name in tracked():
        if name.endswith(".py"):
            text = (ROOT / name).read_text(encoding="utf-8")
            if any(word in text for word in SUSPICIOUS):
                yield name, ast.parse(text)


def contents(name: str) -> Iterator[bytes]:
    """The file, and what is packed in it."""
    data = (ROOT / name).read_bytes()
    yield data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from (archive.read(member) for member in archive.namelist())


def test_no_cartridge_image_but_our_own_and_no_save_state() -> None:
    held = {name for name in tracked() for data in contents(name) if any(mark in data for mark in IMAGE_MARKS)}
    assert held == OUR_CARTRIDGES & set(tracked())
    states = [name for name in tracked() for data in contents(name) if data.startswith(STATE_MARKS)]
    assert not states


def test_no_tracked_file_is_a_known_commercial_cartridge() -> None:
    foreign = set()
    for path in (ROOT / "ram_maps").glob("*.yaml"):
        ram_map = load_map(path)
        foreign |= {known.sha1 for known in ram_map.identities if not known.title.startswith(OUR_TITLE)}
        foreign |= {alike.sha1 for alike in ram_map.refuses}
    assert foreign
    for name in tracked():
        for data in contents(name):
            for part in (data, data[16:], data[528:]):
                assert hashlib.sha1(part, usedforsecurity=False).hexdigest().upper() not in foreign, name
    for name in OUR_CARTRIDGES:
        assert load_cartridge(ROOT / name).sha1 not in foreign


def test_nothing_is_ever_unpickled() -> None:
    for name, tree in sources():
        for node in ast.walk(tree):
            imported = []
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                imported = [node.module or ""]
            assert not {module.partition(".")[0] for module in imported} & PICKLES, name
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert isinstance(node.value, ast.Constant), name
                assert node.value.value is False, name


@pytest.mark.xdist_group("groups")
def test_groups_reach_the_scheduler(request: pytest.FixtureRequest) -> None:
    """Or tests that share what is expensive, or a port, would run anywhere."""
    spreads = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@groups") == spreads


def test_no_private_path_and_no_registry_is_named() -> None:
    for name in tracked():
        data = (ROOT / name).read_bytes()
        if b"\0" in data:
            continue
        found = PRIVATE.search(data.decode("utf-8"))
        assert found is None, f"{name}: {found}"


def test_every_package_is_installed() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    listed = set(config["options"]["packages"].split()) - {"emubot._ram_maps", "emubot._weights"}
    there = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "emubot").rglob("__init__.py")}
    assert listed == there, "name every package in setup.cfg, or an installed emubot lacks it"


def test_entry_points_resolve() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    groups = config["options.entry_points"]
    assert set(groups) == {"console_scripts", "emubot.games", "emubot.bridges"}
    for group in groups.values():
        for line in filter(None, group.splitlines()):
            module, _, attribute = line.partition("=")[2].strip().partition(":")
            assert hasattr(import_module(module), attribute), line


def test_the_test_command_uses_all_cores_and_asks_for_nothing_slow_and_for_no_other_program() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    words = shlex.split(config["tool:pytest"]["addopts"])
    assert words[words.index("-n") + 1] == "auto"
    assert words[words.index("--dist") + 1] == "loadgroup"
    assert words[words.index("-m") + 1] == "not slow and not emulators and not browser"
    needed = {re.split("[>=]", line)[0] for line in config["options.extras_require"]["test"].split()}
    assert {"pytest", "pytest-xdist", "hypothesis"} <= needed
    assert "pytest-benchmark" not in needed
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert " -m emulators " in ci
    assert ' -m "browser and not slow" ' in ci


def test_no_merge_is_left_half_done() -> None:
    assert [name for name in tracked() if CONFLICT.search((ROOT / name).read_bytes())] == []
