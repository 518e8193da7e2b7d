"""Turns plain data into a checked Document, or into one sentence about the first error; finds and reads no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from emubot.errors import MapError
from emubot.rammap.checks import problems
from emubot.rammap.fields import UNKNOWN_KEY
from emubot.rammap.schema import Document
from emubot.rammap.strict_yaml import KeyPath, Source

_EXPECTED: Final = {
    "model_type": "a mapping",
    "dict_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "string_type": "text",
    "bool_type": "true or false",
    "too_short": "at least one entry",
    "too_long": "a shorter list",
}


def checked(source: Source) -> Document:
    """Returns the document of a source. Raises MapError with file, line, key, what was found and what is allowed."""
    try:
        document = Document.model_validate(source.data)
    except ValidationError as error:
        raise _first_error(source, error) from None
    found = list(problems(document))
    if found:
        key_path, text = found[0]
        raise source.error(key_path, text + _more(len(found)))
    return document


def _more(count: int) -> str:
    return f" (the first of {count} errors)" if count > 1 else ""


def _first_error(source: Source, error: ValidationError) -> MapError:
    """Returns pydantic's first error as one sentence at its key."""
    details = error.errors(include_url=False)
    # Pydantic also reports a list with wrong items as too short.
    details = [detail for detail in details if detail["type"] != "too_short"] or details
    first = details[0]
    path = _written_path(source.data, first["loc"])
    context: Mapping[str, Any] = first.get("ctx", {})
    if first["type"] == UNKNOWN_KEY:
        path = (*path, context["key"])
    if first["type"] == "missing":
        what = first["loc"][-1]
        text = f"the key `{what}` is missing" if isinstance(what, str) else "this list is too short"
    elif first["type"].startswith("emubot"):
        text = first["msg"]
    else:
        allowed = _EXPECTED.get(first["type"]) or context.get("expected") or first["msg"]
        text = f"found {first['input']!r}, allowed is {allowed}"
    return source.error(path, text + _more(len(details)))


def _written_path(data: Any, location: Sequence[str | int]) -> KeyPath:
    """Returns the part of pydantic's location that is in the file: short forms were expanded before."""
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
