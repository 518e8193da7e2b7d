"""Files and names of strangers: one sentence, the exit code of the page, no wait, no control characters."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from emubot.cartridge import SIZE_LIMIT, load_cartridge
from emubot.cli import common, doctor, main
from emubot.cli.doctor_bridges import ReportLine
from emubot.demos import image
from emubot.errors import BridgeError, MapError, RomError, WeightsError
from emubot.rammap import load_map, parse_map
from emubot.text import is_one_line
from emubot.weights import load_weights, parse_weights
from tests.special_files import posix_only, python

ESCAPES = "\x1b[31m\x07\u202e"
READERS = [
    "play --rom",
    "play --demo tetris --map",
    "play --demo tetris --weights",
    "maps check",
    "maps learn --rom",
    "selfplay --sum",
    "selfplay tetris --pieces 10 --weights",
    "evaluate tetris --weights",
    "train tetris --method ga --out",
    *(["train plot"] if find_spec("matplotlib") else []),  # a missing package is said first
    "train watch",
]


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("emubot: ")
    assert said.err.count("\n") == 1
    assert is_one_line(said.err.rstrip("\n"))
    return said.err


EACH = """
import sys
from emubot.cli import main
for words in sys.argv[2:]:
    print(main([*words.split(), sys.argv[1]]))
"""


EACH_FILE = """
import sys
from emubot.cli import main
for file in sys.argv[2:]:
    print(main([*sys.argv[1].split(), file]))
"""


@posix_only
def test_a_pipe_is_refused_unopened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ended = python(EACH, pipe, *READERS)
    assert ended.stdout.split() == ["2"] * len(READERS)
    said = ended.stderr.splitlines()
    assert len(said) == len(READERS)
    assert all(line.startswith("emubot: ") and str(pipe) in line for line in said)


@posix_only
@pytest.mark.parametrize("words", READERS)
def test_a_device_is_refused_unopened(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "/dev/zero"]) == 2
    assert "/dev/zero" in sentence(capsys)


@posix_only
@pytest.mark.parametrize("words", ["train plot", "train watch"])
def test_a_pipe_in_a_runs_folder_is_refused_unopened(words: str, tmp_path: Path) -> None:
    names = ["history.jsonl", "times.jsonl", "checkpoint-000001.json"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "checkpoint-000002.json").write_bytes(b"damaged")
        os.mkfifo(tmp_path / name / name)
    ended = python(EACH_FILE, words, *(tmp_path / name for name in names))
    assert ended.stdout.split() == ["2"] * len(names)
    assert ended.stderr.count("\n") == len(names)


# Cartridges.


def zipped(*names: str, method: int = zipfile.ZIP_DEFLATED, content: bytes | None = None) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name in names:
            archive.writestr(name, image("tetris").read_bytes() if content is None else content)
    return made.getvalue()


def refusal(data: bytes, file: Path) -> str:
    file.write_bytes(data)
    with pytest.raises(RomError) as caught:
        load_cartridge(file)
    assert is_one_line(str(caught.value))
    return str(caught.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_members_whose_unpacking_may_claim_any_memory_are_not_unpacked(method: int, tmp_path: Path) -> None:
    data = zipped("a.nes", method=method)
    assert "it is compressed in an unusual way" in refusal(data, tmp_path / "a.zip")
    damaged = data[:60] + bytes(100) + data[160:]
    assert "it is compressed in an unusual way" in refusal(damaged, tmp_path / "a.zip")


def test_an_encrypted_member_and_an_archive_in_an_archive(tmp_path: Path) -> None:
    data = bytearray(zipped("a.nes"))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "it is encrypted" in refusal(bytes(data), tmp_path / "a.zip")
    inner = zipped("inner.zip", content=zipped("a.nes"))
    assert "holds 0 .nes files" in refusal(inner, tmp_path / "a.zip")


def test_many_members_and_a_bomb_take_bounded_memory(tmp_path: Path) -> None:
    import tracemalloc

    many = zipped(*(f"{number}.nes" for number in range(8_000)), content=b"")
    assert len(many) < SIZE_LIMIT
    bomb = zipped("a.nes", content=bytes(8 * SIZE_LIMIT))
    tracemalloc.start()
    try:
        assert "holds 8000 .nes files" in refusal(many, tmp_path / "a.zip")
        assert "unpacks to more than" in refusal(bomb, tmp_path / "a.zip")
        assert tracemalloc.get_traced_memory()[1] < 6 * SIZE_LIMIT
    finally:
        tracemalloc.stop()


def mutated(data: bytes, dice: random.Random) -> bytes:
    """The same with bytes changed, cut out or doubled."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        place = dice.randrange(len(changed))
        kind = dice.randrange(6)
        if kind < 4:
            changed[place] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, changed[place] ^ 1 << dice.randrange(8)))
        elif kind == 4:
            del changed[place : place + dice.randint(1, 40)]
        else:
            changed[place:place] = changed[place : place + dice.randint(1, 40)]
    return bytes(changed) or b"\0"


