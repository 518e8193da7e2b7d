"""Finds the comments of a map file and the keys that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from emubot.rammap.strict_yaml import KeyPath, parse_source

_ROOT: Final[KeyPath] = ()


@dataclass(slots=True)
class Comments:
    """The comments of a file, without their `#`, by the key path that they belong to; `below` is after all keys."""

    above: dict[KeyPath, list[str]] = field(default_factory=dict)
    beside: dict[KeyPath, str] = field(default_factory=dict)
    below: list[str] = field(default_factory=list)

    def beneath(self, path: KeyPath) -> bool:
        """Returns whether a key beneath this one has a comment."""
        return any(len(other) > len(path) and other[: len(path)] == path for other in (*self.above, *self.beside))

    def over(self, path: KeyPath, whole: bool) -> list[str]:
        """Returns the comments to write above a key; with `whole` also those beneath it, in the order of the file."""
        lines = list(self.above.get(path, ()))
        if whole:
            order = dict.fromkeys((*self.above, *self.beside))
            for other in [other for other in order if len(other) > len(path) and other[: len(path)] == path]:
                lines += [*self.above.get(other, ()), *([self.beside[other]] if other in self.beside else [])]
        return lines


def comments_of(text: str, data: Any) -> Comments:
    """Returns the comments of a map's text, at the keys of `data`, which were made from those of the text.

    A comment of a key that `data` no longer has belongs above the nearest key around it.
    """
    comments = Comments()
    if not text:
        return comments
    source = parse_source(text, "the map's own text")
    for line, alone, comment in _comments(text):
        path = _next(source.lines, line) if alone else _at(source.lines, line)
        kept = _kept(path, source.data, data)
        if kept == _ROOT:
            comments.below.append(comment)
        elif not alone and kept == path and path not in comments.beside:
            comments.beside[path] = comment
        else:
            comments.above.setdefault(kept, []).append(comment)
    return comments


def _comments(text: str) -> Iterator[tuple[int, bool, str]]:
    """Yields (line from 1, whether it has nothing else, the comment) of each comment."""
    spans = [
        ((token.start_mark.line, token.start_mark.column), (token.end_mark.line, token.end_mark.column))
        for token in yaml.scan(text, Loader=yaml.SafeLoader)
        if isinstance(token, yaml.ScalarToken)
    ]
    for number, line in enumerate(text.splitlines()):
        for column, sign in enumerate(line):
            inside = any(start <= (number, column) < end for start, end in spans)
            if sign == "#" and not inside and (column == 0 or line[column - 1] in " \t"):
                yield number + 1, not line[:column].strip(), line[column + 1 :].strip()
                break


def _next(lines: Mapping[KeyPath, int], line: int) -> KeyPath:
    """Returns the outermost key path of the first line after this one that has any."""
    after = [path for path, own in lines.items() if path and own > line]
    return min(after, key=lambda path: (lines[path], len(path)), default=_ROOT)


def _at(lines: Mapping[KeyPath, int], line: int) -> KeyPath:
    """Returns the outermost key path of this line, or of the last line before it that has any."""
    before = [path for path, own in lines.items() if path and own <= line]
    return min(before, key=lambda path: (-lines[path], len(path)), default=_ROOT)


def _kept(path: KeyPath, old: Any, new: Any) -> KeyPath:
    """Returns the part of a key path that means the same thing in both data."""
    for depth, part in enumerate(path):
        if isinstance(part, int):
            same = isinstance(new, Sequence) and len(new) == len(old) and _alike(old[part], new[part])
        else:
            same = isinstance(new, Mapping) and part in new
        if not same:
            return path[:depth]
        old, new = old[part], new[part]
    return path


def _alike(old: Any, new: Any) -> bool:
    """Returns whether two items of lists are about the same thing: their first entries are equal."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return next(iter(old.items()), None) == next(iter(new.items()), None)
    return not isinstance(old, Mapping) and not isinstance(new, Mapping)
