"""JSON, YAML and TOML as trees that may say what no library writes: keys twice, numbers past all bounds; reads no file.

An object is a `Pairs`, so that a key can stand in it twice; a `Raw` is written as it is. All three are written in
JSON's own form, which YAML takes and TOML nearly.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Iterator
from typing import Any, Final

from emubot.rammap.strict_yaml import Hex, parse_source

_DEEP: Final = (2, 12, 13, 60, 900, 5000)
# What a reader of numbers, names or paths may stumble over.
NUMBERS: Final = (
    "0", "-1", "1", "255", "256", "-129", "65536", "2147483648", "-9223372036854775809", "18446744073709551616",
    "1e308", "1e999", "-1e999", "0.1", "-0.0", "1e-320", "NaN", "Infinity", "-Infinity", "nan", "inf", ".inf", ".nan",
    "0x00", "0xFF", "0x10000", "0xFFFFFFFF", "0xFFFFFFFFFFFFFFFFFFFF", "-0x01", "0x", "9" * 400, "9" * 5000,
    "1_000", "07",
)  # fmt: skip
WORDS: Final = (
    "", " ", "x", "A" * 300, "learn", "none", "null", "true", "~", "../../../etc/passwd", "/etc/hostname", "/dev/zero",
    "/dev/stdin", "C:\\x", "a/b.yaml", "..", "\x1b[2J", "\r\n", "\x00", "\u202e", "\ud800", "\U0001f600", "%s%n", "{0}",
    "__class__", "[", "puyo", "tetris", "demo_pairs", "nes_tetris_usa",
)  # fmt: skip


class Raw(str):
    """Text that is written without quotes."""


class Pairs(list[tuple[str, Any]]):
    """An object's keys and values in their order."""


def read_json(content: bytes) -> Any:
    """Raises ValueError."""
    return json.loads(content, object_pairs_hook=Pairs, parse_float=Raw, parse_constant=Raw)


def read_yaml(content: bytes) -> Any:
    """A map's data, its hexadecimal numbers as they were. Raises MapError or ValueError."""
    return _pairs(parse_source(content.decode("utf-8-sig"), "map").data)


def read_toml(content: bytes) -> Any:
    """Raises ValueError."""
    return _pairs(tomllib.loads(content.decode()))


def write_json(tree: Any) -> bytes:
    """On one line; what no UTF-8 can hold is replaced."""
    return "".join(_written(tree)).encode("utf-8", "replace")


def write_toml(tree: Any) -> bytes:
    """Tables with one key a line; other things at the top as they come."""
    lines = []
    for key, value in tree if isinstance(tree, Pairs) else Pairs([("x", tree)]):
        if isinstance(value, Pairs):
            lines.append(f"[{key}]")
            lines += [f"{name} = {''.join(_written(entry))}" for name, entry in value]
        else:
            lines.insert(0, f"{key} = {''.join(_written(value))}")
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def _pairs(data: Any) -> Any:
    if isinstance(data, dict):
        return Pairs((str(key), _pairs(value)) for key, value in data.items())
    return [_pairs(value) for value in data] if isinstance(data, list) else data


def _written(tree: Any) -> Iterator[str]:
    if isinstance(tree, Raw):
        yield tree
    elif isinstance(tree, Hex):
        yield f"0x{int(tree):02X}"
    elif isinstance(tree, Pairs):
        for number, (key, value) in enumerate(tree):
            yield f"{', ' if number else '{'}{json.dumps(key)}: "
            yield from _written(value)
        yield "}" if tree else "{}"
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield ", " if number else "["
            yield from _written(value)
        yield "]" if tree else "[]"
    else:
        yield json.dumps(tree, ensure_ascii=False)


def alter(tree: Any, rng: random.Random) -> Any:
    """The tree with one place changed; the tree itself may be changed."""
    places = list(_places(tree))
    if not places:
        return _instead(tree, tree, rng)
    holder, index = rng.choice(places)
    is_object = isinstance(holder, Pairs)
    value = holder[index][1] if is_object else holder[index]
    act = rng.randrange(10)
    if act == 0:
        del holder[index]
    elif act == 1:
        holder.insert(rng.randint(0, len(holder)), holder[index])  # in an object: the key twice
    elif act == 2 and is_object:
        holder[index] = (rng.choice((*WORDS, holder[index][0] + "x", holder[index][0][:-1])), value)
    elif act == 3:
        other, at = rng.choice(places)
        moved = other[at][1] if isinstance(other, Pairs) else other[at]
        _set(holder, index, json_copy(moved))
    else:
        _set(holder, index, _instead(value, tree, rng))
    return tree


def json_copy(tree: Any) -> Any:
    """The same again, so that no tree holds itself."""
    if isinstance(tree, Pairs):
        return Pairs((key, json_copy(value)) for key, value in tree)
    return [json_copy(value) for value in tree] if isinstance(tree, list) else tree


def _set(holder: Any, index: int, value: Any) -> None:
    holder[index] = (holder[index][0], value) if isinstance(holder, Pairs) else value


def _places(tree: Any) -> Iterator[tuple[Any, int]]:
    """Every value that stands in something, as (what holds it, its index)."""
    if isinstance(tree, list):
        for index, entry in enumerate(tree):
            yield tree, index
            yield from _places(entry[1] if isinstance(tree, Pairs) else entry)


def _instead(value: Any, tree: Any, rng: random.Random) -> Any:
    """Something else in the place of a value."""
    makers: tuple[Callable[[], Any], ...] = (
        lambda: Raw(rng.choice(NUMBERS)),
        lambda: rng.choice(WORDS),
        lambda: _near(value, rng),
        lambda: Raw("[" * (depth := rng.choice(_DEEP)) + "]" * depth),
        lambda: Raw('{"a":' * (depth := rng.choice(_DEEP)) + "1" + "}" * depth),
        lambda: [json_copy(value) for _ in range(rng.choice((0, 1, 2, 40, 700)))],
        lambda: Pairs([(rng.choice(WORDS), json_copy(value))]),
        lambda: rng.choice((True, False, None, Pairs(), [])),
    )
    weights = (6, 3, 6, 1, 1, 2, 1, 2)
    return rng.choices(makers, weights)[0]()


def _near(value: Any, rng: random.Random) -> Any:
    """A little different from what stood there."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        changed = rng.choice((value + 1, value - 1, -value, value * 2, value ^ 1 << rng.randrange(12), value * 1000))
        return Hex(changed) if isinstance(value, Hex) and changed >= 0 else changed
    if isinstance(value, Raw):
        return Raw(rng.choice((f"-{value}", f"{value}0", f"{value}e9", f'"{value}"')))
    if isinstance(value, str):
        place = rng.randint(0, len(value))
        return value[:place] + rng.choice((*WORDS, value)) + value[place + rng.randint(0, 2) :]
    if isinstance(value, list) and value:
        return type(value)(rng.sample(value, len(value)))
    return value
