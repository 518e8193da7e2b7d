"""Traces: what is written is read back, and a bad file is one sentence."""

from __future__ import annotations

import errno
import io
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import StorageError, TraceError
from emubot.trace import Recorder, Trace, read_trace, write_trace
from tests import paths

RECORDED = paths.RECORDED / "nes_tetris_11.npz"


def recorded(rows: int) -> Trace:
    recorder = Recorder(["a", "b"], [0x10, 0x20], (0x400, 256), (0xF5, 0xF7), "nmi-game")
    for row in range(rows + 1):
        ram = bytearray(2048)
        ram[0x10], ram[0x20], ram[0x400], ram[0xF5], ram[0xF7] = row, row + 1, row + 2, row + 3, row + 4
        if row == 2:
            recorder.plan(9, 3, 18)
        recorder.add(bytes(ram))
    return recorder.finish({"bridge": "simulated"})


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "game.npz"
    made = recorded(5)
    write_trace(path, made)
    again = read_trace(path)
    assert again.fields == ("a", "b")
    assert again.order == "nmi-game"
    assert again.about == {"bridge": "simulated"}
    for name in ("address", "initial", "initial_page", "pads", "state", "page", "plans"):
        np.testing.assert_array_equal(getattr(again, name), getattr(made, name))
    assert list(tmp_path.iterdir()) == [path]


def test_rows_begin_after_the_initial_state() -> None:
    made = recorded(5)
    assert made.frames == 5
    assert made.initial.tolist() == [0, 1]
    assert made.state[:, 0].tolist() == [1, 2, 3, 4, 5]
    assert made.pads[0].tolist() == [4, 5]
    assert made.page[4, 0] == 7
    assert made.plans.tolist() == [[1, 9, 3, 18]], "chosen before row 1 was added: row 1 is the first with control"


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(TraceError, match="no field 'level'; it has a, b"):
        recorded(2).column("level")


def damaged(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("length", [0, 1, 10, 500, -1])
def test_a_truncated_file_is_one_sentence(tmp_path: Path, length: int) -> None:
    with pytest.raises(TraceError, match="is not a recorded game"):
        read_trace(damaged(tmp_path, RECORDED.read_bytes()[:length]))


def test_text_and_missing_files_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="is not a recorded game"):
        read_trace(damaged(tmp_path, b"hello"))
    with pytest.raises(TraceError, match="There is no trace"):
        read_trace(tmp_path / "none.npz")
    with pytest.raises(TraceError, match="cannot be read as a trace"):
        read_trace(tmp_path)


def test_a_header_that_claims_a_huge_array_allocates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "liar.npz"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pads.npy", header.getvalue())
    with pytest.raises(TraceError, match="claims"):
        read_trace(path)


def test_pickled_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil.npz"
    np.savez(path, fields=np.array([object()], dtype=object))
    with pytest.raises(TraceError, match="is not a recorded game"):
        read_trace(path)


def change(tmp_path: Path, **arrays: NDArray[Any] | None) -> Path:
    data = dict(np.load(RECORDED))
    data |= {name: array for name, array in arrays.items() if array is not None}
    for name in [name for name, array in arrays.items() if array is None]:
        del data[name]
    path = tmp_path / "changed.npz"
    np.savez(path, **data)
    return path


def test_missing_arrays_wrong_types_shapes_and_orders_are_named(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="lacks pads"):
        read_trace(change(tmp_path, pads=None))
    with pytest.raises(TraceError, match="state is int64 in 2 dimensions, not uint8 in 2"):
        read_trace(change(tmp_path, state=np.zeros((3, 37), dtype=np.int64)))
    with pytest.raises(TraceError, match="page has the shape"):
        read_trace(change(tmp_path, page=np.zeros((3, 256), dtype=np.uint8)))
    for about in ("nonsense", "[1, 2]", "[" * 50_000, "1" * 5000, '{"seed": NaN}', '{"a": [[[[1]]]]}'):
        with pytest.raises(TraceError, match="the note about its origin"):
            read_trace(change(tmp_path, about=np.array(about)))
    with pytest.raises(TraceError, match="row order is 'sideways'"):
        read_trace(change(tmp_path, order=np.array("sideways")))


def test_plans_of_another_shape_are_named(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="plans has the shape"):
        read_trace(change(tmp_path, plans=np.zeros((3, 2), dtype=np.int32)))


def test_an_oversized_file_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emubot.trace.archive._LARGEST_FILE", 1000)
    with pytest.raises(TraceError, match="too large for a trace"):
        read_trace(RECORDED)


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.npz"
    write_trace(path, recorded(3))
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        write_trace(path, recorded(5))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_recorder_starts_afresh_after_each_game() -> None:
    recorder = Recorder(["a"], [0], (0x400, 256), (1, 2), "nmi-game")
    for _ in range(2):
        for _ in range(4):
            recorder.plan(1, 2, 3)
            recorder.add(bytes(2048))
        assert recorder.running
        assert recorder.finish({}).plans[:, 0].tolist() == [0, 0, 1, 2]
        assert not recorder.running
    recorder.add(bytes(2048))
    recorder.discard()
    assert not recorder.running
