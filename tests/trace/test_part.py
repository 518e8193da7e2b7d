"""The file of a game that is still being recorded: whatever cuts or damages it, what is whole before is read."""

from __future__ import annotations

import errno
import io
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.errors import StorageError, TraceError, UsageError
from emubot.trace import PartFile, Recorder, Trace, read_trace
from emubot.trace.segments import LONGEST, MAGIC, SegmentFile, segments

PAGE = 16


def written(contents: list[bytes]) -> bytes:
    """A file of these segments, as the description says, byte by byte."""
    made = MAGIC
    for content in contents:
        length = struct.pack("<I", len(content))
        made += length + struct.pack("<I", zlib.crc32(length + content)) + content
    return made


def ends(contents: list[bytes]) -> Iterator[int]:
    """Where each segment ends in that file."""
    end = len(MAGIC)
    for content in contents:
        end += 8 + len(content)
        yield end


def whole(data: bytes | bytearray) -> list[bytes]:
    file = io.BytesIO(data)
    file.seek(len(MAGIC))
    return list(segments(file))


CONTENTS = st.lists(st.binary(max_size=40), max_size=6)


@given(CONTENTS, st.data())
def test_a_cut_file_gives_the_segments_before_the_cut(contents: list[bytes], data: st.DataObject) -> None:
    file = written(contents)
    cut = data.draw(st.integers(len(MAGIC), len(file)))
    assert whole(file[:cut]) == [content for content, end in zip(contents, ends(contents), strict=True) if end <= cut]


@given(CONTENTS.filter(bool), st.integers(1, 255), st.data())
def test_a_flipped_byte_gives_the_segments_before_it(contents: list[bytes], bits: int, data: st.DataObject) -> None:
    file = bytearray(written(contents))
    at = data.draw(st.integers(len(MAGIC), len(file) - 1))
    file[at] ^= bits
    assert whole(file) == [content for content, end in zip(contents, ends(contents), strict=True) if end <= at]


@given(st.integers(0, 300))
def test_zeros_that_a_power_cut_left_are_no_segments(zeros: int) -> None:
    assert whole(written([b"one"]) + bytes(zeros)) == [b"one"]


