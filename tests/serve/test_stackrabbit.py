"""Clients of StackRabbit get answers in the form that they read: parsed here as public clients do, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.tetris.board.board import ORIENTATION_OF_LANE, rows_from
from emubot.games.tetris.rules import COLUMNS, DX, DY, PIECE_NAMES, ROWS, SPAWN_COLUMN
from emubot.games.tetris.stackrabbit.answers import StackRabbitAnswers
from emubot.games.tetris.stackrabbit.query import read_query, short_board
from emubot.serve.server import AnswerServer
from emubot.weights import load_weights
from tests.serve.asking import Client, serving

pytestmark = pytest.mark.jit
FLOOR = "1110000000" + "1111000011" + "1111100111" + "1111111110"
BOARD = "0" * (200 - len(FLOOR)) + FLOOR
ASKED: dict[str, Any] = {
    "board": BOARD,
    "currentPiece": "T",
    "nextPiece": "I",
    "level": 18,
    "lines": 8,
    "inputFrameTimeline": "X---",
    "playoutCount": 49,
    "reactionTime": 21,
}
WITHOUT_NEXT = {name: value for name, value in ASKED.items() if name != "nextPiece"}


@pytest.fixture(name="client", scope="module")
def _client() -> Iterator[Client]:
    tool = StackRabbitAnswers(load_weights("nes_tetris"))
    with serving(AnswerServer("127.0.0.1", 0, {"StackRabbit": tool})) as client:
        yield client


def cells_of(piece: str, placement: list[int]) -> list[tuple[int, int]]:
    """Row and column of each cell of a placement: turns by A, columns and rows from the spawn."""
    turns, aside, down = placement
    orientation = ORIENTATION_OF_LANE[PIECE_NAMES.index(piece), turns]
    return [
        (down + int(dy), SPAWN_COLUMN + aside + int(dx))
        for dx, dy in zip(DX[orientation], DY[orientation], strict=True)
    ]


def after(board: str, piece: str, placement: list[int]) -> tuple[str, int]:
    """The board after a placement, and the lines that it clears."""
    cells: NDArray[np.int64] = np.array([*map(int, board)]).reshape(ROWS, COLUMNS)
    for row, column in cells_of(piece, placement):
        if row >= 0:
            assert cells[row, column] == 0, "the piece lies in another"
            cells[row, column] = 1
    kept = [row for row in cells.tolist() if not all(row)]
    lines = ROWS - len(kept)
    return "".join(str(cell) for row in [[0] * COLUMNS] * lines + kept for cell in row), lines


@pytest.mark.parametrize("path", ["get-move", "get-move-cpp"])
@pytest.mark.parametrize(
    "asked", [ASKED, WITHOUT_NEXT, {**ASKED, "level": 29, "lines": 230}], ids=["next", "none", "29"]
)
def test_a_move_is_place_inputs_board_level_and_lines(client: Client, path: str, asked: dict[str, Any]) -> None:
    said = client.get(path, **asked)
    assert (said.status, said.headers["content-type"]) == (200, "text/plain")
    place, inputs, board, level, lines = said.text.split("|")
    placement = [int(number) for number in place.split(",")]
    assert (board, int(lines) - asked["lines"]) == after(BOARD, "T", placement)
    assert int(level) in (asked["level"], asked["level"] + 1)
    assert re.fullmatch(r"[.LRABEFIG]+[*^]+", inputs)
    presses = [frame for frame, letter in enumerate(inputs) if letter not in ".*^"]
    assert all(frame % 4 == 0 for frame in presses), "the timeline allows every fourth frame"
    aside = sum((letter in "RIG") - (letter in "LEF") for letter in inputs)
    turns = sum((letter in "AEI") - (letter in "BFG") for letter in inputs)
    assert (turns % 4, aside) == tuple(placement[:2])


def test_a_piece_that_can_go_nowhere_has_no_legal_moves(client: Client) -> None:
    wall = "0" * 10 + ("1" * 9 + "0") * 19
    said = client.get("get-move", **{**ASKED, "board": wall, "existingYOffset": 3})
    assert (said.status, said.text) == (200, "No legal moves")


def test_a_list_has_the_moves_of_one_piece_or_of_two(client: Client) -> None:
    single = client.get("engine-movelist", **WITHOUT_NEXT).json
    pairs = client.get("engine-movelist", **ASKED).json
    for move in [*single, *(one for pair in pairs for one in pair)]:
        assert [*move] == [*("placement", "isSpecialMove", "totalValue", "evalExplanation", "evalScore")]
        assert re.fullmatch(r"-?\d+\.\d\d", move["totalValue"])
        assert isinstance(move["isSpecialMove"], bool)
    assert all(len(pair) == 2 for pair in pairs)
    values = [float(first["totalValue"]) for first, _ in pairs]
    assert values == sorted(values, reverse=True)
    board, _ = after(BOARD, "T", pairs[0][0]["placement"])
    after(board, "I", pairs[0][1]["placement"])


def test_the_lists_of_the_faster_engine_are_json_in_its_form(client: Client) -> None:
    hybrid = client.get("engine-movelist-cpp-hybrid", **ASKED)
    assert hybrid.text.startswith('{"noNextBox":[{"firstPlacement":[')
    told = hybrid.json
    assert told["nextBox"] == client.get("engine-movelist-cpp", **ASKED).json
    assert told["noNextBox"] == client.get("engine-movelist-cpp", **WITHOUT_NEXT).json
    playouts = [f"playout{number}" for number in range(1, 8)]
    common = ["playoutScore", "shallowEvalScore", "resultingBoard", *playouts]
    assert [*told["noNextBox"][0]] == ["firstPlacement", *common]
    best = told["nextBox"][0]
    assert [*best] == ["firstPlacement", "secondPlacement", *common]
    assert [*best["playout1"]] == ["pieceSequence", "placements", "resultingBoard", "score"]
    board, _ = after(BOARD, "T", best["firstPlacement"])
    board, _ = after(board, "I", best["secondPlacement"])
    again = read_query({**{name: str(value) for name, value in ASKED.items()}, "board": best["resultingBoard"]})
    assert "".join(map(str, again.board.reshape(-1).tolist())) == board
    refused = client.get("engine-movelist-cpp-hybrid", **WITHOUT_NEXT)
    assert (refused.status, "needs nextPiece" in refused.text) == (400, True)


@pytest.mark.parametrize("path", ["rate-move", "rate-move-cpp"])
def test_a_rating_has_the_players_move_beside_the_best(client: Client, path: str) -> None:
    second = client.get("get-move", **ASKED).text.split("|")[2]
    rated = client.get(path, **ASKED, secondBoard=second)
    names = [f"{who}Move{when}Adjustment" for when in ("No", "After") for who in ("player", "best")]
    assert [*rated.json] == names
    numbers = {name: float(value) for name, value in rated.json.items()}
    assert numbers["playerMoveAfterAdjustment"] == numbers["bestMoveAfterAdjustment"], "it is the best move"
    assert numbers["playerMoveNoAdjustment"] <= numbers["bestMoveNoAdjustment"]
    assert [*client.get(path, **WITHOUT_NEXT, secondBoard=second).json] == names[:2]
    if path == "rate-move":
        assert re.fullmatch(r'\{("\w+":"-?\d+\.\d\d",?){4}\}', rated.text)
        assert client.get(path, **ASKED, secondBoard=BOARD).json["playerMoveNoAdjustment"] == "Unknown score"
    else:
        assert re.fullmatch(r'\{("\w+":-?\d+\.\d{6}(, )?){4}\}', rated.text)
        assert client.get(path, **ASKED, secondBoard=BOARD).text == "Error: player move not found"
    assert client.get(path, **ASKED).status == 400


def test_a_better_board_has_a_higher_value(client: Client) -> None:
    assert re.fullmatch(r"-?\d+\.\d\d", client.get("eval", **ASKED).text)
    holes = "0" * 140 + "1111111110" + "0" * 10 + "1111111110" + "0" * 10 + "1111111110" + "0" * 10
    values = [float(client.get("eval", **{**ASKED, "board": board}).text) for board in (BOARD, holes)]
    assert values[0] > values[1]


def test_it_says_that_it_is_there_and_who_it_is(client: Client) -> None:
    assert client.get("ping").text == "pong"
    assert sorted(client.get("version").json) == ["cppVersion", "jsVersion"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"board": "01"}, "board is 200 digits"),
        ({"board": BOARD[:-1] + "x"}, "board is 200 digits"),
        ({"board": "1,ab,3"}, "board has 20 rows, not 5"),
        ({"board": "\u00b2,ab,3"}, "not in the short form"),
        ({"board": "9" * 5000 + ",ab,3"}, "not in the short form"),
        ({"board": "1,a!,3"}, "not in the short form"),
        ({"board": "0" * 190 + "1" * 10}, "full row"),
        ({"currentPiece": "Q"}, "currentPiece is one of"),
        ({"nextPiece": "TT"}, "nextPiece is one of"),
        ({"level": "x"}, "level is a whole number"),
        ({"level": "300"}, "level is 0 to 255"),
        ({"lines": "-1"}, "lines is 0 to"),
        ({"level": "0000000018"}, "level is a whole number"),
        ({"inputFrameTimeline": "XX"}, "one X with dots"),
        ({"inputFrameTimeline": "X"}, "one X with dots"),
        ({"inputFrameTimeline": "12hz"}, "one X with dots"),
        ({"inputFrameTimeline": "das"}, "one X with dots"),
        ({"inputFrameTimeline": ""}, "lacks inputFrameTimeline"),
        ({"existingXOffset": "9"}, "off the board"),
        ({"existingRotation": "4"}, "off the board"),
        ({"existingFramesElapsed": "-2"}, "existingFramesElapsed"),
    ],
    ids=str,
)
def test_a_malformed_question_gets_one_sentence(client: Client, wrong: dict[str, str], sentence: str) -> None:
    said = client.get("get-move", **{**ASKED, **wrong})
    assert said.status == 400
    assert sentence in said.text
    assert client.get("ping").status == 200


@given(st.lists(st.integers(0, 1023).filter(lambda row: row != 1023), min_size=20, max_size=20))
def test_a_short_board_is_the_same_board(rows: list[int]) -> None:
    cells = np.array([[row >> column & 1 for column in range(COLUMNS)] for row in rows], dtype=np.uint8)
    short = short_board(rows_from(cells, np.zeros((2, COLUMNS))))
    assert re.fullmatch(r"\d+,[a-zA-F]*,\d+", short)
    asked = {name: str(value) for name, value in ASKED.items()} | {"board": short}
    assert (read_query(asked).board == cells).all()


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from([*ASKED, "secondBoard", "existingXOffset"]), st.text(max_size=220)))
def test_no_question_is_more_than_refused(given: dict[str, str]) -> None:
    try:
        read_query({name: str(value) for name, value in ASKED.items()} | given)
    except UsageError as error:
        assert str(error).endswith((".", ")"))  # noqa: PT017 # most are refused, and some are not


def test_a_piece_in_the_air_goes_on_from_where_it_is() -> None:
    asked = {name: str(value) for name, value in ASKED.items()}
    later = read_query(asked | {"existingXOffset": "-2", "existingYOffset": "4", "existingFramesElapsed": "13"})
    start = later.position().start
    assert (start.column, start.row, start.fall_timer, start.limiter) == (SPAWN_COLUMN - 2, 4, 1, 3)
    assert read_query(asked | {"existingFramesElapsed": "13", "arrWasReset": "1"}).position().start.limiter == 0


@pytest.mark.parametrize("elapsed", [0, 1, 2, 3, 8, 9])
@pytest.mark.parametrize("reset", [False, True])
def test_a_timeline_begins_anew_after_its_last_frame(client: Client, elapsed: int, reset: bool) -> None:
    timeline = "..X...."  # an input in frames 2, 9, 16 and so on
    extra = {"existingFramesElapsed": elapsed, "arrWasReset": str(reset).lower(), "existingYOffset": elapsed // 3}
    ten = {**ASKED, "board": "0" * 200, "inputFrameTimeline": timeline, "level": 18, **extra}
    inputs = client.get("get-move", **ten).text.split("|")[1]
    begun = 0 if reset else elapsed
    frames = [begun + frame for frame, letter in enumerate(inputs) if letter in "LRABEFIG"]
    assert all(frame % len(timeline) == 2 for frame in frames), (inputs, frames)


def test_a_tuck_is_a_special_move(client: Client) -> None:
    roof = "0" * 170 + "1110000000" + "0000000000" + "0001111111"  # under the roof lies a place for a flat piece
    moves = client.get("engine-movelist", **{**WITHOUT_NEXT, "board": roof, "currentPiece": "I"}).json
    special = [move["placement"] for move in moves if move["isSpecialMove"]]
    assert any(row >= 18 for *_, row in special)
