"""What is damaged: good files of every kind, made here once and for all from a fixed seed; damages nothing itself."""

from __future__ import annotations

import json
import runpy
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.fuzz.mutations import zipped
from emubot import demos, games
from emubot.bridges.simulated import SimulatedBridge
from emubot.datafiles import shipped
from emubot.games.edition import part_of
from emubot.games.recipes import Recipe
from emubot.machine import Machine
from emubot.pilot import Goal, Pilot
from emubot.pilot.recording import Recording
from emubot.rammap import RamMap, load_map
from emubot.trace import Trace, read_trace, write_trace
from emubot.training.folder import open_run
from emubot.training.plan import TrainingPlan
from emubot.training.run import train
from emubot.view.window.bindings import DEFAULTS

ROOT: Final = Path(__file__).parents[2]


class File(NamedTuple):
    """A file of a case; `form` says how `mutations` may see it."""

    name: str
    content: bytes
    form: str


Bundle = tuple[File, ...]  # what belongs together: one file, or those of a folder


@cache
def bundles(kind: str) -> tuple[Bundle, ...]:
    """The originals of a kind, always the same."""
    return tuple(_MAKERS[kind]())


def _cartridges() -> Iterator[Bundle]:
    small = b"NES\x1a\x01\x01" + bytes(10) + bytes(0x4000) + bytes(range(256)) * 0x20
    images = {name: Path(demos.__file__).with_name(name).read_bytes() for name in ("blocks.nes", "pairs.nes")}
    images["small.nes"] = small
    images["two.nes"] = small[:7] + b"\x08" + small[8:]  # NES 2.0
    images["trainer.nes"] = small[:6] + b"\x06" + small[7:16] + bytes(512) + small[16:]
    for name, image in images.items():
        yield (File(name, image, "ines"),)
    for number, method in enumerate((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)):
        yield (File(f"{number}.zip", zipped([("read.me", b"words"), ("small.nes", small)], method), "zip"),)
    yield (File("two.zip", zipped([("a.nes", small), ("b.NES", small)]), "zip"),)


def _maps() -> Iterator[Bundle]:
    for path in sorted(shipped("ram_maps").glob("*.yaml")):
        yield (File(path.name, path.read_bytes(), "yaml"),)
    for _ in range(3):  # the shortest of them, so the quickest to read
        yield (File("stranger.yaml", random_map().encode(), "yaml"),)


def random_map() -> str:
    """The map of the cartridge that the tests make up: a profile without tables, cells of two bytes."""
    return str(_made_up()["MAP"])


def random_machine(ram_map: RamMap) -> Machine:
    """That cartridge itself, to be played."""
    machine: Machine = _made_up()["Stranger"](ram_map, 5)
    return machine


@cache
def _made_up() -> dict[str, Any]:
    """The tests' own module, by its place: it is on no path."""
    return runpy.run_path(str(ROOT / "tests" / "games" / "tetris" / "random_cartridges.py"))


def _weights() -> Iterator[Bundle]:
    for path in sorted(shipped("weights").glob("*.json")):
        yield (File(path.name, path.read_bytes(), "json"),)
    names = games.game("tetris").facts.feature_names[:3]
    features = {"version": games.game("tetris").facts.feature_version, "names": names}
    layers = [{"weights": [[1.0, -0.5, 0.25]] * 2, "biases": [0.0, 1.0]}, {"weights": [[1.0, -1.0]], "biases": [0.5]}]
    tables = {"version": 1, "columns": 10, "rows": 20, "entries": [0.5] * 64}
    for name, more in (("network", {"network": layers}), ("tables", {"values": [1.0] * 3, "tables": tables})):
        text = json.dumps({"game": "tetris", "features": features, **more})
        yield (File(f"{name}.json", text.encode(), "json"),)


def _traces() -> Iterator[Bundle]:
    recorded = read_trace(ROOT / "tests" / "data" / "nes_tetris" / "nes_tetris_0.npz")
    (blocks, part), (pairs, part_of_pairs), (capsules, _) = _played("tetris"), _played("puyo"), _played("matching")
    for trace in (recorded, blocks, pairs, capsules, pairs):
        yield (File("game.npz", _packed(_cut(trace, 60)), "npz"),)
    for unfinished in (part, part_of_pairs):
        yield (File("game.npz.part", unfinished, "part"),)


def _cut(trace: Trace, rows: int) -> Trace:
    inputs = trace.inputs if len(trace.inputs) else np.zeros((rows, 2), dtype=np.uint8)
    names = ("pads", "state", "page")
    return replace(trace, inputs=inputs[: 2 * rows], **{name: getattr(trace, name)[:rows] for name in names})


def _packed(trace: Trace) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.npz"
        write_trace(path, trace)
        return path.read_bytes()


def _played(name: str) -> tuple[Trace, bytes]:
    """Two pieces on the simulator, said to be of a core, so that there is a movie of it; and the unfinished game."""
    ram_map = load_map(games.game(name).facts.default_map)
    edition = games.open_edition(ram_map)
    simulator = part_of(edition, "simulator", edition.simulator, "a simulator")
    with tempfile.TemporaryDirectory() as folder:
        bridge = SimulatedBridge(simulator.machine(np.random.default_rng(1)))
        pilot = Pilot(bridge, Goal(pieces=2), edition)
        about = {"game": name, "map": ram_map.name, "rom": ram_map.identities[0].sha1, "core": "FCEUmm 1"}
        clock = count(0, 0.05)  # a segment after every twentieth frame
        path = Path(folder) / "game.npz"
        recording = Recording(path, pilot, "nmi-game", about, clock=clock.__next__)
        pilot.run()
        assert recording.part is not None
        unfinished = recording.part.read_bytes()
        recording.close()
        return read_trace(recording.paths[0]), unfinished


def plan() -> TrainingPlan:
    """The run that folders hold: as small as a run can be."""
    recipe = Recipe(
        rules="textbook", options={"cap_lines": 1}, games=2, generations=2, final_games=4, figure="lines",
        features=tuple(games.game("tetris").facts.feature_names[:2]), hyper={"population": 4, "tournament": 2},
    )  # fmt: skip
    return TrainingPlan("tetris", "ga", recipe, 1)


def _folders() -> Iterator[Bundle]:
    made = plan()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as executor:
        path = Path(folder)
        with open_run(path, made.settings(), lambda sentence: None) as run:
            train(made.trainer, run, executor, made.recipe.generations)
        forms = {"checkpoint": "checkpoint", "history.": "lines", "times.js": "lines"}
        files = []
        for file in sorted(path.iterdir()):
            if not file.name.startswith("."):
                form = next((form for start, form in forms.items() if file.name.startswith(start)), "json")
                files.append(File(file.name, file.read_bytes(), form))
        yield tuple(files)


def _keys() -> Iterator[Bundle]:
    tables = []
    for table, entries in DEFAULTS.items():
        tables += [f"[{table}]", *(f"{name} = {json.dumps(list(keys))}" for name, keys in entries.items())]
    yield (File("keys.toml", "\n".join([*tables, ""]).encode(), "toml"),)
    yield (File("keys.toml", b'[port1]\na = "k"\nb = ["j", "l"]\n[commands]\nquit = []\n', "toml"),)


_MAKERS: Final[dict[str, Callable[[], Iterable[Bundle]]]] = {
    "cartridges": _cartridges,
    "maps": _maps,
    "weights": _weights,
    "traces": _traces,
    "games": lambda: bundles("traces"),
    "folders": _folders,
    "keys": _keys,
}
KINDS: Final = tuple(_MAKERS)
