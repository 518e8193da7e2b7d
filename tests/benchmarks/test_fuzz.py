"""The fuzz itself: it finds planted faults, shrinks them, repeats itself; and a few hundred cases of every kind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pygame")

from benchmarks.fuzz import cases, memory, mutations, originals, playing, trees, workers
from benchmarks.fuzz.scripted import ScriptedBridge, Sense, check_held
from emubot import games
from emubot.errors import UsageError
from emubot.games.tetris.decode.decode import TetrisDecoder
from emubot.pad import Pad
from emubot.pilot.liveness import Pulse
from tests.paths import ROOT

QUICK = ("cartridges", "keys")  # no kernel, no recording


@pytest.fixture
def mashed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only the made-up cartridge, its keys mashed: nothing is compiled for that."""
    read = memory.ram_map("stranger")
    machine, rng = originals.random_machine(read), np.random.default_rng(3)
    frames = []
    for _ in range(400):
        machine.step([Pad(int(rng.choice([0, 0x10, 1, 2, 0x40, 0x80]))), Pad.NONE])
        frames.append(machine.ram.tobytes())
    monkeypatch.setattr(memory, "MAPS", ("stranger",))
    monkeypatch.setattr(memory, "recorded", lambda name: tuple(frames))
    playing.players.cache_clear()
    yield
    playing.players.cache_clear()


@pytest.mark.parametrize("kind", QUICK)
def test_damaged_files_are_refused_or_read(kind: str) -> None:
    verdicts = [cases.judge(kind, seed) for seed in range(60)]
    assert not [verdict.said for verdict in verdicts if verdict.is_fault]
    assert {verdict.said == cases.OK for verdict in verdicts} == {True, False}, "some are as good as before, some not"


@pytest.mark.parametrize("kind", ["cartridges", "maps", "weights", "keys"])
def test_a_case_is_what_its_seed_says(kind: str) -> None:
    first, again, others = (cases.files_of(kind, seed) for seed in (3, 3, 4))
    assert first == again
    assert [file.content for file in first] != [file.content for file in others]


def test_a_step_does_the_same_with_others_left_out() -> None:
    seed = next(seed for seed in range(100) if cases.parts_of("keys", seed) == 2)
    whole, first, last = (cases.files_of("keys", seed, kept) for kept in (None, [0], [1]))
    none = cases.files_of("keys", seed, [])
    assert tuple(none) in originals.bundles("keys")
    assert len({files[0].content for files in (whole, first, last, none)}) == 4