def test_a_segment_file_is_what_the_description_says(tmp_path: Path) -> None:
    file = SegmentFile(tmp_path / "x.part")
    for content in (b"one", b"", b"three"):
        file.append(content)
    assert list(file.segments()) == [b"one", b"", b"three"]
    file.append(b"four")
    file.close()
    assert file.path.read_bytes() == written([b"one", b"", b"three", b"four"])
    with pytest.raises(FileExistsError):
        SegmentFile(file.path)
    with pytest.raises(UsageError, match="append it in parts"):
        file.append(bytes(LONGEST + 1))


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_file_that_could_not_begin_is_not_left(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        raise failure

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((StorageError, KeyboardInterrupt)):
        SegmentFile(tmp_path / "x.part")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_segment_that_was_not_finished_is_written_over(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SegmentFile(tmp_path / "x.part")
    file.append(b"one")

    def fail(handle: int) -> None:
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises((StorageError, KeyboardInterrupt)):
            file.append(b"a longer one that comes to nothing")
    file.append(b"two")
    file.close()
    assert file.path.read_bytes() == written([b"one", b"two"])


def recorder() -> Recorder:
    return Recorder(["a", "b"], [0x10, 0x20], (0x400, PAGE), (0xF5, 0xF7), "nmi-game")


def ram(row: int) -> bytes:
    made = bytearray(2048)
    made[0x10], made[0x20], made[0x400], made[0xF5], made[0xF7] = (row + more & 0xFF for more in range(5))
    return bytes(made)


def inputs(frames: int) -> NDArray[np.uint8]:
    return np.arange(2 * frames, dtype=np.uint8).reshape(-1, 2)


def same(one: Trace, other: Trace) -> bool:
    arrays = ("address", "initial", "initial_page", "pads", "state", "page", "plans", "inputs")
    texts = (one.fields, one.order, one.about) == (other.fields, other.order, other.about)
    return texts and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)


# One number is how many rows come in a second, None a reset of the machine.
SECONDS = st.lists(st.one_of(st.integers(0, 5), st.none()), min_size=1, max_size=8)


@settings(deadline=None)
@given(SECONDS, st.data())
def test_a_cut_or_damaged_part_is_the_game_up_to_its_last_whole_second(
    tmp_path_factory: pytest.TempPathFactory, seconds: list[int | None], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("part") / "game.npz"
    streamed, kept = recorder(), recorder()  # the second one only ever in memory
    part = PartFile(path, streamed.layout, {"core": "FCEUmm"})
    frames, known, states = 7, True, [(part.path.stat().st_size, None)]
    for rows in seconds:
        for one in (streamed, kept):
            if rows is None:
                one.discard()
            for row in range(rows or 0):
                if row == 1:
                    one.plan(frames, 3, 18)
                one.add(ram(one.rows + frames))
        known = known and rows is not None
        frames += rows or 0
        part.add(streamed, inputs(frames) if known else None)
        states.append((part.path.stat().st_size, snapshot(kept, inputs(frames if known else 0))))  # type: ignore[arg-type]
    part.close()
    content = bytearray(part.path.read_bytes())
    at = data.draw(st.integers(0, len(content)))
    if data.draw(st.booleans()) or at == len(content):
        del content[at:]
    else:
        content[at] ^= data.draw(st.integers(1, 255))
    part.path.write_bytes(content)
    expected = [trace for end, trace in states if end <= at]
    if expected and expected[-1] is not None:
        assert same(read_trace(part.path), expected[-1])
    else:
        with pytest.raises(TraceError):
            read_trace(part.path)


def snapshot(kept: Recorder, held: NDArray[np.uint8]) -> Trace | None:
    """The game that is in memory so far."""
    if not kept.running:
        return None
    _, rows, _, plans = kept.collected
    return kept.layout.game(b"".join(rows), np.array(plans, dtype=np.int32).reshape(-1, 4), held, {"core": "FCEUmm"})


def test_what_was_interrupted_between_writing_and_forgetting_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = recorder()
    part = PartFile(tmp_path / "game.npz", one.layout, {})
    for row in range(4):
        one.add(ram(row))

    def interrupted() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(one, "release", interrupted)
        with pytest.raises(KeyboardInterrupt):
            part.add(one, inputs(9))
    one.plan(1, 2, 3)
    one.add(ram(4))
    part.add(one, inputs(10))
    game = part.game()
    part.close()
    assert game.state[:, 0].tolist() == [1, 2, 3, 4]
    assert game.plans.tolist() == [[3, 1, 2, 3]]
    np.testing.assert_array_equal(game.inputs, inputs(10))


def test_all_pads_of_a_long_session_go_into_a_later_games_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emubot.trace.part._MOST_INPUTS", 10)
    one = recorder()
    part = PartFile(tmp_path / "game.npz", one.layout, {})
    one.add(ram(0))
    part.add(one, inputs(45))
    np.testing.assert_array_equal(part.game().inputs, inputs(45))
    part.close()


def test_an_earlier_runs_file_stays_and_is_not_added_to(tmp_path: Path) -> None:
    path, old = tmp_path / "game.npz", tmp_path / "game.npz.part"
    old.write_bytes(b"what an earlier run left")
    first, second = (PartFile(path, recorder().layout, {}) for _ in range(2))
    assert first.path == tmp_path / "game.npz.2.part"
    assert first.older == [old]
    assert second.path == tmp_path / "game.npz.3.part"
    first.remove()
    second.remove()
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"what an earlier run left"]


def test_a_file_that_is_taken_away_while_it_is_written_is_read_all_the_same(tmp_path: Path) -> None:
    one = recorder()
    part = PartFile(tmp_path / "game.npz", one.layout, {})
    part.path.unlink()
    for row in range(4):
        one.add(ram(row))
    part.add(one, None)
    assert part.game().frames == 3
    part.remove()


HEAD = {"fields": ["a"], "address": [16], "page": 2, "order": "nmi-game", "about": {}}
COUNTS = struct.Struct("<QIQIQI")


@pytest.mark.parametrize(
    ("head", "contents"),
    [
        (b"no JSON", []),
        (b"[" * 10_000, []),
        ({**HEAD, "fields": ["a", "b"]}, []),
        ({**HEAD, "fields": [7]}, []),
        ({**HEAD, "fields": None}, []),
        ({**HEAD, "address": [-1]}, []),
        ({**HEAD, "address": ["16"]}, []),
        ({**HEAD, "page": 10**12}, []),
        ({**HEAD, "page": -5}, []),
        ({**HEAD, "order": "sideways"}, []),
        ({**HEAD, "about": [1]}, []),
        ({"fields": []}, []),
        (HEAD, []),
        (HEAD, [b"short"]),
        (HEAD, [COUNTS.pack(0, 0, 0, 10**9, 0, 0)]),
        (HEAD, [COUNTS.pack(0, 0, 2**63, 1, 0, 0) + bytes(5)]),
        (HEAD, [COUNTS.pack(0, 0, 0, 1, 0, 0) + bytes(6)]),
        (HEAD, [COUNTS.pack(0, 1, 0, 4, 0, 0) + bytes(22)]),
    ],
)
def test_a_part_with_sound_checksums_and_hostile_contents_is_one_sentence(
    head: bytes | dict[str, object], contents: list[bytes], tmp_path: Path
) -> None:
    first = head if isinstance(head, bytes) else json.dumps(head).encode()
    path = tmp_path / "evil.part"
    path.write_bytes(written([first, *contents]))
    with pytest.raises(TraceError) as refused:
        read_trace(path)
    assert str(refused.value).count("\n") == 0
