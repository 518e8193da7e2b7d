"""Answers in StackRabbit's form, compared with what StackRabbit's own server answered to the same questions.

It ran beside us, with tables of our own making, so that the form of its answers counts and no value in them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emubot.games.tetris.stackrabbit.answers import StackRabbitAnswers
from emubot.serve.server import AnswerServer
from emubot.weights import load_weights
from tests.serve.asking import Client, serving

pytestmark = pytest.mark.jit
RECORDED: dict[str, Any] = json.loads(
    Path(__file__).with_name("data").joinpath("stackrabbit.json").read_text(encoding="utf-8")
)
MOVE = re.compile(r"(\d),(-?\d),(\d+)\|([.LRABEFIG]+)([*^]+)\|([01]{200})\|(\d+)\|(\d+)")
NUMBERS = re.compile(r"-?\d+\.\d\d")


@pytest.fixture(name="client", scope="module")
def _client() -> Iterator[Client]:
    tool = StackRabbitAnswers(load_weights("nes_tetris"))
    with serving(AnswerServer("127.0.0.1", 0, {"StackRabbit": tool})) as client:
        yield client


def form_of(value: Any) -> Any:
    """The keys, in their order, and the types; of a list the forms of what is in it."""
    if isinstance(value, dict):
        return {name: form_of(one) for name, one in value.items()}
    if isinstance(value, list):
        forms: list[Any] = []
        for one in value:
            if (form := form_of(one)) not in forms:
                forms.append(form)
        return forms
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def fits(ours: Any, theirs: Any) -> bool:
    """Whether a form is the other one; a list of ours may be empty: our search has no playouts."""
    if isinstance(theirs, dict):
        return (
            isinstance(ours, dict) and [*ours] == [*theirs] and all(fits(ours[name], theirs[name]) for name in theirs)
        )
    if isinstance(theirs, list):
        return isinstance(ours, list) and all(any(fits(one, other) for other in theirs) for one in ours)
    return bool(ours == theirs)


@pytest.mark.parametrize("number", range(len(RECORDED["answers"])))
def test_our_answer_has_the_form_of_its_answer(client: Client, number: int) -> None:
    recorded = RECORDED["answers"][number]
    asked = RECORDED["asked"][recorded["asked"]]
    ours = client.get(recorded["path"], **asked)
    assert (ours.status, ours.headers["content-type"]) == (recorded["status"], recorded["type"])
    if "form" in recorded:
        assert fits(form_of(ours.json), RECORDED["forms"][recorded["form"]])
    elif recorded["path"].startswith("get-move"):
        for text in (recorded["text"], ours.text):
            check_move(text, asked)
    elif recorded["path"] == "eval":
        assert NUMBERS.fullmatch(recorded["text"])
        assert NUMBERS.fullmatch(ours.text)
    elif recorded["text"].startswith("Error"):
        assert ours.text == recorded["text"]
    else:
        assert shape_of(ours.text) == shape_of(recorded["text"])


def shape_of(text: str) -> str:
    return re.sub(r"-?\d+\.(\d+)", lambda found: "0." + "0" * len(found[1]), text)


def check_move(text: str, asked: dict[str, str]) -> None:
    """A letter a frame until gravity locks the piece, then the entry delay; rows vanish before its last five frames."""
    found = MOVE.fullmatch(text)
    assert found, text
    row, letters, waits, lines = int(found[3]), found[4], found[5], int(found[8])
    frames_per_row = {"18": 3, "19": 2, "29": 1}[asked["level"]]
    assert len(letters) >= (row + 1) * frames_per_row
    if not any(letter in "LREFIG" for letter in letters[(row + 1) * frames_per_row // 2 :]):  # no tuck, no spin
        assert len(letters) == (row + 1) * frames_per_row
    delay = min(18, 10 + (21 - row) // 4 * 2)
    gone = "^" * 17 if lines > int(asked["lines"]) else ""
    assert waits == "*" * (delay - 5) + gone + "*" * 5


def test_both_kinds_of_waiting_were_recorded() -> None:
    texts = [one["text"] for one in RECORDED["answers"] if one["path"].startswith("get-move")]
    assert any("^" in text for text in texts)
    assert len({text.count("*") for text in texts}) >= 3
