"""Traces of strangers: small on the disk is small in memory, nothing they name is opened, each is one sentence."""

from __future__ import annotations

import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.cli import main
from emubot.datafiles import shipped
from emubot.errors import TraceError
from emubot.trace import PartFile, Recorder, Trace, read_trace, write_trace
from tests import paths

RECORDED = paths.RECORDED / "nes_tetris_11.npz"


def header(kind: str, shape: str) -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text + b"\n"


def archive(path: Path, replaced: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A recorded game with some of its arrays replaced by these bytes."""
    members = dict(replaced)
    with zipfile.ZipFile(RECORDED) as recorded, zipfile.ZipFile(path, "w", method) as made:
        for name in recorded.namelist():
            made.writestr(name, members.pop(name.removesuffix(".npy"), recorded.read(name)))
        for name, content in members.items():
            made.writestr(f"{name}.npy", content)
    return path


def text(words: str) -> bytes:
    made = io.BytesIO()
    np.lib.format.write_array(made, np.array(words))
    return made.getvalue()


HOSTILE = {
    "empty texts without end": {"fields": header("<U0", "(1000000000000,)")},
    "empty rows without end": {"page": header("|u1", "(1000000000000, 0)")},
    "plans without end": {"plans": header("<i4", "(1000000000000, 4)")},
    "no dimension": {"fields": text("x"), "address": header("<u2", "()") + bytes(2)},
    "no dimension of rows": {"state": header("|u1", "()") + bytes(1)},
    "a text instead of rows": {"page": header("<U9", "(319, 2)") + bytes(36 * 638)},
    "characters that there are not": {"fields": header("<U1", "(37,)") + b"\xff" * 148},
    "a kind that there is not": {"plans": header("<u9", "(1, 4)") + bytes(36)},
    "a shape that is none": {"plans": header("<i4", "(1, -4)") + bytes(16)},
    "a header that is a program": {"plans": header("<i4", "__import__('os').abort()")},
    "a header without end": {"plans": header("<i4", "(" * 20_000)},
    "digits without end": {"plans": header("<i4", "(" + "1" * 40_000 + ", 4)")},
    "half a header": {"plans": b"\x93NUMPY\x01\x00\xff\xff{'descr'"},
    "no header": {"plans": b""},
    "a long text": {"about": text(" " * 70_000)},
    "nesting": {"about": text("[" * 60_000)},
    "nesting that is sound": {"about": text('{"a": ' + '{"b": ' * 200 + "1" + "}" * 201)},
    "a number without end": {"about": text('{"a": ' + "1" * 5000 + "}")},
    "no number": {"about": text('{"a": Infinity}')},
    "a row order without end": {"order": text("nmi-game" * 1000)},
}


@pytest.mark.parametrize("how", HOSTILE)
def test_a_hostile_array_is_one_sentence_and_2(how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = archive(tmp_path / "evil.npz", HOSTILE[how])
    for action in ("verify", "show"):
        assert main(["trace", action, str(file)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1, said.err
        assert len(said.err) < 500 + len(str(file))


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_what_emubot_does_not_pack_so_is_not_unpacked(method: int, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="is encrypted, or packed as emubot packs nothing"):
        read_trace(archive(tmp_path / "packed.npz", {}, method))


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    file = archive(tmp_path / "secret.npz", {})
    content = bytearray(file.read_bytes())
    for found in re.finditer(b"PK\x01\x02", bytes(content)):
        content[found.start() + 8] |= 1  # general purpose bit flag of the central directory (APPNOTE 4.4.4)
    file.write_bytes(content)
    with pytest.raises(TraceError, match="is encrypted"):
        read_trace(file)


BOUNDED = """
import resource, sys
from pathlib import Path
from emubot.errors import TraceError
from emubot.trace import read_trace
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_trace(Path(sys.argv[1]))
except TraceError as refused:
    print(refused)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 64 * 1024, f"{grown} KiB more"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss in KiB")
@pytest.mark.parametrize("mebibytes", [513, pytest.param(2048, marks=pytest.mark.slow)])
def test_large_members_are_refused_from_their_headers(mebibytes: int, tmp_path: Path) -> None:
    """2 GiB of zeros are a few megabytes in the archive."""
    file, rows = tmp_path / "bomb.npz", mebibytes * 2**20 // 256
    with (
        zipfile.ZipFile(RECORDED) as recorded,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made,
    ):
        for name in recorded.namelist():
            with made.open(name, "w", force_zip64=True) as member:
                if name == "page.npy":
                    member.write(header("|u1", f"({rows}, 256)"))
                    for _ in range(mebibytes):
                        member.write(bytes(2**20))
                elif name in {"pads.npy", "state.npy"}:
                    width = 2 if name == "pads.npy" else 37
                    member.write(header("|u1", f"({rows}, {width})"))
                    for _ in range(width):
                        member.write(bytes(rows))
                else:
                    member.write(recorded.read(name))
    assert file.stat().st_size < 2**24
    done = subprocess.run([sys.executable, "-c", BOUNDED, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "is too large for a trace" in done.stdout or "more cells than any game has" in done.stdout


def test_an_archive_of_many_members_is_not_listed(tmp_path: Path) -> None:
    file = archive(tmp_path / "crowd.npz", {f"a{number}": b"" for number in range(2000)})
    with pytest.raises(TraceError, match="is not a recorded game"):
        read_trace(file)


def test_a_map_in_a_trace_is_a_name_and_never_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`about.map` of a stranger's trace must not have another file opened, a pipe least of all."""
    from emubot.games.colours.simulator.ram_writer import REPLAYED

    trap = tmp_path / "trap.yaml"
    os.mkfifo(trap)
    recorder = Recorder(REPLAYED, range(len(REPLAYED)), (0x300, 16), (0, 1), "nmi-game")
    for _ in range(3):
        recorder.add(bytes(2048))
    own = tmp_path / "own.yaml"
    own.write_bytes((shipped("ram_maps") / "demo_pairs.yaml").read_bytes())
    for name in (str(own), str(trap), "../ram_maps/demo_pairs", "./demo_pairs.yaml", "\x1b[2J"):
        file = tmp_path / "evil.npz"
        write_trace(file, recorder_game(recorder, name))
        for action in ("verify", "show"):
            assert main(["trace", action, str(file)]) == 2
            said = capsys.readouterr().err
            assert "which is not there: name its file with --map" in said
            assert "\x1b" not in said


def recorder_game(recorder: Recorder, name: str) -> Trace:
    _, rows, _, _ = recorder.collected
    nothing = np.zeros((0, 4), dtype=np.int32), np.zeros((0, 2), dtype=np.uint8)
    return recorder.layout.game(b"".join(rows), *nothing, {"game": "puyo", "map": name})


def test_what_a_file_says_moves_no_cursor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b]0;owned\x07\r\n\u202e"
    trace = read_trace(RECORDED)
    file = tmp_path / "evil.npz"
    write_trace(file, replace(trace, about={evil: evil, "core": f"FCEUmm {evil}"}, inputs=inputs(trace)))
    assert main(["trace", "show", str(file)]) == 0
    said = capsys.readouterr().out
    assert "core FCEUmm ?]0;owned" in said
    assert all(line.isprintable() for line in said.splitlines())
    write_trace(file, replace(trace, about={"core": evil}, inputs=inputs(trace)))
    assert main(["trace", "export", str(file), "--fm2", str(tmp_path / "x.fm2")]) == 2
    write_trace(file, replace(trace, fields=(evil, *trace.fields[1:])))
    assert main(["trace", "verify", str(file)]) == 2
    assert main(["trace", "show", str(file)]) == 0
    said = "".join(capsys.readouterr())
    assert all(line.isprintable() for line in said.splitlines())


def inputs(trace: Trace) -> Any:
    return np.zeros((trace.frames, 2), dtype=np.uint8)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_or_a_device_is_never_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.npz"
    os.mkfifo(pipe)
    for file, what in ((pipe, "a pipe"), (Path("/dev/zero"), "a device"), (tmp_path, "a folder")):
        assert main(["trace", "verify", str(file)]) == 2
        assert f"cannot be read as a trace: it is {what}" in capsys.readouterr().err


def mutated(content: bytes, rng: random.Random) -> bytes:
    """The file with some bytes changed, cut, doubled or moved."""
    made = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(made) + 1) if rng.random() < 0.5 else max(len(made) - rng.randrange(1500), 0)
        how = rng.randrange(4)
        if how == 0 and at < len(made):
            made[at] = rng.randrange(256)
        elif how == 1:
            del made[at : at + rng.randrange(1, 30)]
        elif how == 2:
            made[at:at] = bytes(made[at : at + rng.randrange(1, 30)])
        elif at < len(made):
            made[at] ^= 1 << rng.randrange(8)
    return bytes(made)


def check_mutants(folder: Path, count: int, seed: int) -> tuple[int, int]:
    """How many mutants of each kind of file were read all the same, and how many refused."""
    rng, read, refused = random.Random(seed), 0, 0
    stored = folder / "stored.npz"
    np.savez(stored, **np.load(RECORDED))
    recorder = Recorder(["a"], [0x10], (0x400, 8), (1, 2), "nmi-game")
    for _ in range(9):
        recorder.add(bytes(2048))
    part = PartFile(folder / "game.npz", recorder.layout, json.loads('{"core": "FCEUmm"}'))
    part.add(recorder, np.zeros((20, 2), dtype=np.uint8))
    part.close()
    originals = [file.read_bytes() for file in (RECORDED, stored, part.path)]
    mutant = folder / "mutant"
    for number in range(count):
        mutant.write_bytes(mutated(originals[number % len(originals)], rng))
        try:
            read_trace(mutant)
            read += 1
        except TraceError:
            refused += 1
    return read, refused


def test_mutated_traces_are_read_or_refused(tmp_path: Path) -> None:
    read, refused = check_mutants(tmp_path, 300, seed=1)
    assert read + refused == 300
    assert refused > 50


@pytest.mark.slow
def test_many_mutated_traces_are_read_or_refused(tmp_path: Path) -> None:
    assert sum(check_mutants(tmp_path, 20_000, seed=2)) == 20_000
