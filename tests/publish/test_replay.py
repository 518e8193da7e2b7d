"""A recording is read back as the game that it shows, with all that happens to recordings on their way."""

from __future__ import annotations

import gzip
import logging
import random
import zlib
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import TraceError
from emubot.games.tetris.broadcast.replay import TetrisReplay
from emubot.games.tetris.rules import NES_NTSC
from emubot.judging.moves import Move, moves_of
from emubot.publish import ngf
from emubot.publish.frame import SIZES, Frame, encode
from emubot.publish.ngf import packed, read_ngf
from emubot.snapshot import Phase
from tests.publish.games import RECORDED, filmed, played

GAME = next(path for path in RECORDED if path.stem == "nes_tetris_7")


def moves_in(frames: list[Frame]) -> list[Move]:
    return list(moves_of(TetrisReplay(NES_NTSC).snapshots(frames)))


def what(move: Move) -> tuple[object, ...]:
    """All that a review takes of a move, and a frame holds. Cells are filled or not: two may lie on each other."""
    counters = {name: move.snapshot.counters[name] for name in ("level", "lines", "score", "das", "game_type")}
    return move.locked, move.snapshot.current, move.snapshot.next, (move.snapshot.playfield > 0).tolist(), counters


@pytest.mark.few(4)
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_moves_are_those_of_the_trace(path: Path) -> None:
    _, snapshots = played(path)
    expected, found = list(moves_of(snapshots)), moves_in(filmed(path))
    if snapshots[-1].phase is Phase.LOCKED:
        expected.pop()  # whether the last piece has locked is seen by the next one
    assert len(found) > 4
    assert [what(move) for move in found] == [what(move) for move in expected]
    assert [move.frame for move in found] == [move.frame for move in expected]


def test_the_first_piece_of_a_game_waits() -> None:
    (first, *others) = moves_in(filmed(GAME))
    assert first.snapshot.counters["autorepeat_y"] == 256 - 96
    assert {move.snapshot.counters["autorepeat_y"] for move in others} == {0}


@pytest.mark.parametrize("step", [2, 3, 4])
def test_a_camera_with_fewer_frames_finds_the_same_places(step: int) -> None:
    expected, found = moves_in(filmed(GAME)), moves_in(filmed(GAME)[::step])
    assert [(move.locked, move.snapshot.current) for move in found] == [
        (move.locked, move.snapshot.current) for move in expected[: len(found)]
    ]
    assert len(found) >= len(expected) - 1


@pytest.mark.parametrize("step", [1, 6, 8])
def test_frames_that_show_the_same_may_be_left_out(step: int) -> None:
    seen = [next(same) for _, same in groupby(filmed(GAME)[::step], key=lambda frame: frame.cells)]
    expected, found = moves_in(filmed(GAME)), moves_in(seen)
    assert [move.locked for move in found] == [move.locked for move in expected[: len(found)]]
    assert len(found) >= len(expected) - 1


def test_a_piece_whose_last_frames_are_missing_is_found_where_it_lies() -> None:
    _, snapshots = played(GAME)
    expected = moves_in(filmed(GAME))
    kept = []
    for number, frame in enumerate(filmed(GAME)):
        coming = snapshots[number : number + 6]
        if all(one.phase is Phase.PLAYING for one in coming) or snapshots[number].phase is Phase.CLEARING:
            kept.append(frame)
    found = moves_in(kept)
    assert [move.locked for move in found] == [move.locked for move in expected[: len(found)]]
    assert len(found) >= len(expected) - 1


def test_a_misread_cell_of_one_frame_is_passed_over() -> None:
    chance = random.Random(5)
    noisy = []
    for frame in filmed(GAME):
        cells = bytearray(frame.cells)
        if chance.random() < 0.1:
            at = chance.randrange(200)
            cells[at] = 0 if cells[at] else 1
        noisy.append(replace(frame, cells=bytes(cells)))
    assert [move.locked for move in moves_in(noisy)] == [move.locked for move in moves_in(filmed(GAME))]


def test_a_gap_is_said_and_the_game_is_found_again(caplog: pytest.LogCaptureFixture) -> None:
    frames = filmed(GAME)
    whole = moves_in(frames)
    assert not caplog.text
    with caplog.at_level(logging.WARNING):
        found = moves_in([*frames[:200], *frames[500:]])
    assert "1 parts of the recording could not be followed" in caplog.text
    assert 5 < len(found) < len(whole)
    assert [move.locked for move in found[-5:]] == [move.locked for move in whole[-5:]]
    assert all(what(move) in [what(one) for one in whole] for move in found), "what was lost is not made up"


def test_a_second_game_begins_with_an_empty_board() -> None:
    frames = filmed(GAME)[:400]
    alone = moves_in(frames)
    both = moves_in([*frames, *(replace(frame, game=2) for frame in frames)])
    assert [what(move) for move in both[-len(alone) :]] == [what(move) for move in alone]


