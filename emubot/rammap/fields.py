"""The smallest parts of a map as pydantic types: hex and decimal numbers, names, pads."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictStr, model_validator
from pydantic_core import PydanticCustomError

from emubot.pad import Pad, legal
from emubot.rammap.strict_yaml import Hex
from emubot.text import nearest

UNKNOWN_KEY: Final = "emubot_key"  # the error type whose context holds the unknown `key`

# Keys that earlier versions had, and what to write in their place.
_GONE: Final = {
    "space": "it is gone: an address alone says which memory it means, 0x0000 to 0x07FF ram, 0x6000 to 0x7FFF wram",
    "soft_drop_first": "it is gone: `soft_drop` is the frames per row while DOWN is held",
    "soft_drop_every": "it is gone: `soft_drop` is the frames per row while DOWN is held",
    "entry_delay": "it is now called `spawn_delay`",
    "half_bytes": "it is gone: `bits: 4` says the same, with `first: 0` where a row begins with the low half",
    "clear_delay": "it is gone: `vanish` is the frames that vanishing lines stay, `pop` those of popping cells",
}
LEARN: Final = "learn"  # in a map: this is not documented, and watching the game may show it
_NOBODY = "none"  # in a list of addresses: this player has no such value; as a button: press nothing
WORD_BYTES: Final = 4  # the most bytes that are read as one number
_CELL_BITS: Final = (1, 2, 4)  # the lengths of cells of which a byte holds several
_MOST_TAPS: Final = 16  # buttons that a step taps in turn
_MAX = 999_999_999
_SHOWN = 60  # characters of a wrong value that a message repeats


@dataclass(frozen=True, slots=True)
class Form:
    """Marks a type with the words for how it is written in a file, for the keys in docs/reference/maps.md.

    Decimals need none: their range says it. Other types of several forms are described by these forms.
    """

    words: str


def wrong(found: object, allowed: str) -> PydanticCustomError:
    """Returns the one kind of validation error: what was found and what is allowed, in half a sentence."""
    text = str(found).lower() if isinstance(found, bool) else repr(found)
    if len(text) > _SHOWN:
        text = text[:_SHOWN] + "..."
    return PydanticCustomError("emubot", "found {found}, allowed is {allowed}", {"found": text, "allowed": allowed})


def wrong_keys(model: BaseModel, allowed: str) -> PydanticCustomError:
    """Returns the error for known keys that do not go together."""
    fields = type(model).model_fields
    keys = ", ".join(sorted(fields[name].alias or name for name in model.model_fields_set))
    context = {"keys": keys, "allowed": allowed}
    return PydanticCustomError("emubot", "found the keys {keys}, allowed is {allowed}", context)


def _hexadecimal(low: int, high: int) -> Callable[[Any], int]:
    example = Hex(min(high, low + 0x60))

    def check(raw: Any) -> int:
        if not isinstance(raw, Hex) or not low <= raw <= high:
            raise wrong(raw, f"hex from 0x{low:02X} to 0x{high:02X}, such as {example!r}")
        return int(raw)

    return check


def _decimal(low: int, high: int) -> Callable[[Any], int]:
    def check(raw: Any) -> int:
        if isinstance(raw, Hex | bool) or not isinstance(raw, int) or not low <= raw <= high:
            raise wrong(raw, f"a decimal number from {low} to {high}")
        return raw

    return check


def _but_zero(most: int) -> Callable[[Any], int]:
    check = _decimal(-most, most)

    def checked(raw: Any) -> int:
        if raw == 0 and not isinstance(raw, Hex | bool):
            raise wrong(raw, f"a decimal number from {-most} to {most}, but not 0")
        return check(raw)

    return checked


def _cell_bits(raw: Any) -> int:
    if isinstance(raw, Hex | bool) or raw not in _CELL_BITS:
        raise wrong(raw, "1, 2 or 4")
    return int(raw)


def _text(pattern: str, allowed: str) -> Callable[[Any], str]:
    matches = re.compile(pattern)

    def check(raw: Any) -> str:
        if not isinstance(raw, str) or not matches.fullmatch(raw):
            raise wrong(raw, allowed)
        return raw

    return check


def as_list(raw: Any) -> Any:
    """Returns `raw` as a list, if it is not one already."""
    return raw if isinstance(raw, list) else [raw]


def _pad(raw: Any) -> Pad:
    names = raw.split("+") if isinstance(raw, str) else []
    if not names or not all(name in Pad.__members__ and name != "NONE" for name in names):
        raise wrong(raw, "a button, A B SELECT START UP DOWN LEFT RIGHT, or several joined by +")
    pad = Pad.NONE
    for name in names:
        pad |= Pad[name]
    if not legal(pad):
        raise wrong(raw, "a pad without opposite directions")
    return pad


def _taps(raw: Any) -> tuple[Pad, ...]:
    if raw == _NOBODY:
        return ()
    pads = as_list(raw)
    if not 1 <= len(pads) <= _MOST_TAPS:
        raise wrong(raw, f"a button, or a list of 1 to {_MOST_TAPS} buttons that are tapped in turn")
    return tuple(map(_pad, pads))


def _rule(raw: Any) -> Any:
    numbers = raw if isinstance(raw, list) else [raw]
    if any(isinstance(item, Hex | dict | list) for item in numbers):
        raise wrong(raw, "a decimal number, a list of them, true, false or text")
    return tuple(raw) if isinstance(raw, list) else raw


def _per_player(raw: Any) -> Any:
    if isinstance(raw, list) and not raw:
        raise wrong(raw, "an address, or a list with one for each player")
    return as_list(raw)


def _places(raw: Any) -> Any:
    places = [None if item == _NOBODY else item for item in _per_player(raw)]
    if places.count(None) == len(places):
        raise wrong(raw, "an address, or a list with an address or none for each player")
    return places


def learnable(raw: Any) -> bool:
    """Returns whether `raw` is the word `learn`: watching the game may show the value."""
    return bool(raw == LEARN)


_PAD_NAMES = "A|B|SELECT|START|UP|DOWN|LEFT|RIGHT"

Address = Annotated[int, Field(ge=0, le=0xFFFF), BeforeValidator(_hexadecimal(0, 0xFFFF)), Form("address")]
Code = Annotated[int, Field(ge=0, le=0xFFFF), BeforeValidator(_hexadecimal(0, 0xFFFF)), Form("code")]
Mask = Annotated[int, Field(ge=1, le=0xFFFFFFFF), BeforeValidator(_hexadecimal(1, 0xFFFFFFFF)), Form("mask")]

# 0 means `learn`: watching the game shows which bits are the code.
LearnableMask = Annotated[
    int,
    Field(ge=0, le=0xFFFFFFFF),
    BeforeValidator(
        lambda found: 0 if learnable(found) else _hexadecimal(1, 0xFFFFFFFF)(found),
        json_schema_input_type=Literal["learn"] | Mask,
    ),
]

Small = Annotated[int, Field(ge=1, le=9), BeforeValidator(_decimal(1, 9))]
WordBytes = Annotated[int, Field(ge=1, le=WORD_BYTES), BeforeValidator(_decimal(1, WORD_BYTES))]
Shift = Annotated[int, Field(ge=0, le=31), BeforeValidator(_decimal(0, 31))]
Cells = Annotated[int, Field(ge=1, le=32), BeforeValidator(_decimal(1, 32))]
Stride = Annotated[int, Field(ge=1, le=256), BeforeValidator(_decimal(1, 256))]
ColumnStride = Annotated[int, Field(ge=-256, le=256), BeforeValidator(_but_zero(256))]
CellBits = Annotated[int, BeforeValidator(_cell_bits, json_schema_input_type=Literal[1, 2, 4])]
EntryBytes = Annotated[int, Field(ge=1, le=2), BeforeValidator(_decimal(1, 2))]
BitNumber = Annotated[int, Field(ge=0, le=7), BeforeValidator(_decimal(0, 7))]
Length = Annotated[int, Field(ge=1, le=8192), BeforeValidator(_decimal(1, 8192))]
Frames = Annotated[int, Field(ge=1, le=600), BeforeValidator(_decimal(1, 600))]
Factor = Annotated[int, Field(ge=1, le=_MAX), BeforeValidator(_decimal(1, _MAX))]
Multiplier = Annotated[int, Field(ge=-_MAX, le=_MAX), BeforeValidator(_but_zero(_MAX))]
Count = Annotated[int, Field(ge=0, le=_MAX), BeforeValidator(_decimal(0, _MAX))]
Number = Annotated[int, Field(ge=-_MAX, le=_MAX), BeforeValidator(_decimal(-_MAX, _MAX))]
Offset = Annotated[int, Field(ge=-31, le=31), BeforeValidator(_decimal(-31, 31))]
Pixel = Annotated[int, Field(ge=0, le=255), BeforeValidator(_decimal(0, 255))]
Players = Annotated[int, Field(ge=1, le=4), BeforeValidator(_decimal(1, 4))]
PadPort = Annotated[int, Field(ge=1, le=2), BeforeValidator(_decimal(1, 2))]

Name = Annotated[
    StrictStr,
    Field(pattern=r"^[a-z][a-z0-9_]{0,39}$"),
    BeforeValidator(_text(r"[a-z][a-z0-9_]{0,39}", "a name of small letters, digits and _")),
    Form("name"),
]
# What a condition can test: a value of the map or, in menus, a choice (`asked.level`).
Subject = Annotated[
    StrictStr,
    Field(pattern=r"^(asked\.)?[a-z][a-z0-9_]{0,39}$"),
    BeforeValidator(_text(r"(asked\.)?[a-z][a-z0-9_]{0,39}", "the name of a value, or asked.NAME in menus")),
    Form("value name, in menus also `asked.NAME`"),
]
# A code as the key of a mapping; keys are always text.
CodeKey = Annotated[
    StrictStr,
    Field(pattern=r"^0x[0-9A-Fa-f]{1,8}$"),
    BeforeValidator(_text(r"0x[0-9A-Fa-f]{1,8}", "a code in hex, such as 0x04")),
    Form("code"),
]
Word = Annotated[
    StrictStr,
    Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$"),
    BeforeValidator(_text(r"[a-z0-9][a-z0-9-]{0,39}", "a name of small letters, digits and -")),
    Form("word"),
]
Sentence = Annotated[
    StrictStr,
    Field(max_length=200),
    BeforeValidator(_text(r"[^\x00-\x1f]{1,200}", "a line of text")),
    Form("text"),
]


def _digest(digits: int) -> Callable[[Any], str]:
    check = _text(rf"[0-9A-Fa-f]{{{digits}}}", f'{digits} hex digits in quotes, such as "{"0F" * (digits // 2)}"')
    return lambda raw: check(raw).upper()


Sha1 = Annotated[StrictStr, Field(pattern=r"^[0-9A-Fa-f]{40}$"), BeforeValidator(_digest(40)), Form("40 hex digits")]
Md5 = Annotated[StrictStr, Field(pattern=r"^[0-9A-Fa-f]{32}$"), BeforeValidator(_digest(32)), Form("32 hex digits")]
Crc32 = Annotated[StrictStr, Field(pattern=r"^[0-9A-Fa-f]{8}$"), BeforeValidator(_digest(8)), Form("8 hex digits")]

_PadText = Annotated[str, Field(pattern=rf"^({_PAD_NAMES})(\+({_PAD_NAMES}))*$"), Form("button")]
PadName = Annotated[Pad, BeforeValidator(_pad, json_schema_input_type=_PadText)]
# Empty means `none`: press nothing.
Taps = Annotated[
    tuple[Pad, ...],
    BeforeValidator(_taps, json_schema_input_type=_PadText | Literal["none"] | list[_PadText]),
]
PerPlayer = Annotated[tuple[Address, ...], BeforeValidator(_per_player, json_schema_input_type=Address | list[Address])]
# None replaces the address if a player has no such value.
Places = Annotated[
    tuple[Address | None, ...],
    BeforeValidator(_places, json_schema_input_type=Address | list[Address | Literal["none"]]),
]
Names = Annotated[tuple[Name, ...], BeforeValidator(as_list, json_schema_input_type=Name | list[Name])]

Rule = Annotated[bool | int | str | tuple[int, ...], BeforeValidator(_rule), Form("rule")]


class MapModel(BaseModel):
    """A mapping that refuses unknown keys; frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, raw: Any) -> Any:
        known = [field.alias or name for name, field in cls.model_fields.items()]
        if not isinstance(raw, dict):
            raise wrong(raw, f"a mapping with the keys {', '.join(known)}")
        for key in raw:
            if key not in known:
                near = nearest(key, known)
                hint = f"did you mean {near}; " if near else ""
                if key in _GONE:
                    hint = f"{_GONE[key]}; "
                raise PydanticCustomError(
                    UNKNOWN_KEY,
                    "this key is unknown, {hint}allowed are {known}",
                    {"key": key, "hint": hint, "known": ", ".join(known)},
                )
        return raw
