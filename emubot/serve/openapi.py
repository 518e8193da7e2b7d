"""The description of the interface, as OpenAPI 3.1; serves nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from emubot.games.offers import ToolParameter
from emubot.serve.answers import ANSWERS, Refused
from emubot.serve.questions import QUESTIONS
from emubot.version import __version__

_ABOUT: Final = "What emubot's bots would play, how placements rank, and why. Questions change nothing."
_REF: Final = "#/components/schemas/{model}"
_TEXT: Final[dict[str, Any]] = {"text/plain": {"schema": {"type": "string"}}}
_REFUSED: Final = {
    "400": "the question has no answer",
    "401": "a token is needed: Authorization: Bearer TOKEN",
    "408": "the question took too long to come",
    "413": "the question is too long",
    "503": "too many questions wait",
}


def openapi(paths: Mapping[str, Sequence[ToolParameter]]) -> dict[str, Any]:
    """Returns the description; `paths` are those that other tools' clients ask, with what they take."""
    models: list[type[BaseModel]] = [*QUESTIONS.values(), *ANSWERS.values(), Refused]
    _, schemas = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {"title": "emubot", "version": __version__, "description": _ABOUT},
        "paths": {
            **{f"/v1/{name}": {"post": _question(name, model)} for name, model in QUESTIONS.items()},
            **{f"/{path}": {"get": _of_tool(path, parameters)} for path, parameters in paths.items()},
        },
        "components": {"schemas": schemas.get("$defs", {})},
    }


def _question(name: str, model: type[Any]) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": (model.__doc__ or "").strip(),
        "requestBody": {"required": True, "content": _body(model)},
        "responses": _responses(_body(ANSWERS[name]), _body(Refused)),
    }


def _body(model: type[Any]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(model=model.__name__)}}}


def _of_tool(path: str, parameters: Sequence[ToolParameter]) -> dict[str, Any]:
    return {
        "operationId": path,
        "summary": "as another tool's clients ask it",
        "parameters": [
            {
                "name": one.name,
                "in": "query",
                "required": one.needed,
                "description": one.about,
                "schema": {"type": "string"},
            }
            for one in parameters
        ],
        "responses": _responses(_TEXT, _TEXT),
    }


def _responses(answer: dict[str, Any], refused: dict[str, Any]) -> dict[str, Any]:
    return {"200": {"description": "the answer", "content": answer}} | {
        code: {"description": text, "content": refused} for code, text in _REFUSED.items()
    }
