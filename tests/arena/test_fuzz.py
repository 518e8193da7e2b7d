"""Whatever pages say, in whatever order: guests order nothing, limits hold, and the lobby goes on.

The messages are drawn from the models of request.py, so that a new one is among them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from emubot.arena import openings, recordings, tables, trainings
from emubot.arena.access import Role
from emubot.arena.catalogue import PRESETS, offered
from emubot.arena.limits import MOST_MATCHES
from emubot.arena.lobby import Refused
from emubot.arena.replay import MatchLog
from emubot.arena.request import Anything, MatchRequest
from emubot.arena.wire import Input, pack_input
from emubot.pad import Pad
from tests.arena.lobbies import MATCH, Table, heard

_SCHEMA: Final = TypeAdapter(Anything).json_schema()
SAVED: Final = "a.match.json"
_LIKELY: Final = (*offered(), *PRESETS, SAVED, "level", "colors", "demo", "none", "../x", "é", "")
_MOST: Final = 3  # in a list or a table


def drawn(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Returns a strategy of what a JSON schema of pydantic admits, mostly."""
    if "$ref" in schema:
        return drawn(_SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return st.one_of([drawn(one) for one in schema[choice]])
    match schema.get("type"):
        case "object" if "properties" in schema:
            needed = {
                name: drawn(one) for name, one in schema["properties"].items() if name in schema.get("required", ())
            }
            others = {name: drawn(one) for name, one in schema["properties"].items() if name not in needed}
            return st.fixed_dictionaries(needed, optional=others)
        case "object":
            (values,) = schema.get("patternProperties", {"": schema.get("additionalProperties")}).values()
            return st.dictionaries(st.sampled_from(_LIKELY), drawn(values), max_size=_MOST)
        case "array":
            return st.lists(drawn(schema.get("items") or schema["prefixItems"][0]), max_size=_MOST)
        case "integer":
            low, high = schema.get("minimum", -2), schema.get("maximum", 10**6)
            return st.integers(low, min(high, low + 20)) | st.sampled_from([low - 1, high, high + 1])
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case kind:
            assert kind == "string", f"a kind that is not drawn yet: {schema}"
            return st.sampled_from(_LIKELY)


_MESSAGES: Final = drawn(_SCHEMA)
_INPUTS: Final = st.binary(max_size=9) | st.integers(0, 2).map(lambda side: pack_input(Input(side, 1, Pad.A)))
_ROLES: Final = st.sampled_from([Role.OWNER, Role.OWNER, Role.PLAYER, Role.SPECTATOR])


class Nowhere:
    """A child that is never started."""

    def __init__(self, *words: Any) -> None:
        """Takes everything."""

    def __getattr__(self, name: str) -> Any:
        return lambda *words: None


async def nothing(*words: Any) -> None:
    """Draws and reviews nothing."""


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder with a saved match and no children."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(home))
        patch.setattr(openings, "PlayLink", Nowhere)
        patch.setattr(tables, "clip", nothing)
        patch.setattr(tables, "review", nothing)
        patch.setattr(trainings.Trainings, "_begin", nothing_begins)
        MatchLog().replay(MatchRequest.model_validate_json(json.dumps(MATCH)), 3, {}).write(recordings.folder() / SAVED)
        yield


def nothing_begins(own: trainings.Trainings, name: str, words: list[str]) -> None:
    """No training."""


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(_ROLES, _MESSAGES | _INPUTS), max_size=15))
def test_the_lobby_stands_whatever_pages_say(said: list[tuple[Role, Any]]) -> None:
    async def story() -> None:
        table = Table(patch)
        clients = {role: table.enter(role) for role in Role}
        for role, message in said:
            client = clients[role]
            heard(client)
            orders, inputs = list(table.link.orders), len(table.link.inputs)
            try:
                if isinstance(message, bytes):
                    table.lobby.hear_input(client, message)
                else:
                    table.lobby.hear_text(client, json.dumps(message))
            except Refused:
                may_be_closed = isinstance(message, bytes) or message["type"] == "hello"
                if not may_be_closed:
                    raise
                continue
            if not isinstance(message, bytes) and role is not Role.OWNER:
                assert table.link.orders == orders, f"a {role.value} has ordered {message}"
            if role is Role.SPECTATOR:
                assert len(table.link.inputs) == inputs, "who watches plays nothing"
            assert len(table.lobby._tables) <= MOST_MATCHES
            for words in (one for one in heard(client) if isinstance(one, dict)):
                assert "\n" not in words.get("message", ""), "one sentence"
        await table.lobby.close()

    with pytest.MonkeyPatch.context() as patch:
        asyncio.run(story())
