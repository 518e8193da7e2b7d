"""Turns plain data into a checked Document, or into a sentence about each error; finds and reads no file."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from emubot.errors import MapError
from emubot.rammap.checks import problems
from emubot.rammap.code_checks import Problem
from emubot.rammap.fields import UNKNOWN_KEY
from emubot.rammap.schema import Document
from emubot.rammap.strict_yaml import KeyPath, MapSource

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


def checked(source: MapSource) -> Document:
    """Returns the document of a source. Raises MapError with file, line, key, what was found and what is allowed."""
    document, problems, _ = _read(source.data)
    if document is None or problems:
        key_path, text = problems[0]
        raise source.error(key_path, text + (f" (the first of {len(problems)} errors)" if len(problems) > 1 else ""))
    return document


def all_errors(source: MapSource) -> list[MapError]:
    """Returns every error of a source that can be told at once, in the order of the file; none if it is a map.

    The parts of a map are compared with each other only after each is right by itself.
    """
    _, problems, _ = _read_known(source.data)
    return [
        source.error(path, text)
        for path, text in sorted(dict.fromkeys(problems), key=lambda problem: source.line(problem[0]))
    ]


def without_unknown(source: MapSource) -> tuple[Document, Any] | None:
    """Returns the document and the data of a source without keys that are unknown, None if more than those is wrong."""
    document, _, data = _read_known(source.data)
    return None if document is None or list(problems(document)) else (document, data)


def _read_known(data: Any) -> tuple[Document | None, list[Problem], Any]:
    """Returns the document without unknown keys, None if it is not well-formed; what is wrong; and the data left."""
    document, problems, unknown = _read(data)
    while unknown:  # a mapping with a key that is unknown was not looked at further
        data = _without(data, unknown)
        document, more, unknown = _read(data)
        problems += more
    return document, problems, data


def _without(data: Any, paths: Sequence[KeyPath]) -> Any:
    """Returns a copy of plain data without these keys."""
    kept = copy.deepcopy(data)
    for *above, key in paths:
        place = kept
        for part in above:
            place = place[part]
        place.pop(key, None)
    return kept


def _read(data: Any) -> tuple[Document | None, list[Problem], list[KeyPath]]:
    """Returns the document, None if it is not well-formed; what is wrong; and the keys that are unknown."""
    try:
        document = Document.model_validate(data)
    except ValidationError as error:
        details = error.errors(include_url=False)
        # Pydantic also reports a list with wrong items as too short.
        details = [detail for detail in details if detail["type"] != "too_short"] or details
        wrong = [_problem(data, detail) for detail in details]
        paths = [path for (path, _), detail in zip(wrong, details, strict=True) if detail["type"] == UNKNOWN_KEY]
        return None, wrong, paths
    return document, list(problems(document)), []


def _problem(data: Any, detail: ErrorDetails) -> Problem:
    """Returns one of pydantic's errors as half a sentence at its key."""
    path = _written_path(data, detail["loc"])
    context: Mapping[str, Any] = detail.get("ctx", {})
    if detail["type"] == UNKNOWN_KEY:
        path = (*path, context["key"])
    if detail["type"] == "missing":
        what = detail["loc"][-1]
        return path, f"the key `{what}` is missing" if isinstance(what, str) else "this list is too short"
    if detail["type"].startswith("emubot"):
        return path, detail["msg"]
    allowed = _EXPECTED.get(detail["type"]) or context.get("expected") or detail["msg"]
    return path, f"found {detail['input']!r}, allowed is {allowed}"


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
