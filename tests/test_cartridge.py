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
from emubot.rammap import all_maps, load_map, map_for, map_for_identity, parse_map
from emubot.session.cartridges import as_listed
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
            archive.writestr(name if "." in name else name.replace("_", "."), data)
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
    exponent = parse_cartridge(bytes(top), "e.nes")
    assert (exponent.prg, exponent.remark) == (16384, "")
    assert exponent.image == image(b7=0x08), "cores do not know the exponent: they get the count"
    top[4], top[9] = 0, 0x01
    assert "claims 4,202,512 bytes" in refusal(bytes(top)), "256 units"


def test_names_of_old_tools_in_the_header_are_no_mapper() -> None:
    for text in (b"DiskDude!", b"D", b"\x0dabc", b"\x00\x00\x00\x00\x00astr"):
        dirty = bytearray(image(b6=0x10))
        dirty[7 : 7 + len(text)] = text
        found = parse_cartridge(bytes(dirty), "d.nes")
        assert (found.mapper, found.region) == (1, "ntsc"), text
        assert found.image == image(b6=0x10), "an emulator gets a clean header"
        assert found.remark == (
            "d.nes: an old tool left other bytes from byte 7 of its header on; it is played with mapper 1, "
            "and the file stays as it is."
        )
    assert parse_cartridge(image(b6=0x10, b7=0x40), "c.nes").remark == ""


@pytest.mark.parametrize("nes2", [0x00, 0x08])
def test_a_known_cartridges_header_is_mended(nes2: int) -> None:
    right = parse_cartridge(image(b7=nes2), "r.nes")
    assert right.mended(mapper=0, prg=16384, mirroring="horizontal", region="ntsc") is right
    assert right.mended() is right
    pal = {"b12": 1} if nes2 else {"b9": 1}
    wrong = parse_cartridge(image(PRG, CHR, b"", b6=0x71, b7=0xA0 | nes2, **pal), "w.nes")
    found = wrong.mended(mapper=0, mirroring="horizontal", region="ntsc")
    assert (found.image, found.mapper, found.region) == (image(b7=nes2), 0, "ntsc")
    assert found.sha1 == wrong.sha1 == right.sha1
    assert found.remark == (
        "w.nes: its header says mapper 167 and mirroring vertical and region pal, but this cartridge has mapper 0 and "
        "mirroring horizontal and region ntsc: it is played so, and the file stays as it is."
    )
    european = right.mended(region="pal")
    assert (european.region, parse_cartridge(european.image, "e.nes").region) == ("pal", "pal")
    assert bool(european.remark) is bool(nes2), "a header of iNES that says nothing is not wrong"
    assert right.mended(mirroring="four-screen").image[6] == 0x08
    for mapper, said in ((300, nes2), (5000, False), (70000, False)):
        large = right.mended(mapper=mapper)
        assert large.mapper == (mapper if said else 0)
        assert said or large.image == right.image
        assert said or large.remark == (
            f"r.nes: this cartridge has mapper {mapper}, which its header cannot say: it is played with mapper 0."
        )


def test_what_is_prg_and_what_is_character_rom_is_mended() -> None:
    wrong = parse_cartridge(image(chr_=CHR * 4), "w.nes").mended(prg=2 * 16384)
    assert (wrong.prg, wrong.chr, wrong.image[4], wrong.image[5]) == (32768, 16384, 2, 2)
    assert "PRG bytes 16384, but this cartridge has PRG bytes 32768" in wrong.remark


@pytest.mark.parametrize("nes2", [0x00, 0x08])
@pytest.mark.parametrize("prg", [-16384, 0, 1, 20000, 32768, 1 << 30])
def test_a_prg_that_the_cartridge_cannot_have_is_refused(nes2: int, prg: int) -> None:
    with pytest.raises(RomError, match=f"cannot have {prg:,} bytes of PRG, as its map says: it has 24,576 bytes"):
        parse_cartridge(image(b7=nes2), "it.nes").mended(prg=prg)


