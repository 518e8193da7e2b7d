"""Writes a RamMap as a map file, with its author's comments and the evidence of each learnt value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from emubot.atomic import write_whole
from emubot.rammap.comments import Comments, comments_of
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
    """Returns the text of a map file that parses to the same data; it has all comments of the map's own text."""
    writer = _Writer(comments_of(ram_map.text, ram_map.data), evidence)
    return "\n".join([*_remarks(header.splitlines(), ""), *writer.mapping(ram_map.data, ())]) + "\n"


class _Writer:
    """Writes data as YAML lines, with comments and evidence."""

    def __init__(self, comments: Comments, evidence: Mapping[str, str]) -> None:
        self._comments, self._evidence = comments, evidence

    def mapping(self, data: Mapping[str, Any], path: KeyPath) -> Iterator[str]:
        """Yields the lines of a mapping; after those of the whole document the comments that follow it."""
        indent = _INDENT * len(path)
        for key, value in data.items():
            here = (*path, key)
            flow = _flow(value)
            short = len(indent) + len(key) + len(flow) <= _WIDTH
            whole = not isinstance(value, Mapping | list) or not value or (short and path and not self._beneath(here))
            yield from _remarks(self._comments.over(here, bool(whole)), indent)
            if whole:
                yield f"{indent}{key}: {flow}{self._beside(here)}"
            elif isinstance(value, Mapping):
                yield f"{indent}{key}:{self._beside(here)}"
                yield from self.mapping(value, here)
            else:
                yield f"{indent}{key}:{self._beside(here)}"
                for number, item in enumerate(value):
                    yield from self._item(item, (*here, number), indent + _INDENT)
        if not path:
            yield from _remarks(self._comments.below, "")

    def _item(self, item: Any, path: KeyPath, indent: str) -> Iterator[str]:
        """Yields the lines of a list's entry; a long mapping, or one with comments inside, takes several lines."""
        flow = _flow(item)
        short = len(indent) + len(flow) <= _WIDTH and not self._comments.beneath(path)
        whole = short or not isinstance(item, Mapping) or not item
        yield from _remarks(self._comments.over(path, whole), indent)
        if whole:
            yield f"{indent}- {flow}{self._beside(path)}"
            return
        yield from _remarks([self._comments.beside[path]] if path in self._comments.beside else [], indent)
        for number, (key, value) in enumerate(item.items()):
            here = (*path, key)
            # Above the first key there is the mark of the entry.
            yield from _remarks(self._comments.over(here, whole=True), indent + _INDENT if number else indent)
            yield f"{indent}{_INDENT if number else '- '}{key}: {_flow(value)}{self._beside(here)}"

    def _beneath(self, path: KeyPath) -> bool:
        evident = any(name.startswith(f"{dotted(path)}.") for name in self._evidence)
        return evident or self._comments.beneath(path)

    def _beside(self, path: KeyPath) -> str:
        """Returns the comment beside a key: the author's, then the evidence."""
        remarks = (self._comments.beside.get(path, ""), " ".join(self._evidence.get(dotted(path), "").split()))
        return f"  # {'; '.join(filter(None, remarks))}" if any(remarks) else ""


def _remarks(lines: Sequence[str], indent: str) -> list[str]:
    return [f"{indent}# {line}".rstrip() for line in lines]


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