def test_a_planted_fault_of_a_reader_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that knows every table but one."""
    from benchmarks.fuzz import readers

    def read(folder: Path, files: Any) -> None:
        if b"gamepad" not in (folder / files[0].name).read_bytes():
            raise KeyError("gamepad")

    monkeypatch.setitem(readers.READERS, "keys", read)
    many = (seed for seed in range(300) if cases.parts_of("keys", seed) == mutations.MOST_STEPS)
    seed = next(seed for seed in many if cases.judge("keys", seed).is_fault)
    kept = cases.shrunk("keys", seed, lambda parts: cases.judge("keys", seed, parts))
    assert 1 <= len(kept) < mutations.MOST_STEPS
    assert cases.judge("keys", seed, kept).said.startswith("KeyError")
    assert cases.line_of("keys", seed, kept).endswith(f"--kind keys --case {seed} --parts {','.join(map(str, kept))}")


def test_what_a_message_may_not_hold_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.fuzz import readers

    def read(folder: Path, files: Any) -> None:
        raise UsageError("there is no table \x1b[2J")

    monkeypatch.setitem(readers.READERS, "keys", read)
    assert cases.judge("keys", 1).said.startswith("AssertionError")


@pytest.mark.usefixtures("mashed")
def test_a_planted_fault_of_a_decoder_is_found_in_one_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "PER_CASE", 100)
    assert not cases.judge(cases.IMAGES, 1).is_fault
    whole = TetrisDecoder.__call__

    def decode(self: TetrisDecoder, ram: bytes) -> Any:
        if ram[0x21] == ram[0x22] ^ 0x80:
            raise KeyError("piece")
        return whole(self, ram)

    monkeypatch.setattr(TetrisDecoder, "__call__", decode)
    seed = next(seed for seed in range(100) if cases.judge(cases.IMAGES, seed).said.startswith("KeyError"))
    kept = cases.shrunk(cases.IMAGES, seed, lambda parts: cases.judge(cases.IMAGES, seed, parts))
    assert len(kept) == 1


@pytest.mark.usefixtures("mashed")
def test_images_are_of_every_sort_and_some_are_in_play() -> None:
    rows = memory.images("stranger", np.random.default_rng(1), 100)
    assert rows.shape == (100, memory.SIZE)
    decode = games.open_edition(memory.ram_map("stranger")).decoder()
    phases = {decode(row.tobytes()).phase.value for row in rows}
    assert {"playing", "unknown"} <= phases


@pytest.mark.usefixtures("mashed")
def test_nothing_is_pressed_on_nonsense_and_a_pilot_that_does_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(playing.step_pilot(seed, stretches=3) for seed in range(4)) > 40
    monkeypatch.setattr(Pulse, "trusted", True)
    found = (cases.judge(cases.PILOTS, seed) for seed in range(20))
    assert any("makes no sense" in verdict.said for verdict in found)


def test_the_rule_of_pressing() -> None:
    """Eight frames that count on, none of them unknown, and no pause; then a frame that is unknown takes it back."""
    read = memory.ram_map("nes_tetris_usa")
    image = np.zeros(memory.SIZE, dtype=np.uint8)
    in_title = {"game_mode": 1, "players": 1}
    unknown = bytes(memory.SIZE)

    def frame(number: int) -> bytes:
        read.encode(image, {**in_title, "frame_counter": number})
        return image.tobytes()

    sense = Sense(read, games.open_edition(read).decoder())
    assert [sense.allows(frame(number)) for number in range(1, 12)] == [False] * 8 + [True] * 3
    assert sense.allows(frame(11)), "a frame that is late"
    assert not sense.allows(unknown)
    assert not sense.allows(frame(12))


def test_a_port_that_is_not_the_pilots_and_opposite_directions_are_faults() -> None:
    bridge = ScriptedBridge([bytes(memory.SIZE)], memory.ram_map("stranger"))
    bridge.press(1, Pad.NONE)
    check_held(bridge, 1, allowed=False)
    with pytest.raises(AssertionError, match="port 1 was written"):
        check_held(bridge, 0, allowed=True)
    bridge.press(1, Pad.A)
    with pytest.raises(AssertionError, match="makes no sense"):
        check_held(bridge, 1, allowed=False)
    with pytest.raises(UsageError, match="Opposite"):
        bridge.press(1, Pad.LEFT | Pad.RIGHT)


def test_trees_say_what_no_library_writes() -> None:
    tree = trees.read_json(b'{"a": 1, "a": [NaN, 2.50], "b": {}}')
    assert trees.write_json(tree) == b'{"a": 1, "a": [NaN, 2.50], "b": {}}'
    assert trees.write_toml(trees.read_toml(b'x = 1\n[t]\nk = ["a"]\n')) == b'x = 1\n[t]\nk = ["a"]\n'
    assert trees.write_json(trees.read_yaml(b"at: 0x1F\n")) == b'{"at": 0x1F}'


@pytest.mark.slow
def test_all_kinds_in_a_worker_with_its_limits(tmp_path: Path) -> None:
    """The command itself, twice: the second goes on where the first ended."""
    counts = {"images": 3000, "pilots": 2000}
    for more in (1, 2):
        for kind in cases.KINDS:
            count = more * counts.get(kind, 300)
            words = [sys.executable, "-m", "benchmarks.fuzz", "--ledger", str(tmp_path / "fuzz.json")]
            words += ["--kind", kind, "--count", str(count)]
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads((tmp_path / "fuzz.json").read_text())["kinds"]
    assert {kind: record["counted"] >= 600 for kind, record in told.items()} == dict.fromkeys(cases.KINDS, True)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("while True: pass", "TooLong"),
        ("os.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("bytearray(3 << 30)", "MemoryError"),
        ("open('/etc/hostname')", "opens /etc/hostname"),
    ],
    ids=["hangs", "dies", "greedy", "nosy"],
)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_a_worker_that_hangs_dies_or_takes_too_much_is_a_verdict(
    deed: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "import os\n"
        "from benchmarks.fuzz import readers, workers\n"
        "def read(folder, files):\n"
        f"    {deed}\n"
        "workers.CPU_SECONDS = 0.3\n"
        "workers.WARM_UP = ()\n"
        'readers.READERS["keys"] = read\n'
        "workers.main()\n"
    )
    monkeypatch.setattr(workers, "PROGRAM", ("-c", program))
    with workers.Worker() as worker:
        verdict, _ = worker.do("keys", 1)
    assert said in verdict
