"""Strict YAML: text to plain data and the line of every key; no tags, anchors, duplicate keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml

from emubot.errors import MapError
from emubot.files import UnsuitableFile, read_regular
from emubot.text import is_one_line, printable

SIZE_LIMIT: Final = 64 * 1024  # bytes
DEPTH_LIMIT: Final = 12
_REMEMBERED: Final = 16  # texts: one command reads the same maps several times

KeyPath = tuple[str | int, ...]

_HEX = re.compile(r"0x[0-9A-Fa-f]{1,8}")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,9})")
_WORDS = {"true": True, "false": False}
_NOTHING = {"", "~", "null"}


class Hex(int):
    """A whole number written as `0x..`. Addresses, codes and masks are written so, counts are not."""

    def __repr__(self) -> str:
        return f"0x{int(self):02X}"


@dataclass(frozen=True, slots=True)
class MapSource:
    """Plain data (dict, list, str, int, Hex, bool), the line, from 1, of every key path, and the text of both."""

    file: str
    data: Any
    lines: dict[KeyPath, int] = field(repr=False)
    text: str = field(default="", repr=False)

    def error(self, path: KeyPath, text: str) -> MapError:
        """Returns an error at the nearest written key of `path`: `FILE:LINE: key.path: TEXT.`"""
        return complaint(self.file, self.line(path), path, text)

    def line(self, path: KeyPath) -> int:
        """Returns the line of the nearest written key of `path`."""
        written = path
        while written and written not in self.lines:
            written = written[:-1]
        return self.lines.get(written, 1)


def complaint(file: str, line: int, path: KeyPath, text: str) -> MapError:
    """Returns an error about a map in its one form: where, which key, what was found and what is allowed."""
    where = f"{dotted(path)}: " if path else ""
    return MapError(f"{file}:{line}: {where}{text}.")


def dotted(path: KeyPath) -> str:
    """Returns a key path as people write it: `phases[3].when.x`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def read_source(file: Path) -> MapSource:
    """Read and parse a file of at most SIZE_LIMIT bytes. Raises MapError if it is unreadable or not strict YAML."""
    try:
        raw = read_regular(file, SIZE_LIMIT)
    except UnsuitableFile as error:
        raise MapError(f"{file} is not a map: {error.strerror}; name a map file, which is a short text.") from None
    except OSError as error:
        raise MapError(f"{file} cannot be read ({error.strerror}); check the path.") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise complaint(str(file), line, (), "found a byte that is not UTF-8, save the file as UTF-8 text") from None
    return parse_source(text, str(file))


@lru_cache(_REMEMBERED)
def parse_source(text: str, file: str) -> MapSource:
    """Parse YAML text, or return the cached result; `file` appears in messages. Do not change a Source's data."""
    return _Builder(text, file).build()


class _Builder:
    """Builds the data directly from the parser's events, so that nothing is ever expanded or constructed."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.lines: dict[KeyPath, int] = {}

    def build(self) -> MapSource:
        try:
            events = self._checked_events()
            first = next(events, None)
            if first is None:
                raise complaint(self.file, 1, (), "found nothing, a map begins with a key such as `title:`")
            data = self._node(events, first, ())
            next(events, None)  # the text after the document is checked too
            return MapSource(self.file, data, self.lines, self.text)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise complaint(self.file, line, (), f"this is not YAML: {error.problem or error.context}") from None
        except yaml.YAMLError as error:
            reason = str(error).splitlines()[0]
            raise complaint(self.file, 1, (), f"this is not YAML: {reason}") from None

    def _checked_events(self) -> Iterator[yaml.Event]:
        """Yields the events of one document; refuses what a map never needs before anything is built from it."""
        depth = documents = 0
        for event in yaml.parse(self.text, Loader=yaml.SafeLoader):
            line = _line(event)
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise complaint(self.file, line, (), "found a second document, one file holds one map")
            if not isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
                continue
            if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
                sign = "alias *" if isinstance(event, yaml.AliasEvent) else "anchor &"
                raise complaint(self.file, line, (), f"found the {sign}{event.anchor}, write the value out instead")
            tag = getattr(event, "tag", None)
            if tag is not None:
                raise complaint(self.file, line, (), f"found the tag {printable(tag)}, tags are not allowed")
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > DEPTH_LIMIT:
                    raise complaint(
                        self.file, line, (), f"found more than {DEPTH_LIMIT} levels, a map is not nested that deeply"
                    )
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            yield event

    def _node(self, events: Iterator[yaml.Event], event: yaml.Event, path: KeyPath) -> Any:
        self.lines.setdefault(path, _line(event))
        if isinstance(event, yaml.ScalarEvent):
            if not event.style and event.value in _NOTHING:
                line = _line(event)
                raise complaint(self.file, line, path, "found nothing, write a value or leave the key out")
            self._check_text(event, path)
            return _scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(inner := next(events), yaml.SequenceEndEvent):
                items.append(self._node(events, inner, (*path, len(items))))
            return items
        return self._mapping(events, path)

    def _mapping(self, events: Iterator[yaml.Event], path: KeyPath) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            line = _line(key)
            if not isinstance(key, yaml.ScalarEvent):
                raise complaint(self.file, line, path, "found a list or mapping as a key, keys are plain names")
            self._check_text(key, path)
            name = str(key.value)
            if name in mapping:
                first = self.lines[(*path, name)]
                raise complaint(self.file, line, (*path, name), f"this key stands twice, first in line {first}")
            self.lines[(*path, name)] = line
            mapping[name] = self._node(events, next(events), (*path, name))
        return mapping

    def _check_text(self, event: yaml.ScalarEvent, path: KeyPath) -> None:
        """Refuse control characters: double quotes can write any character, and messages show keys and values."""
        if not is_one_line(event.value):
            raise complaint(self.file, _line(event), path, "found a control character, write text of one line")


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return mark.line + 1 if mark else 1


def _scalar(event: yaml.ScalarEvent) -> Any:
    """Returns a scalar by its written form alone: `0x..`, a decimal, true, false, else text."""
    text = str(event.value)
    if event.style:
        return text
    if _HEX.fullmatch(text):
        return Hex(text, 16)
    if _DECIMAL.fullmatch(text):
        return int(text)
    return _WORDS.get(text, text)
