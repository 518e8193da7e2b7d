"""Cartridge files: identities that ignore headers, and one sentence for everything that is no cartridge."""

from __future__ import annotations

import hashlib
import io
import textwrap
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot import demos
from emubot.cartridge import SIZE_LIMIT, Cartridge, crc32s_of_body, load_cartridge, parse_cartridge
from emubot.errors import MapError, RomError
from emubot.rammap import load_map, map_for, map_for_identity, parse_map
from tests.rammap.test_toy import TOY

PRG = bytes(range(256)) * 64
CHR = bytes(reversed(range(256))) * 32


def image(prg: bytes = PRG, chr_: bytes = CHR, trainer: bytes = b"", **header: int) -> bytes:
    """A cartridge of our own: patterns, no program."""
    top = bytearray(16)
    top[:4] = b"NES\x1a"
    top[4], top[5] = len(prg) // 16384, len(chr_) // 8192
    top[6] = 0x04 if trainer else 0
    for place, byte in header.items():
        top[int(place[1:])] |= byte
    return bytes(top) + trainer + prg + chr_


def zipped(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_", "."), data)
    return stream.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(RomError) as caught:
        parse_cartridge(data, "it.nes")
    return str(caught.value)


def test_a_cartridge_and_its_identity() -> None:
    found = parse_cartridge(image(b6=0x12, b7=0x40), "it.nes")
    body = PRG + CHR
    assert (found.mapper, found.prg, found.chr, found.size) == (0x41, 16384, 8192, 24576)
    assert (found.trainer, found.battery, found.nes2, found.region, found.trailing) == (False, True, False, "ntsc", 0)
    assert found.sha1 == hashlib.sha1(body).hexdigest().upper()
    assert found.md5 == hashlib.md5(body).hexdigest().upper()
    assert found.crc32 == f"{zlib.crc32(body):08X}"
    assert found.body == body
    assert found.image == image(b6=0x12, b7=0x40)


def test_the_identity_knows_neither_header_nor_trainer_nor_what_trails() -> None:
    plain = parse_cartridge(image(), "a.nes")
    for other in (image(b7=0x10), image(b9=1), image(trainer=b"T" * 512), image() + b"some tool's name" * 8):
        found = parse_cartridge(other, "b.nes")
        assert (found.sha1, found.crc32, found.md5) == (plain.sha1, plain.crc32, plain.md5)
        assert found.body == plain.body
    trained = parse_cartridge(image(trainer=b"T" * 512), "t.nes")
    assert trained.trainer
    assert len(trained.image) == 16 + 512 + 24576
    trailing = parse_cartridge(image() + b"junk", "j.nes")
    assert (trailing.trailing, trailing.image) == (4, image())
    assert parse_cartridge(image(b9=1), "p.nes").region == "pal"


def test_nes_2_headers_carry_more_bits() -> None:
    found = parse_cartridge(image(b6=0x10, b7=0x28, b8=0x51, b12=0x01), "n.nes")
    assert (found.nes2, found.mapper, found.region) == (True, 0x121, "pal")
    # Program size in exponent form: 2 to the 14th, times 1.
    top = bytearray(image())
    top[4], top[7], top[9] = 14 << 2, 0x08, 0x0F
    assert parse_cartridge(bytes(top), "e.nes").prg == 16384
    top[4], top[9] = 0, 0x01
    assert "claims 4,202,512 bytes" in refusal(bytes(top)), "256 units"


def test_names_of_old_tools_in_the_header_are_no_mapper() -> None:
    dirty = bytearray(image(b6=0x10))
    dirty[7:16] = b"DiskDude!"
    assert parse_cartridge(bytes(dirty), "d.nes").mapper == 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it.nes is empty; give it a cartridge image in the iNES or NES 2.0 format."),
        (b"Dear diary", "it.nes is no cartridge image but a text file (it does not begin with NES and 0x1A); give"),
        (b"\x7fELF\x02\x01", "it.nes is no cartridge image but something else (it does not begin with NES and 0x1A)"),
        (b"NES", "it.nes is no cartridge image but a text file"),
        (b"NES\x1a\x01\x01", "it.nes is truncated inside its header (6 of 16 bytes); give it"),
        (image()[:-1], "it.nes is truncated: its header promises 24,592 bytes and the file has 24,591; read the"),
        (image(trainer=b"T" * 512)[:24592], "it.nes is truncated: its header promises 25,104 bytes"),
        (image(prg=b""), "it.nes says it has no program (PRG count 0), so it is no playable cartridge; give it"),
        (b"FDS\x1a" + bytes(100), "it.nes is a disk image, and only cartridges are played; give it"),
        (image(b4=0xFC, b9=0x0F, b7=0x08), "it.nes claims 2"),
    ],
)
def test_what_is_no_cartridge_says_why(data: bytes, words: str) -> None:
    assert refusal(data).startswith(words)


