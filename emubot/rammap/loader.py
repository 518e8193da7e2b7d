"""Finding and loading maps: by name, by path, by cartridge; the only part of the package that looks at folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from emubot.cartridge import Cartridge
from emubot.datafiles import find, shipped, user_config
from emubot.errors import MapError, RomError
from emubot.rammap.checks import problems
from emubot.rammap.fields import UNKNOWN_KEY
from emubot.rammap.ram_map import RamMap
from emubot.rammap.schema import Document
from emubot.rammap.strict_yaml import KeyPath, Source, parse_source, read_source

FOLDER: Final = "ram_maps"
SUFFIX: Final = ".yaml"

_EXPECTED = {
    "model_type": "a mapping",
    "dict_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "string_type": "text",
    "bool_type": "true or false",
}


def load_map(name_or_path: str | Path) -> RamMap:
    """A map by path (ending in .yaml), or by name from the user's own folder, then the shipped one; else MapError."""
    candidates = find(FOLDER, str(name_or_path), SUFFIX)
    for candidate in candidates:
        if candidate.exists() or len(candidates) == 1:
            return _validated(read_source(candidate), candidate)
    known = ", ".join(_names())
    raise MapError(f"There is no address map {str(name_or_path)!r}; known are {known}, or name a {SUFFIX} file.")


def parse_map(text: str, name: str) -> RamMap:
    """A map from YAML text; `name` becomes its name and stands in messages."""
    return _validated(parse_source(text, name), Path(name))


def all_maps() -> list[RamMap]:
    """Every known map, the user's and the shipped ones, sorted by name."""
    return [load_map(name) for name in _names()]


def map_for(cartridge: Cartridge, maps: Sequence[RamMap] | None = None) -> RamMap:
    """The map that lists the cartridge's SHA-1, with that cartridge's overrides.

    RomError for a look-alike that a map refuses, saying why, and for a cartridge that no map knows.
    """
    known = all_maps() if maps is None else maps
    for ram_map in known:
        if any(identity.sha1 == cartridge.sha1 for identity in ram_map.identities):
            return ram_map.for_identity(cartridge.sha1)
    titles = "; ".join(f"{identity.title} (SHA-1 {identity.sha1})" for m in known for identity in m.identities)
    for ram_map in known:
        for alike in ram_map.refuses:
            if alike.sha1 == cartridge.sha1:
                raise RomError(f"This is {alike.title}: {alike.reason}; cartridges that can be played: {titles}.")
    raise RomError(
        f"{cartridge.name} is not known: {cartridge.size:,} bytes of PRG and CHR, mapper {cartridge.mapper}, "
        f"SHA-1 {cartridge.sha1}; known are {titles or 'none'}; if its memory is laid out like one of these, "
        f"--map NAME forces that map ({', '.join(m.name for m in known)})."
    )


def _names() -> list[str]:
    folders = (user_config(FOLDER), shipped(FOLDER))
    return sorted({file.stem for folder in folders if folder.is_dir() for file in folder.glob(f"*{SUFFIX}")})


def _validated(source: Source, path: Path) -> RamMap:
    try:
        document = Document.model_validate(source.data)
    except ValidationError as error:
        raise _first_error(source, error) from None
    found = list(problems(document))
    if found:
        key_path, text = found[0]
        raise source.error(key_path, text + _more(len(found)))
    return RamMap(path.stem, path, document)


def _more(count: int) -> str:
    return f" (the first of {count} errors)" if count > 1 else ""


def _first_error(source: Source, error: ValidationError) -> MapError:
    """Pydantic's first complaint as one sentence at the key it is about."""
    details = error.errors(include_url=False)
    first = details[0]
    path = _written_path(source.data, first["loc"])
    context: Mapping[str, Any] = first.get("ctx", {})
    if first["type"] == UNKNOWN_KEY:
        path = (*path, context["key"])
    if first["type"] == "missing":
        text = f"the key `{first['loc'][-1]}` is missing"
    elif first["type"].startswith("emubot"):
        text = first["msg"]
    else:
        allowed = _EXPECTED.get(first["type"]) or context.get("expected") or first["msg"]
        text = f"found {first['input']!r}, allowed is {allowed}"
    return source.error(path, text + _more(len(details)))


def _written_path(data: Any, location: Sequence[str | int]) -> KeyPath:
    """The part of pydantic's location that stands in the file; short forms are expanded on the way in."""
    path: KeyPath = ()
    for part in location:
        if isinstance(data, dict) and part in data:
            data = data[str(part)]
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            continue
        path = (*path, part)
    return path