def test_any_change_of_a_zip_is_read_or_refused(tmp_path: Path) -> None:
    dice, file = random.Random(1), tmp_path / "a.zip"
    small = zipped("folder/a.nes", "a.txt", content=b"NES\x1a\x01\x01" + bytes(10) + bytes(0x6000))
    for _ in range(700):
        file.write_bytes(mutated(small, dice))
        shown = ""
        try:
            load_cartridge(file)
        except RomError as refused:
            shown = str(refused)
        assert is_one_line(shown)


def test_a_name_with_control_characters_is_shown_without_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"{ESCAPES}.nes"
    file.write_bytes(b"no cartridge")
    assert main(["play", "--rom", str(file)]) == 2
    assert "?[31m" in sentence(capsys)
    file.write_bytes(image("tetris").read_bytes())
    assert is_one_line(load_cartridge(file).name)


def test_what_other_programs_say_is_shown_without_control_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    common.say(f"one {ESCAPES}\ntwo")
    assert capsys.readouterr().err == "one ?[31m??\ntwo\n"
    monkeypatch.setattr(doctor, "bridge_findings", lambda *_: [ReportLine("nintaco", None, ESCAPES)])
    main(["doctor"])
    assert "nintaco" in (said := capsys.readouterr().out)
    assert all(map(is_one_line, said.splitlines()))

    def refuse(words: list[str]) -> int:
        raise BridgeError(f"The emulator said {ESCAPES}\nand more.")

    monkeypatch.setattr(doctor, "run", refuse)
    assert main(["doctor"]) == 3
    assert sentence(capsys) == "emubot: The emulator said ?[31m?? and more.\n"


# Maps and weights.

MAP = load_map("nes_tetris_usa").path.read_text(encoding="utf-8")
WEIGHTS = {"game": "tetris", "features": {"version": 1, "names": ["holes"]}, "values": [1.0]}
NESTED = 100_000


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * NESTED,
        "[" * NESTED + "]" * NESTED,
        "? " * NESTED,
        "- " * NESTED,
        "{a: " * NESTED,
        "title: " + "9" * 60_000,
        "title: 0x" + "F" * 60_000,
        MAP.replace("title: ", 'title: "\\e[31m" #', 1),
        MAP.replace("title: ", 'title: "\\u202E" #', 1),
        MAP.replace("title: ", 'title: "two\\nlines" #', 1),
        MAP.replace("rows: ", "rows: 99999999", 1),
        f"{ESCAPES}: 1",
    ],
)
def test_a_map_that_is_none_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_bytes(text.encode()[: 64 * 1024])
    with pytest.raises(MapError) as caught:
        load_map(file)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-7", "latin-1", "cp1252", "shift-jis"])