def test_no_header_promises_other_bytes_than_there_are() -> None:
    large = parse_cartridge(image(PRG * 150, CHR), "l.nes")
    kept = large.mended(prg=16384)  # 299 banks of CHR are more than a header of iNES can say
    assert (kept.image, kept.prg) == (large.image, large.prg)
    assert "has PRG bytes 16384, which its header cannot say: it is played with PRG bytes 2457600." in kept.remark


@pytest.mark.parametrize("name", demos.IMAGES)
def test_the_demos_have_the_headers_that_their_maps_list(name: str) -> None:
    cartridge = load_cartridge(demos.image(name))
    assert as_listed(cartridge, map_for(cartridge)) is cartridge
    vertical = parse_cartridge(cartridge.image[:6] + b"\x11" + cartridge.image[7:], "v.nes")
    assert as_listed(vertical, map_for(vertical)).image == cartridge.image
    assert as_listed(vertical, load_map("tengen_tetris")) is vertical, "only a map that lists it can tell"


def test_releases_are_for_the_console_of_their_region() -> None:
    regions = {image.title: image.region for ram_map in all_maps() for image in ram_map.identities}
    assert {title for title, region in regions.items() if region == "pal"} == {"Tetris (Europe), Nintendo"}
    assert regions["Tetris (USA), Nintendo"] == "ntsc"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it.nes is empty; give it a cartridge image in the iNES or NES 2.0 format."),
        (b"Dear diary", "it.nes is not a cartridge image but a text file (it does not begin with NES and 0x1A); give"),
        (
            b"\x7fELF\x02\x01",
            "it.nes is not a cartridge image but something else (it does not begin with NES and 0x1A)",
        ),
        (b"NES", "it.nes is not a cartridge image but a text file"),
        (b"NES\x1a\x01\x01", "it.nes is truncated inside its header (6 of 16 bytes); give it"),
        (image()[:-1], "it.nes is truncated: its header promises 24,592 bytes and the file has 24,591; read the"),
        (image(trainer=b"T" * 512)[:24592], "it.nes is truncated: its header promises 25,104 bytes"),
        (image(prg=b""), "it.nes says it has no program (PRG count 0), so it is not a playable cartridge; give it"),
        (b"FDS\x1a" + bytes(100), "it.nes is not a cartridge image but a disk image: only cartridges are played."),
        (
            b"\x1f\x8b\x08" + bytes(20),
            "it.nes is not a cartridge image but a gzip archive: unpack it and name the file",
        ),
        (b"7z\xbc\xaf\x27\x1c" + bytes(9), "it.nes is not a cartridge image but a 7z archive: unpack it"),
        (b"Rar!\x1a\x07\x00" + bytes(9), "it.nes is not a cartridge image but a RAR archive: unpack it"),
        (b"UNIF" + bytes(40), "it.nes is not a cartridge image but a cartridge in the old format UNIF: convert it"),
        (b"NESM\x1a\x01", "it.nes is not a cartridge image but music (NSF): name the cartridge itself."),
        (b"FCSX" + bytes(40), "it.nes is not a cartridge image but a save state: name the cartridge, or the movie or"),
        (b"version 3\n", 'it.nes is not a cartridge image but a movie (FM2): take "emubot review" for it.'),
        (b"PATCH\x00", "it.nes is not a cartridge image but a patch: apply it to its cartridge first."),
        (
            image(prg=PRG[:8192], b4=13 << 2, b7=0x08, b9=0x0F),
            "it.nes has 8,192 bytes of PRG and 8,192 of CHR, and emulator cores",
        ),
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


def test_what_a_mac_packs_beside_a_cartridge_is_no_cartridge(tmp_path: Path) -> None:
    archive = tmp_path / "mac.zip"
    beside = {"__MACOSX/roms/._A.NES": b"\0\5\x16\7", "roms/._A.NES": b"\0\5\x16\7", "__MACOSX/x.nes": b""}
    archive.write_bytes(zipped(**{"roms/A.NES": image(), **beside}))
    assert load_cartridge(archive).body == PRG + CHR
    archive.write_bytes(zipped(**{"deep\\er\\A.NeS": image()}))
    assert load_cartridge(archive).body == PRG + CHR, "folders of old archivers"