def test_no_recording_makes_the_reader_fail() -> None:
    chance = random.Random(3)
    for _ in range(20):
        boards = [bytes(chance.choices(range(4), [9, 1, 1, 1], k=200)) for _ in range(150)]
        frames = [Frame(chance.randrange(2), 0, cells, 0, chance.randrange(255), 0) for cells in boards]
        list(TetrisReplay(NES_NTSC).snapshots(frames))


# The file.


def zipped(content: bytes) -> bytes:
    """Without the time of day, which would be part of a test's name, and each worker would have other tests."""
    return gzip.compress(content, mtime=0)


def write(folder: Path, content: bytes) -> Path:
    path = folder / "game.ngf"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("gzipped", [True, False])
def test_a_file_comes_back_frame_by_frame(gzipped: bool, tmp_path: Path) -> None:
    frames = filmed(GAME)[:300]
    content = packed(frames)
    assert content[4:8] == bytes(4), "the time is left out, so that the same game gives the same bytes"
    path = write(tmp_path, content if gzipped else gzip.decompress(content))
    found = read_ngf(path)
    assert len(found) == 300
    assert list(found) == frames


@pytest.mark.parametrize("version", [1, 2])
def test_recordings_of_older_versions_are_read(version: int, tmp_path: Path) -> None:
    frame = bytes([version << 5 | 1 << 3]) + bytes(SIZES[version] - 1)
    (found, _) = read_ngf(write(tmp_path, gzip.compress(frame * 2)))
    assert (found.type, found.score, found.counts) == (1, 0, (0,) * 7)


WHOLE = packed([Frame(1, number, bytes(200), 0, 18, 0) for number in range(50)])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it has no frame"),
        (zipped(b""), "it has no frame"),
        (WHOLE[:-9], "it is cut, its gzip data have no end"),
        (WHOLE[:40], "it is cut, its gzip data have no end"),
        (WHOLE[:12], "it is cut, its gzip data have no end"),
        (WHOLE[:-8] + bytes(8), "its gzip data or their checksum are wrong"),
        (WHOLE + b"more", "more follows"),
        (b"\x1f\x8b" + bytes(200), "its gzip data or their checksum are wrong"),
        (zipped(gzip.decompress(WHOLE)[:-1]), "ends in the middle of a frame"),
        (zipped(encode(Frame(1, 0, bytes(200))) + bytes(73)), "of several versions"),
        (zipped(bytes(73)), "of version 0, and emubot reads 1 to 3"),
        (zipped(b"\x80" + bytes(72)), "of version 4"),
        (b"words", "ends in the middle of a frame"),
        (b"`words and " * 20, "of several versions"),
    ],
)
def test_a_damaged_file_is_one_sentence(content: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=words) as refused:
        read_ngf(write(tmp_path, content))
    assert str(refused.value).count("\n") == 0


@given(data=st.binary(max_size=400), flips=st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))))
def test_any_bytes_are_a_game_or_refused(
    data: bytes, flips: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("ngf")
    changed = bytearray(WHOLE)
    for place, value in flips:
        changed[place] ^= value
    for content in (data, b"\x1f\x8b" + data, gzip.compress(data), bytes(changed)):
        try:
            frames = list(read_ngf(write(folder, content)))
        except TraceError:
            continue
        list(TetrisReplay(NES_NTSC).snapshots(frames))


def test_a_bomb_is_never_unpacked_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = encode(Frame(1, 0, bytes(200)))
    path = write(tmp_path, gzip.compress(frame * 1000))
    monkeypatch.setattr(ngf, "LARGEST", 73 * 1000)
    assert len(read_ngf(path)) == 1000, "just as large as it may be"
    monkeypatch.setattr(ngf, "LARGEST", 73 * 1000 - 1)
    with pytest.raises(TraceError, match="larger than 72,999 bytes once unpacked"):
        read_ngf(path)
    monkeypatch.undo()
    bomb = gzip.compress(gzip.compress(bytes(1 << 20)) + bytes(100 << 20))
    given: list[int] = []

    class Unpacking:
        """Counts what zlib gives."""

        def __init__(self, bits: int) -> None:
            self._real = zlib.decompressobj(bits)

        def decompress(self, *words: Any) -> bytes:
            given.append(len(data := self._real.decompress(*words)))
            return data

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

    monkeypatch.setattr(ngf, "zlib", SimpleNamespace(decompressobj=Unpacking, error=zlib.error))
    with pytest.raises(TraceError, match="larger than 67,108,864 bytes once unpacked"):
        read_ngf(write(tmp_path, bomb))
    assert sum(given) == ngf.LARGEST + 1


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="There is no file"):
        read_ngf(tmp_path / "none.ngf")
    with pytest.raises(TraceError, match="it is a folder"):
        read_ngf(tmp_path)
