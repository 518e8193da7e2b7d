"""Writes a RamMap as a map file, each learnt value with its evidence; does not know how it was learnt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from emubot.atomic import write_whole
from emubot.rammap.ram_map import RamMap
from emubot.rammap.strict_yaml import Hex, KeyPath, dotted, parse_source
from emubot.rammap.validate import checked

_WIDTH: Final = 110  # most columns of a line in flow style
_INDENT: Final = "  "
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]*( [A-Za-z0-9_.+()-]+)*")
_NOT_TEXT: Final = {"true", "false", "null"}


def write_map(ram_map: RamMap, path: Path, evidence: Mapping[str, str], header: str = "") -> None:
    """Write a map file whole or not at all; `evidence` is a remark per key (`grid.cell.kinds.color_1`).

    The text is parsed and checked before it is written. Raises StorageError if it cannot be written.
    """
    text = map_text(ram_map, evidence, header)
    checked(parse_source(text, str(path)))
    write_whole(path, text.encode("utf-8"))


def map_text(ram_map: RamMap, evidence: Mapping[str, str], header: str = "") -> str:
    """Returns the text of a map file that parses to the same data."""
    remarks = [f"# {line}".rstrip() for line in header.splitlines()]
    return "\n".join([*remarks, *_mapping(ram_map.data, (), evidence)]) + "\n"


def _mapping(data: Mapping[str, Any], path: KeyPath, evidence: Mapping[str, str]) -> Iterator[str]:
    indent = _INDENT * len(path)
    for key, value in data.items():
        here = (*path, key)
        flow = _flow(value)
        short = len(indent) + len(key) + len(flow) <= _WIDTH
        remark = evidence.get(dotted(here), "")
        comment = f"  # {' '.join(remark.split())}" if remark else ""
        if not isinstance(value, Mapping | list) or not value or (short and path and not _beneath(here, evidence)):
            yield f"{indent}{key}: {flow}{comment}"
        elif isinstance(value, Mapping):
            yield f"{indent}{key}:{comment}"
            yield from _mapping(value, here, evidence)
        else:
            yield f"{indent}{key}:{comment}"
            yield from (line for item in value for line in _item(item, indent + _INDENT))


def _item(item: Any, indent: str) -> Iterator[str]:
    """Yields the lines of a list's entry; a long mapping takes several lines."""
    flow = _flow(item)
    if len(indent) + len(flow) <= _WIDTH or not isinstance(item, Mapping):
        yield f"{indent}- {flow}"
        return
    marks = ["- ", *[_INDENT] * (len(item) - 1)]
    yield from (f"{indent}{mark}{key}: {_flow(value)}" for mark, (key, value) in zip(marks, item.items(), strict=True))


def _beneath(path: KeyPath, evidence: Mapping[str, str]) -> bool:
    return any(name.startswith(f"{dotted(path)}.") for name in evidence)


def _flow(node: Any) -> str:
    """Returns any node on one line."""
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in node.items()) + "}"
    if isinstance(node, list | tuple):
        return "[" + ", ".join(map(_flow, node)) + "]"
    if isinstance(node, bool):
        return str(node).lower()
    if isinstance(node, Hex):
        return repr(node)
    return str(node) if isinstance(node, int) else _text(str(node))


def _text(text: str) -> str:
    """Returns the text plain if it can only be read as itself, else in double quotes."""
    if _PLAIN.fullmatch(text) and text not in _NOT_TEXT:
        return text
    marked = re.sub(r'(["\\])', r"\\\1", text)
    return '"' + "".join(sign if sign.isprintable() else f"\\U{ord(sign):08X}" for sign in marked) + '"'
