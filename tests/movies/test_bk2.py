"""Movies of BizHawk: every line as the format has it, what is read back, and what is said where it cannot be."""

from __future__ import annotations

import contextlib
import io
import json
import random
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import TraceError, UsageError
from emubot.formats import BK2, known_format, short_archive
from emubot.movies import bk2, fm2, read_bk2, read_fm2
from emubot.pad import Pad
from tests.movies.recordings import MD5

SHA1 = "0123456789ABCDEF0123456789ABCDEF01234567"
PADS = np.array([(Pad.NONE, Pad.START), (Pad.A | Pad.LEFT, Pad.SELECT), (Pad.NONE, Pad.NONE)], dtype=np.uint8)
ROWS = st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), min_size=1, max_size=40)
HEAD = {"MovieVersion": "BizHawk v2.0.0", "Platform": "NES", "Core": "NesHawk"}
BUTTONS = ("Up", "Down", "Left", "Right", "Start", "Select", "B", "A")
KEY = f"#Power|Reset|#{'|'.join(f'P1 {name}' for name in BUTTONS)}|#{'|'.join(f'P2 {name}' for name in BUTTONS)}|"
LINES = ("|..|U.......|........|", "|..|........|.......A|")


def texts(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return made.getvalue()


def written(
    *lines: str, key: str | None = KEY, settings: Mapping[str, Any] | None = None, more: str = "", **head: str
) -> bytes:
    """A movie as others write it, by default of two frames."""
    log = ["[Input]", *([] if key is None else [f"LogKey:{key}"]), *(lines or LINES), "[/Input]", more]
    return zipped(
        {
            "Header.txt": "\r\n".join(f"{name} {value}" for name, value in {**HEAD, **head}.items()),
            "SyncSettings.json": json.dumps({"o": settings or {}}),
            "Input Log.txt": "\r\n".join(log),
        }
    )


def test_a_movie_in_full() -> None:
    content = bk2(PADS, "tiny.nes", MD5, 1, ["author somebody", "recorded in x"], SHA1)
    assert texts(content) == {
        "Header.txt": (
            "MovieVersion BizHawk v2.0.0\n"
            "Author somebody\n"
            "Platform NES\n"
            "GameName tiny.nes\n"
            "Core NesHawk\n"
            "rerecordCount 0\n"
            "MD5 000102030405060708090a0b0c0d0e0f\n"
            f"SHA1 {SHA1}\n"
        ),
        "Comments.txt": "recorded in x\n",
        "Subtitles.txt": "",
        "SyncSettings.json": texts(content)["SyncSettings.json"],
        "Input Log.txt": (
            "[Input]\n"
            "LogKey:#Power|Reset|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|P1 Select|P1 B|P1 A|"
            "#P2 Up|P2 Down|P2 Left|P2 Right|P2 Start|P2 Select|P2 B|P2 A|\n"
            "|..|........|....S...|\n"
            "|..|..L....A|.....s..|\n"
            "|..|........|........|\n"
            "[/Input]\n"
        ),
    }
    settings = texts(content)["SyncSettings.json"]
    assert settings.count("\n") == 1, "BizHawk reads one line"
    assert json.loads(settings)["o"]["Controls"] == {
        "Famicom": False,
        "NesLeftPort": "ControllerNES",
        "NesRightPort": "ControllerNES",
        "FamicomExpPort": "UnpluggedFam",
    }
    assert json.loads(settings)["o"]["RegionOverride"] == 1


@pytest.mark.parametrize(
    ("pad", "field"),
    [
        (Pad.UP, "U......."),
        (Pad.DOWN, ".D......"),
        (Pad.LEFT, "..L....."),
        (Pad.RIGHT, "...R...."),
        (Pad.START, "....S..."),
        (Pad.SELECT, ".....s.."),
        (Pad.B, "......B."),
        (Pad.A, ".......A"),
    ],
)
def test_each_button_has_its_column(pad: Pad, field: str) -> None:
    pads = np.array([(pad, Pad.NONE), (Pad.NONE, pad)], dtype=np.uint8)
    log = texts(bk2(pads, "x", MD5, 1))["Input Log.txt"].splitlines()
    assert log[2:4] == [f"|..|{field}|........|", f"|..|........|{field}|"]


@given(ROWS, st.integers(1, 3))
def test_what_is_written_is_read(rows: list[tuple[int, int]], later: int) -> None:
    """`later` frames before FCEUX is `later - 1` frames before NesHawk."""
    pads = np.array(rows, dtype=np.uint8)
    movie = read_bk2(bk2(pads, "x", MD5, later, (), SHA1))
    assert movie.pads.tolist() == [[0, 0]] * (later - 1) + pads.tolist()
    assert movie.hashes == {MD5, SHA1}


@given(ROWS, st.permutations([f"P{port} {name}" for port in (1, 2) for name in BUTTONS] + ["Reset", "Power"]))
def test_columns_are_found_by_their_names(rows: list[tuple[int, int]], controls: list[str]) -> None:
    """Whatever the order in which another program writes them."""
    bits = {name: Pad[name.upper()] for name in BUTTONS}
    lines = []
    for held in rows:
        pressed = {f"P{port + 1} {name}" for port in (0, 1) for name, bit in bits.items() if held[port] & bit}
        lines.append(f"|{''.join('x' if name in pressed else '.' for name in controls)}|")
    movie = read_bk2(written(*lines, key=f"#{'|'.join(controls)}|"))
    assert movie.pads.tolist() == [list(row) for row in rows]


@given(ROWS, st.sampled_from(["FCEUmm git 1", "Nestopia 1.52", "another"]))
def test_a_core_plays_it_as_the_movie_of_fceux(rows: list[tuple[int, int]], core: str) -> None:
    pads = np.array(rows, dtype=np.uint8)
    theirs = read_fm2(fm2(pads, "x", MD5, 1).encode()).pads_for(core)
    assert read_bk2(bk2(pads, "x", MD5, 1)).pads_for(core).tolist() == theirs.tolist()


def test_the_frame_that_neshawk_lacks_is_left_out_or_refused() -> None:
    pads = np.array([(0, 0), (Pad.A, 0)], dtype=np.uint8)
    assert read_bk2(bk2(pads, "x", MD5)).pads.tolist() == [[Pad.A, 0]]
    with pytest.raises(UsageError, match="Frame 0 has a button, and NesHawk, which starts earlier, has no such frame"):
        bk2(pads[1:], "x", MD5)


def test_the_same_arguments_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    once = bk2(PADS, "x", MD5, 1)
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
    monkeypatch.setattr("sys.platform", "win32")
    assert bk2(PADS, "x", MD5, 1) == once
    assert bk2(PADS[::-1], "x", MD5, 1) != once


def test_what_is_no_movie_is_not_written() -> None:
    with pytest.raises(UsageError, match="as \\(frames, 2\\) bytes"):
        bk2(np.zeros((4, 3), dtype=np.uint8), "x", MD5)
    for rom, comments in (("x\nPAL 1", ()), ("x", ("a\rb",))):
        with pytest.raises(UsageError, match="leave out what breaks it"):
            bk2(PADS, rom, MD5, 1, comments)


# What other people's movies hold.


def test_a_movie_of_one_pad_and_a_project_of_tastudio_are_read() -> None:
    one = f"#Reset|Power|#{'|'.join(f'P1 {name}' for name in BUTTONS)}|"
    assert read_bk2(written("|..|U.......|", key=one)).pads.tolist() == [[Pad.UP, 0]]
    project = written(MovieVersion="BizHawk v2.0 Tasproj v1.1", more="|..|........|........|")
    assert len(read_bk2(project).pads) == 3
    assert known_format(project, "x.tasproj") is BK2


REFUSED: list[tuple[bytes, str]] = [
    (
        written(StartsFromSavestate="True"),
        "begins with a save state (StartsFromSavestate true), and such a movie cannot",
    ),
    (written(StartsFromSaveRam="True"), "begins with the contents of a battery's memory (StartsFromSaveRam true)"),
    (written(PAL="1"), "was made on a PAL console (PAL 1)"),
    (written(PAL="True"), "was made on a PAL console (PAL true)"),
    (written(settings={"RegionOverride": 2}), "was made on a PAL console (RegionOverride 2)"),
    (written(settings={"RegionOverride": "Dendy"}), "was made on a PAL console (RegionOverride Dendy)"),
    (written(Platform="SNES"), "is of another console than the NES (Platform snes)"),
    (written(Platform=""), "is of another console than the NES (Platform )"),
    (zipped({"Header.txt": "MovieVersion BizHawk v2"}), "is of another console than the NES (Platform )"),
    (written(settings={"InitialWRamStatePattern": [1]}), "other contents of the RAM at power-on than FCEUX's own"),
    (written(settings={"LeftPortConnected": False}), "something else than a pad in port 1 (LeftPortConnected False)"),
    (written(settings={"Controls": {"NesLeftPort": "UnpluggedNES"}}), "something else than a pad in port 1 (NesLeft"),
    (written(settings={"Controls": {"NesRightPort": "Zapper"}}), "something else than a pad in port 2 (NesRightPort Z"),
    (written(settings={"Controls": {"NesRightPort": "FourScore"}}), "has more than two pads (NesRightPort FourScore)"),
    (written(settings={"Controls": {"FamicomExpPort": "OekaKids"}}), "has a device in the expansion port (FamicomExp"),
    (written(key=f"{KEY}#P3 Up|"), "has more than two pads (P3 Up)"),
    (written(key=f"{KEY}#P10 Up|"), "has more than two pads (P10 Up)"),
    (written(key=f"#FDS Eject|{KEY}"), "is of a disk game (FDS Eject)"),
    (written(key=f"#Insert Coin P1|{KEY}"), "is of an arcade machine (Insert Coin P1)"),
    (written(key=f"#Reset Cycle|{KEY}"), "may reset the console in the middle of a frame (Reset Cycle)"),
    (written(key="#P1 Fire|P1 Zapper X|"), "has something else than a pad in port 1 (P1 Fire)"),
    (written(key=f"{KEY}P2 Microphone|"), "has something else than a pad in port 2 (P2 Microphone)"),
    (written(key=f"{KEY}#Tilt|"), "has something else than two pads (Tilt)"),
    (written(key="#Power|Reset|"), "has something else than a pad in port 1 (LogKey:)"),
    (written(key=""), "has something else than a pad in port 1 (LogKey:)"),
    (
        written(key=None),
        "The log of the movie does not say what its columns are (LogKey:); save it once more in BizHawk.",
    ),
    (
        written(LINES[0], "|.r|........|........|"),
        "Frame 1 of the movie presses Reset, and only one that plays on from",
    ),
    (written("|P.|........|........|"), "Frame 0 of the movie presses Power, and only one that plays on from power-on"),
    (written(LINES[0], "|..|........|.......|"), "Frame 1 of the movie cannot be read: '|..|........|.......|'"),
    (written("|" + "9" * 5000), "Frame 0 of the movie cannot be read: '|999"),
    (written("no frame"), "The movie has no frame."),
    (written(MovieVersion="1.0"), "This is not a movie of BizHawk 2: Header.txt names no such version; save it once"),
    (zipped({"Header.txt": ""}), "This is not a movie of BizHawk 2: Header.txt names no such version"),
    (
        zipped({"Input Log.txt": ""}),
        "This is not a movie of BizHawk: it lacks Header.txt; save it once more in BizHawk.",
    ),
    (zipped({"Header.txt": "MovieVersion BizHawk v2\nPlatform NES"}), "it lacks Input Log.txt; save it once more"),
    (b"", "This is not a movie of BizHawk: it is damaged or no zip archive; save it once more in BizHawk."),
    (b"{}", "it is damaged or no zip archive"),
]


@pytest.mark.parametrize(("content", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_a_movie_that_cannot_be_replayed_says_why(content: bytes, words: str) -> None:
    with pytest.raises(TraceError) as refused:
        read_bk2(content)
    said = str(refused.value)
    assert words in said
    assert len(said) < 200
    assert said.endswith(".")
    assert said.isprintable()


@pytest.mark.parametrize("settings", [b"{", b"[" * 100_000, b'{"o":' + b"9" * 5000 + b"}", b"\xff"])
def test_settings_that_cannot_be_read(settings: bytes) -> None:
    members: dict[str, str | bytes] = {**texts(written()), "SyncSettings.json": settings}
    with pytest.raises(
        TraceError, match=r"SyncSettings\.json of the movie cannot be read; save it once more in BizHawk"
    ):
        read_bk2(zipped(members))


@pytest.mark.parametrize("settings", [b"", b"[]", b'{"o": []}', b'{"o": {"Controls": 3}}'])
def test_settings_that_say_nothing(settings: bytes) -> None:
    assert len(read_bk2(zipped({**texts(written()), "SyncSettings.json": settings})).pads) == 2


def test_no_member_is_unpacked_beyond_what_a_movie_has() -> None:
    bomb = zipped({**texts(written()), "Header.txt": bytes(256 << 20)})
    assert len(bomb) < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises(TraceError, match=r"Header\.txt of the movie unpacks to more than 1,048,576 bytes, and no"):
            read_bk2(bomb)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    with pytest.raises(TraceError, match=r"Input Log\.txt of the movie unpacks to more than 67,108,864 bytes"):
        read_bk2(zipped({**texts(written()), "Input Log.txt": bytes(65 << 20)}))


def test_members_that_are_encrypted_or_packed_otherwise_are_not_opened() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("Header.txt", "x")
    encrypted = bytearray(zipped({"Header.txt": "x"}))
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    for content in (made.getvalue(), bytes(encrypted)):
        with pytest.raises(
            TraceError, match=r"Header\.txt of the movie is encrypted, or packed as BizHawk packs nothing"
        ):
            read_bk2(content)


def crowded() -> bytes:
    """An archive whose list of members is longer than 1 MiB, for its comments."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number in range(17):
            member = zipfile.ZipInfo("Input Log.txt" if not number else f"{number}")
            member.comment = bytes(65_535)
            archive.writestr(member, b"")
    return made.getvalue()


def test_a_long_list_of_members_is_not_read() -> None:
    content = crowded()
    size = len(content)
    real = zipped({"a": "x"})
    end = real.rfind(b"PK\x05\x06")
    entries, size_of_list, place = struct.unpack("<10xHII2x", real[end:])
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, size_of_list, place)
    located = real[:end] + record + struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1) + real[end:]
    assert zipfile.ZipFile(io.BytesIO(located)).namelist() == ["a"], "zipfile believes the second record"
    # A second signature within the record itself: what is believed must be what zipfile believes.
    twice = bytearray(content)
    twice[size - 18 : size - 14] = b"PK\x05\x06"
    for archive in (content, bytes(twice), located, content[:-1], content[: size - 20]):
        assert short_archive(archive) is None
    assert known_format(content, "x.zip") is None
    assert short_archive(real) is not None
    commented = real[:-2] + b"\x03\x00abc"
    assert short_archive(commented) is not None


@given(st.binary(max_size=300))
def test_random_bytes_are_refused_in_a_sentence(content: bytes) -> None:
    members: dict[str, str | bytes] = {**texts(written())}
    archives = (zipped({**members, name: content}) for name in ("Header.txt", "Input Log.txt"))
    for movie in (content, b"PK\x03\x04" + content, *archives):
        with pytest.raises(TraceError) as refused:
            read_bk2(movie)
        assert str(refused.value).isprintable()


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_movie_is_read_or_refused(seed: int) -> None:
    rng, content = random.Random(seed), bk2(PADS, "x", MD5, 1)
    for _ in range(200):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 1, 3, 10))):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        if rng.random() < 0.3:
            del damaged[rng.randrange(len(damaged)) :]
        with contextlib.suppress(TraceError):
            assert read_bk2(bytes(damaged)).pads.shape[1] == 2


def test_a_movie_that_is_cut_off_is_refused() -> None:
    content = written()
    for length in range(len(content)):
        with pytest.raises(TraceError):
            read_bk2(content[:length])
