"""Finds and loads maps by name, path or cartridge; the only part of the package that looks at folders."""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.datafiles import find, shipped, user_config
from emubot.errors import MapError, RomError
from emubot.rammap.ram_map import RamMap
from emubot.rammap.strict_yaml import MapSource, parse_source, read_source
from emubot.rammap.validate import all_errors, checked, without_unknown
from emubot.text import did_you_mean, printable

if TYPE_CHECKING:
    from emubot.cartridge import Cartridge


FOLDER: Final = "ram_maps"
SUFFIX: Final = ".yaml"
_OWN: Final = (
    '"emubot play --rom FILE --discover" finds out how it works, or force a map with --map NAME ("emubot maps list").'
)
_REMEMBERED: Final = 16  # maps
SIMULATED: Final = "simulated:"  # a simulator's identity is this prefix and the name of its map


def load_map(name_or_path: str | Path) -> RamMap:
    """Returns a map by path (ending in .yaml) or by name, from the user's own folder first, then the shipped one.

    Raises MapError if there is no such map or it is not valid.
    """
    candidates = find(FOLDER, str(name_or_path), SUFFIX)
    for candidate in candidates:
        if candidate.exists() or len(candidates) == 1:
            return _validated(read_source(candidate), candidate)
    name, known = str(name_or_path), map_names()
    raise MapError(
        f"There is no address map {name!r}{did_you_mean(name, known)}; known are {', '.join(known)}, "
        f"or name a {SUFFIX} file."
    )


def map_errors(name_or_path: str | Path) -> list[str]:
    """Returns every error of a map file, in the order of the file; none if there is no such file or it is no YAML."""
    file = next((path for path in find(FOLDER, str(name_or_path), SUFFIX) if path.exists()), None)
    try:
        return [] if file is None else [str(error) for error in all_errors(read_source(file))]
    except MapError:
        return []


def map_without_unknown(name_or_path: str | Path) -> RamMap:
    """Returns a map as `load_map` does, and leaves out keys that are unknown, for `maps check` to look further."""
    file = next((path for path in find(FOLDER, str(name_or_path), SUFFIX) if path.exists()), None)
    source = None if file is None else read_source(file)
    known = None if source is None else without_unknown(source)
    if file is None or source is None or known is None:
        return load_map(name_or_path)
    return RamMap(file.stem, file, *known, text=source.text)


def map_named(name: str) -> RamMap:
    """Returns a known map by its bare name. It opens no path, so names from files are safe. Raises MapError."""
    if name not in map_names():
        raise MapError(f"There is no address map {printable(name)!r}; known are {', '.join(map_names())}.")
    return load_map(name)


def parse_map(text: str, name: str) -> RamMap:
    """Returns a map from YAML text; `name` becomes its name and appears in messages."""
    return _validated(parse_source(text, name), Path(name))


def all_maps() -> list[RamMap]:
    """Returns every known map, the user's and the shipped ones, sorted by name."""
    return [load_map(name) for name in map_names()]


def valid_maps() -> list[RamMap]:
    """Returns every known map that is valid, sorted by name."""
    found = []
    for name in map_names():
        with suppress(MapError):
            found.append(load_map(name))
    return found


def map_for(cartridge: Cartridge, maps: Sequence[RamMap] | None = None) -> RamMap:
    """Returns the map that lists the cartridge's SHA-1, with that cartridge's overrides.

    Raises RomError, with the reason, if a map refuses the cartridge as a look-alike, or if no map lists it.
    """
    known = all_maps() if maps is None else maps
    ram_map = _listing(known, {cartridge.sha1})
    if ram_map is None:
        _refuse(known, {cartridge.sha1})
        raise RomError(f"{cartridge.name} is not known (mapper {cartridge.mapper}, SHA-1 {cartridge.sha1}): {_OWN}")
    return ram_map


def map_for_identity(identity: str | None, maps: Sequence[RamMap] | None = None) -> RamMap:
    """Returns the map for what a bridge reports as running: a hash, or `simulated:NAME`.

    The hash is a SHA-1, MD5 or CRC32 of PRG+CHR, or `file:` and the CRC32 of a whole file, header included.

    Raises MapError if the bridge cannot tell (None) or no map lists the hash, and RomError if a map refuses the
    cartridge as a look-alike.
    """
    if identity is None:
        raise MapError("This emulator does not tell which cartridge it runs; name the map with --map NAME.")
    if identity.startswith(SIMULATED):
        return load_map(identity.removeprefix(SIMULATED))
    from emubot.cartridge import OF_A_FILE, crc32s_of_body

    known = all_maps() if maps is None else maps
    whole = identity.removeprefix(OF_A_FILE) if identity.startswith(OF_A_FILE) else None
    digests = {identity.upper()} if whole is None else crc32s_of_body(whole)
    ram_map = _listing(known, digests)
    if ram_map is None:
        _refuse(known, digests)
        raise MapError(f"No map knows the cartridge {identity}: {_OWN}")
    return ram_map


def map_listing(cartridge: Cartridge) -> RamMap | None:
    """Returns the known map that lists the cartridge, with its overrides; None if none does."""
    return _listing(all_maps(), {cartridge.sha1})


def _listing(maps: Sequence[RamMap], digests: Set[str]) -> RamMap | None:
    """Returns the map that lists one of these hashes, or None."""
    for ram_map in maps:
        for identity in ram_map.identities:
            if not digests.isdisjoint(identity.digests):
                return ram_map.for_identity(identity.sha1)
    return None


def _refuse(maps: Sequence[RamMap], digests: Set[str]) -> None:
    """Raise RomError if a map refuses the cartridge as a look-alike."""
    for ram_map in maps:
        for alike in ram_map.refuses:
            if not digests.isdisjoint(alike.digests):
                raise RomError(f'This is {alike.title}: {alike.reason}; "emubot maps list" has what is known.')


def map_names() -> list[str]:
    """Returns the names of all known maps, the user's and the shipped ones, sorted."""
    folders = (user_config(FOLDER), shipped(FOLDER))
    return sorted({file.stem for folder in folders if folder.is_dir() for file in folder.glob(f"*{SUFFIX}")})


def _validated(source: MapSource, path: Path) -> RamMap:
    return _known(source.text, source.file, path)


@lru_cache(_REMEMBERED)
def _known(text: str, file: str, path: Path) -> RamMap:
    """Returns the map of a text; what it has made, its readers for one, serves whoever reads the same text again."""
    source = parse_source(text, file)
    return RamMap(path.stem, path, checked(source), source.data, text=text)