def test_files_and_archives(tmp_path: Path) -> None:
    plain = tmp_path / "game.nes"
    plain.write_bytes(image())
    assert load_cartridge(plain).name == "game.nes"
    archive = tmp_path / "game.zip"
    archive.write_bytes(zipped(readme_txt=b"hello", game_NES=image()))
    assert load_cartridge(str(archive)) == Cartridge(
        **{name: getattr(load_cartridge(plain), name) for name in Cartridge.__slots__} | {"name": "game.zip"}
    )


def test_files_and_archives_that_cannot_be_used(tmp_path: Path) -> None:
    def sentence(data: bytes) -> str:
        file = tmp_path / "it.zip"
        file.write_bytes(data)
        with pytest.raises(RomError) as caught:
            load_cartridge(file)
        return str(caught.value)

    assert sentence(zipped(a_nes=image(), b_nes=image())) == (
        "it.zip holds 2 .nes files, and just one is expected; unpack it and name one."
    )
    assert "holds 0 .nes files" in sentence(zipped(a_txt=b"x"))
    bomb = zipped(a_nes=bytes(64 * 1024 * 1024))
    assert len(bomb) < SIZE_LIMIT
    tracemalloc.start()
    try:
        assert "unpacks to more than 4,194,304 bytes" in sentence(bomb)
        assert tracemalloc.get_traced_memory()[1] < 4 * SIZE_LIMIT, "it is never unpacked whole"
    finally:
        tracemalloc.stop()
    whole = zipped(a_nes=image())
    assert "cannot be unpacked" in sentence(whole[:200])
    assert "cannot be unpacked" in sentence(whole[:60] + bytes(60) + whole[120:])
    encrypted = bytearray(whole)
    encrypted[6] |= 1
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    assert "cannot be unpacked" in sentence(bytes(encrypted))
    assert "is larger than 4,194,304 bytes" in sentence(bytes(SIZE_LIMIT + 1))
    with pytest.raises(RomError, match=r"There is no file .*missing\.nes; check the path of the cartridge image\."):
        load_cartridge(tmp_path / "missing.nes")
    with pytest.raises(RomError, match="is a folder; name the cartridge file inside it"):
        load_cartridge(tmp_path)
    with pytest.raises(RomError):
        load_cartridge("a\0b.nes")


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=64), st.binary(max_size=40).map(lambda tail: b"NES\x1a" + tail)))
def test_any_bytes_are_a_cartridge_or_refused(data: bytes) -> None:
    try:
        parse_cartridge(data, "it.nes")
    except RomError as error:
        sentence = str(error)
    else:
        return
    assert "\n" not in sentence


@settings(max_examples=100, deadline=None)
@given(place=st.integers(0, 15), byte=st.integers(0, 255))
def test_any_change_of_the_header_is_understood_or_refused(place: int, byte: int) -> None:
    data = bytearray(image())
    data[place] = byte
    try:
        found = parse_cartridge(bytes(data), "it.nes")
    except RomError:
        return
    assert found.size + 16 + 512 * found.trainer + found.trailing == len(data)


