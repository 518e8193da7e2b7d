"""Replaces parts of a map's plain data: by a cartridge's overrides, or by what was learnt; reads no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from emubot.rammap.layout import Orientation
from emubot.rammap.strict_yaml import Hex

Data = Mapping[str, Any]


def overridden(data: Data, number: int) -> dict[str, Any]:
    """Returns the data with the overrides of identity `number` applied; the identity then has none."""
    identity = dict(data["identities"][number])
    overrides = {key: identity.pop(key, {}) for key in ("timing", "rules", "codes", "asked")}
    identities = [*data["identities"]]
    identities[number] = identity
    kinds = dict(overrides["codes"].get("kinds", {}))
    if "empty" in overrides["codes"]:
        kinds["empty"] = overrides["codes"]["empty"]
    changed = _with_settings({**data, "identities": identities}, overrides["rules"], overrides["timing"])
    if overrides["asked"]:
        changed["menu"] = {**data["menu"], "asked": {**data["menu"]["asked"], **overrides["asked"]}}
    return {**changed, "grid": _with_cell(changed["grid"], _with_codes(changed["grid"]["cell"], kinds))}


def learnt(
    data: Data,
    mask: int | None,
    codes: Mapping[str, Sequence[int]],
    piece_codes: Mapping[str, Sequence[int]],
    pieces: Sequence[Orientation],
    rules: Mapping[str, Any],
    timing: Mapping[str, Any],
    values: Mapping[str, Any],
) -> dict[str, Any]:
    """Returns the data with what was learnt in place of what was open; what is not given stays as it was."""
    changed = _with_settings(data, rules, timing)
    changed["values"] = {**changed["values"], **values}
    cell = changed["grid"]["cell"]
    if mask is not None:
        cell = {**_masked(cell, mask), "mask": Hex(mask)}
    cell = _with_codes(cell, {name: _hex(codes_of_kind) for name, codes_of_kind in codes.items()})
    changed["grid"] = _with_cell(changed["grid"], cell)
    if piece_codes:
        known = changed.get("piece_codes", {})
        known = {} if known == "learn" else known
        changed["piece_codes"] = {**known, **{name: _hex(codes_of_kind) for name, codes_of_kind in piece_codes.items()}}
    if pieces:
        changed["pieces"] = [_written(orientation) for orientation in pieces]
    return changed


def _written(orientation: Orientation) -> dict[str, Any]:
    """Returns an orientation as a map writes it: a turn that moves no part is an id alone."""
    data = orientation.model_dump(mode="json", exclude_defaults=True)
    for key, turn in (("clockwise", orientation.clockwise), ("counterclockwise", orientation.counterclockwise)):
        data[key] = data[key] if turn.cycle else turn.to
    return data


def with_screen(data: Data, screen: tuple[int, int, int, int]) -> dict[str, Any]:
    """Returns the data with the place of the one player's playfield in the picture."""
    return {**data, "grid": {**data["grid"], "screen": {"at": [[*screen[:2]]], "cell": [*screen[2:]]}}}


def only_for(data: Data, title: str | None, sha1: str | None) -> dict[str, Any]:
    """Returns the data for this cartridge alone, with its entry if the map has one; for none if `sha1` is None."""
    rest = {key: value for key, value in data.items() if key != "identities"}
    if sha1 is None:
        return rest
    known = [entry for entry in data.get("identities", ()) if str(entry["sha1"]).upper() == sha1.upper()]
    return {**rest, "identities": known or [{"title": title or data["title"], "sha1": sha1.upper()}]}


def _with_settings(data: Data, rules: Mapping[str, Any], timing: Mapping[str, Any]) -> dict[str, Any]:
    changed = dict(data)
    for key, settings in (("rules", rules), ("timing", timing)):
        if settings:
            own = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
            changed[key] = {**data.get(key, {}), **own}
    return changed


def _with_cell(grid: Data, cell: Data) -> dict[str, Any]:
    return {**grid, "cell": cell}


def _with_codes(cell: Data, codes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a cell whose `empty` and kinds have these codes, in the forms that a map uses."""
    kinds = {name: _recoded(entry, codes[name]) if name in codes else entry for name, entry in cell["kinds"].items()}
    unknown = codes.keys() - {*kinds, "empty"}
    changed = {**cell, "kinds": {**kinds, **{name: codes[name] for name in codes if name in unknown}}}
    return changed | ({"empty": codes["empty"]} if "empty" in codes else {})


def _recoded(entry: Any, codes: Any) -> Any:
    return {**entry, "codes": codes} if isinstance(entry, dict) and "codes" in entry else codes


def _masked(cell: Data, mask: int) -> dict[str, Any]:
    """Returns a cell whose codes, whole words until now, are reduced to the bits of the mask."""
    own = mask >> cell.get("shift", 0)
    kinds = {name: _recoded(entry, _masked_codes(entry, own)) for name, entry in cell["kinds"].items()}
    return {**cell, "empty": _masked_codes(cell["empty"], own), "kinds": kinds}


def _masked_codes(entry: Any, mask: int) -> Any:
    codes = entry["codes"] if isinstance(entry, dict) and "codes" in entry else entry
    if codes == "learn":
        return codes
    spans = codes if isinstance(codes, list) else [codes]
    words: set[int] = set()
    for span in spans:
        words |= {*range(span["from"], span["to"] + 1)} if isinstance(span, dict) else {int(span)}
    return _hex(sorted({word & mask for word in words}))


def _hex(codes: Sequence[int]) -> Any:
    """Returns codes as a map writes them: one alone, several as a list, none as `learn`."""
    written = [Hex(code) for code in codes]
    return "learn" if not written else written[0] if len(written) == 1 else written