def test_files_and_archives_that_cannot_be_used(tmp_path: Path) -> None:
    def sentence(data: bytes) -> str:
        file = tmp_path / "it.zip"
        file.write_bytes(data)
        with pytest.raises(RomError) as caught:
            load_cartridge(file)
        return str(caught.value)

    assert sentence(zipped(a_nes=image(), b_nes=image())) == (
        "it.zip holds 2 .nes files (a.nes, b.nes), and just one is expected; unpack it and name one."
    )
    assert "holds 0 .nes files, and just one is expected" in sentence(zipped(a_txt=b"x"))
    assert "holds 9 .nes files (a0.nes, a1.nes, a2.nes, a3.nes, a4.nes, ...)" in sentence(
        zipped(**{f"a{number}_nes": b"" for number in range(9)})
    )
    assert sentence(zipped(**{"Input Log.txt": b"", "Header.txt": b""})) == (
        'it.zip is not a cartridge image but a movie of BizHawk (.bk2): take "emubot review" for it.'
    )
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
    for way in ("emubot play --rom FILE --discover", "emubot maps list", "--map NAME"):
        assert way in sentence
    assert len(textwrap.wrap(f"emubot: {sentence}", 80)) <= 3


@pytest.mark.parametrize("digest", ["FD9079CB5E8479EB06D93C2AE5175BFCE871746A", "1394f57e", "simulated:nes_tetris_usa"])
def test_bridges_that_see_no_file_have_other_ways_to_say_what_runs(digest: str) -> None:
    assert map_for_identity(digest).name == "nes_tetris_usa"


def test_what_a_bridge_says_may_be_refused() -> None:
    with pytest.raises(MapError, match="This emulator does not tell which cartridge it runs; name the map with --map"):
        map_for_identity(None)
    with pytest.raises(MapError, match=r"No map knows the cartridge 12345678: .*--discover.*--map NAME"):
        map_for_identity("12345678")
    assert map_for_identity("343C7BB0").name == "tengen_tetris", "another map refuses it, and its own one knows it"
    with pytest.raises(RomError, match=r"This is Tetris \(Japan\) by Bullet-Proof Software, revision 0: it is another"):
        map_for_identity("0115EAF0")


@pytest.mark.parametrize("publisher", ["Tengen", "revision 0", "revision 1", "revision 2", "Europe"])
def test_the_shipped_map_refuses_the_other_cartridges_of_that_name(publisher: str) -> None:
    refused = [alike for alike in load_map("nes_tetris_usa").refuses if publisher in alike.title]
    assert len(refused) == 1
    assert refused[0].reason


@pytest.mark.few(1)
@pytest.mark.parametrize("name", demos.IMAGES)
def test_a_cartridge_is_told_by_the_crc32_of_its_file_under_any_usual_header(name: str) -> None:
    cartridge = load_cartridge(demos.image(name))
    for flags, text in ((cartridge.image[6] ^ 1, b""), (0x10, b""), (0x31, b"\xa0"), (0x10, b"D"), (1, b"DiskDude!")):
        header = bytearray(cartridge.image[:16])
        header[6] = flags
        header[7 : 7 + len(text)] = text
        whole = f"{zlib.crc32(bytes(header) + cartridge.body):08X}"
        assert cartridge.crc32 in crc32s_of_body(whole)
        assert map_for_identity(f"file:{whole}").name == map_for(cartridge).name
    other = f"{zlib.crc32(cartridge.image) ^ 1:08X}"
    assert cartridge.crc32 not in crc32s_of_body(other)
    with pytest.raises(MapError, match=f"No map knows the cartridge file:{other}"):
        map_for_identity(f"file:{other}")