def test_maps_and_weights_in_odd_encodings(encoding: str, tmp_path: Path) -> None:
    title = "テトリス" if encoding in {"utf-16", "utf-32", "utf-7", "shift-jis"} else "Tétris"
    file = tmp_path / "it.yaml"
    file.write_bytes(MAP.replace("title: ", f"title: {title} #", 1).encode(encoding, "replace"))
    try:
        shown = load_map(file).title  # UTF-7 is plain ASCII: read, and shown as it is written
    except MapError as refused:
        shown = str(refused)
    assert is_one_line(shown)
    other = tmp_path / "it.json"
    other.write_bytes(json.dumps(WEIGHTS | {"provenance": {"method": title}}, ensure_ascii=False).encode(encoding))
    try:
        shown = str(load_weights(str(other)).provenance.method)
    except WeightsError as refused:
        shown = str(refused)
    assert is_one_line(shown)


@pytest.mark.parametrize(
    "text",
    [
        "[" * NESTED,
        '{"a":' * NESTED,
        json.dumps(WEIGHTS).replace("1.0", "1e999"),
        json.dumps(WEIGHTS).replace("1.0", "9" * 100_000),
        json.dumps(WEIGHTS).replace("1.0", "NaN"),
        json.dumps(WEIGHTS).replace("1.0", "true"),
        json.dumps(WEIGHTS | {"provenance": {"method": ESCAPES}}),
        json.dumps(WEIGHTS | {ESCAPES: 1}),
        json.dumps(WEIGHTS | {"game": ESCAPES}),
        "\ufeff" + json.dumps(WEIGHTS) + "\0",
    ],
)
def test_weights_that_are_none_are_refused_in_one_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WeightsError):
        parse_weights(text, "w.json")
    file = tmp_path / "w.json"
    file.write_text(text, encoding="utf-8")
    assert main(["evaluate", "tetris", "--weights", str(file)]) == 2
    sentence(capsys)


@pytest.mark.parametrize("kind", ["map", "weights"])
def test_any_change_of_a_map_or_of_weights_is_read_or_refused(kind: str) -> None:
    dice = random.Random(2)
    whole = {"map": MAP, "weights": json.dumps(WEIGHTS)}[kind].encode()
    for _ in range(75 if kind == "map" else 1500):
        text = mutated(whole, dice).decode("utf-8", "replace")
        with contextlib.suppress(MapError, WeightsError):
            parse_map(text, "m") if kind == "map" else parse_weights(text, "w")


# Numbers of thousands of digits, which int() refuses with an error of its own.

HUGE = "9" * 5000


def code(words: list[str]) -> object:
    """The exit code, also where the parser ends the program."""
    try:
        return main(words)
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize(
    "words",
    [
        ["play", HUGE],
        ["play", "--demo", "tetris", "--level", HUGE],
        ["play", "--demo", "tetris", "--pieces", f"-{HUGE}"],
        ["selfplay", "tetris", "--pieces", HUGE],
        ["evaluate", "tetris", "--games", HUGE],
        ["explain", "x", "--frame", HUGE],
        ["train", "tetris", "--method", "ga", "--set", f"population={HUGE}", "--out"],
        ["train", "tetris", "--method", "dqn", "--set", f"layers={HUGE},4", "--out"],
    ],
)
def test_a_huge_number_on_the_command_line_is_one_short_sentence(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*words, str(tmp_path / "run")] if words[-1] == "--out" else words
    assert code(given) == 2
    assert len(sentence(capsys)) < 400


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("weights.json", '{{"game": "tetris", "values": [{huge}]}}', "play --demo tetris --weights"),
        ("map.yaml", "title: x\nfamily: tetris\nprofile: plain\ngrid: {{at: {huge}, rows: {huge}}}\n", "maps check"),
        ("map.yaml", "title: x\nplayers: 0x{huge}\n", "maps check"),
        ("x.match.json", '{{"seed": {huge}}}', "review"),
        ("x.fm2", "version 3\n|{huge}|........|........||\n", "review --demo tetris"),
        ("x.txt", "{huge}\n", "explain puyo --board"),
    ],
)
def test_a_huge_number_in_a_file_is_a_short_message(
    name: str, text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(text.format(huge=HUGE), encoding="utf-8")
    assert code([*words.split(), str(file)]) in (1, 2)
    said = capsys.readouterr()
    assert "a mistake in emubot" not in said.err
    assert len(said.err + said.out) < 3000