# Which map a cartridge belongs to.

BODY_SHA1 = hashlib.sha1(PRG + CHR).hexdigest().upper()


def test_a_listed_cartridge_has_its_map_with_its_overrides() -> None:
    cartridge = parse_cartridge(image(), "it.nes")
    maps = [parse_map(TOY.replace("2" * 40, BODY_SHA1.lower()), "toy"), load_map("nes_tetris_usa")]
    found = map_for(cartridge, maps)
    assert (found.name, found.sha1) == ("toy", BODY_SHA1)
    assert found.timing["das_initial"] == 12


def test_a_look_alike_is_refused_by_name() -> None:
    cartridge = parse_cartridge(image(), "it.nes")
    maps = [load_map("nes_tetris_usa"), parse_map(TOY.replace("3" * 40, BODY_SHA1), "toy")]
    with pytest.raises(RomError) as caught:
        map_for(cartridge, maps)
    assert str(caught.value) == (
        'This is Toy for another console: it only looks alike; "emubot maps list" has what is known.'
    )


def test_an_unknown_cartridge_is_refused_with_its_hash_and_the_way_on() -> None:
    cartridge = parse_cartridge(image(b6=0x10), "it.nes")
    with pytest.raises(RomError) as caught:
        map_for(cartridge)
    sentence = str(caught.value)
    assert sentence.startswith(f"it.nes is not known (mapper 1, SHA-1 {BODY_SHA1}): ")
    for way in ("emubot maps discover", "docs/maps.md", "emubot maps list", "--map NAME forces"):
        assert way in sentence
    assert len(textwrap.wrap(f"emubot: {sentence}", 80)) <= 3


@pytest.mark.parametrize("digest", ["FD9079CB5E8479EB06D93C2AE5175BFCE871746A", "1394f57e", "simulated:nes_tetris_usa"])
def test_bridges_that_see_no_file_have_other_ways_to_say_what_runs(digest: str) -> None:
    assert map_for_identity(digest).name == "nes_tetris_usa"


def test_what_a_bridge_says_may_be_refused() -> None:
    with pytest.raises(MapError, match="This emulator does not tell which cartridge it runs; name the map with --map"):
        map_for_identity(None)
    with pytest.raises(MapError, match=r"No map knows the cartridge 12345678: --map NAME forces .*docs/maps\.md"):
        map_for_identity("12345678")
    assert map_for_identity("343C7BB0").name == "tengen_tetris", "another map refuses it, and its own one knows it"
    with pytest.raises(RomError, match=r"This is Tetris \(Japan\) by Bullet-Proof Software, revision 0: it is another"):
        map_for_identity("0115EAF0")


@pytest.mark.parametrize("publisher", ["Tengen", "revision 0", "revision 1", "revision 2", "Europe"])
def test_the_shipped_map_refuses_the_other_cartridges_of_that_name(publisher: str) -> None:
    refused = [alike for alike in load_map("nes_tetris_usa").refuses if publisher in alike.title]
    assert len(refused) == 1
    assert refused[0].reason


@pytest.mark.parametrize("name", demos.IMAGES)
def test_a_cartridge_is_told_by_the_crc32_of_its_file_under_any_plain_header(name: str) -> None:
    cartridge = load_cartridge(demos.image(name))
    for flags in (cartridge.image[6] ^ 1, 0x10):
        header = bytearray(cartridge.image[:16])
        header[6] = flags
        whole = f"{zlib.crc32(bytes(header) + cartridge.body):08X}"
        assert cartridge.crc32 in crc32s_of_body(whole)
        assert map_for_identity(f"file:{whole}").name == map_for(cartridge).name
    other = f"{zlib.crc32(cartridge.image) ^ 1:08X}"
    assert cartridge.crc32 not in crc32s_of_body(other)
    with pytest.raises(MapError, match=f"No map knows the cartridge file:{other}"):
        map_for_identity(f"file:{other}")
