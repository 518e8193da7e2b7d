"""Text of strangers: nothing in it reaches a terminal but what can be seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.text import counted, did_you_mean, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Nestopia 1.52", "Nestopia 1.52"),
        ("pièce, 落ち物", "pièce, 落ち物"),
        ("\x1b]0;owned\x07\x1b[2J", "?]0;owned??[2J"),
        ("two\r\nlines\u2028and\x85more", "two??lines?and?more"),
        ("right\u202eleft\u200b\ud800\x9b31m", "right?left???31m"),
        ("", ""),
        (7, "7"),
        (None, "None"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_a_question_mark(text: object, shown: str) -> None:
    assert printable(text) == shown


def test_a_long_text_is_cut() -> None:
    assert printable("x" * 200) == "x" * 200
    assert printable("x" * 201) == "x" * 197 + "..."
    assert printable("abcdef", longest=5) == "ab..."


@given(st.text(st.characters(), max_size=300), st.integers(3, 250))
def test_it_is_always_one_line_of_visible_characters(text: str, longest: int) -> None:
    shown = printable(text, longest)
    assert shown.isprintable()
    assert len(shown) <= longest
    assert printable(shown, longest) == shown


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("tetrs", " (did you mean tetris?)"),
        ("TETRIS", " (did you mean tetris?)"),
        ("aivsia", " (did you mean AIvsAI?)"),
        ("tet", " (did you mean tetris?)"),
        ("t", ""),
        ("tetris", ""),
        ("chess", ""),
        ("", ""),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest_name(word: str, hint: str) -> None:
    assert did_you_mean(word, ["tetris", "puyo", "AIvsAI"]) == hint


def test_a_number_has_its_word() -> None:
    assert [counted(number, "piece") for number in (0, 1, 2, 1234)] == [
        "0 pieces",
        "1 piece",
        "2 pieces",
        "1,234 pieces",
    ]
    assert [counted(number, "mismatch", "mismatches") for number in (1, 2)] == ["1 mismatch", "2 mismatches"]
