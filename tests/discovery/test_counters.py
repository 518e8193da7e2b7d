"""Counters are found in memory that was made up: all formats, among noise; and none where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from emubot.discovery.counters import level_of, lines_of, numbers_at
from emubot.discovery.numbers import BASES, Number
from emubot.discovery.previews import previews_of
from emubot.discovery.recording import Bits, Marks
from emubot.discovery.score import score_of
from tests.discovery.memories import POINTS, SIZE, Games, games, numbers, played, write

SEEDS = st.integers(0, 1 << 30)


def free() -> Bits:
    return np.ones(SIZE, np.bool_)


def total(marks: Marks, amounts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> np.ndarray:
    """Adds up from the beginning of each game."""
    sums = np.cumsum(amounts)
    starts = np.flatnonzero(~marks.inside)
    return sums - np.repeat(sums[starts], np.diff(starts, append=len(sums)))


@given(games(), numbers(), SEEDS)
def test_lines_are_found_in_every_format(played_games: Games, number: Number, seed: int) -> None:
    marks = played(played_games, seed)
    write(marks, number, marks.lines)
    found = lines_of(marks, free())
    assert found
    assert (found[0].number.of(marks.images) == marks.lines % BASES[number.format] ** found[0].number.bytes).all()
    assert numbers_at(found) <= {*number.places}
    assert found[0].number.format == number.format
    assert found[0].number.bytes <= number.bytes


@given(games(), SEEDS)
def test_no_lines_score_or_level_is_made_up(played_games: Games, seed: int) -> None:
    marks = played(played_games, seed, drop=12)
    assert lines_of(marks, free()) == []
    assert level_of(marks, free(), 0) == []
    assert score_of(marks, free()) == []
    assert previews_of(marks, free(), 0) == []


@given(games(), numbers(), SEEDS)
def test_what_changes_while_a_piece_falls_is_no_count_of_lines(played_games: Games, number: Number, seed: int) -> None:
    marks = played(played_games, seed)
    write(marks, number, marks.lines)
    marks.moved[7, list(number.places)] = True
    assert lines_of(marks, free()) == []


@pytest.mark.parametrize("lines", [9, 10])
def test_decimals_and_binary_numbers_differ_from_ten_on(lines: int) -> None:
    marks = played([[1] * (lines - 2) + [2] + [0] * 20], 1)
    write(marks, Number(5), marks.lines)
    assert bool(lines_of(marks, free())) is (lines == 10)


@pytest.mark.parametrize("several", [True, False])
def test_a_score_with_a_point_for_each_row_is_no_count_of_lines(several: bool) -> None:
    marks = played([[1] * 12 + [2 if several else 1] + [0] * 20], 1)
    write(marks, Number(5), marks.lines)
    assert bool(lines_of(marks, free())) is several


def test_what_grows_by_one_for_each_row_is_no_score_even_where_nothing_else_is_the_lines() -> None:
    marks = played([[1] * 12 + [0] * 20], 1)
    write(marks, Number(5, 2, "digits", False), marks.lines)
    assert lines_of(marks, free()) == []
    assert score_of(marks, free()) == []


@given(games(), SEEDS)
def test_lines_that_are_left_are_taken_where_none_are_counted_up(played_games: Games, seed: int) -> None:
    marks = played(played_games, seed)
    marks.images[:, 5] = 200 - marks.lines
    (found,) = lines_of(marks, free())
    assert (found.start, found.down) == (200, True)
    assert found.value()["offset"] == -200
    write(marks, Number(40), marks.lines)
    assert [each.number.index for each in lines_of(marks, free())] == [40]


@given(games(), SEEDS)
def test_the_copy_on_the_screen_comes_after_the_number_itself(played_games: Games, seed: int) -> None:
    marks = played(played_games, seed)
    write(marks, Number(3, 3, "digits", True, 0x30), marks.lines)
    write(marks, Number(20), marks.lines)
    found = lines_of(marks, free())
    assert found[0].number == Number(20)
    assert len(found) == 2


@given(games(least=22), st.sampled_from((5, 10)), st.integers(0, 9), SEEDS)
def test_a_level_follows_the_lines(played_games: Games, each: int, first: int, seed: int) -> None:
    marks = played(played_games, seed)
    marks.images[:, 12] = marks.lines // each + first
    (found,) = level_of(marks, free(), 0)
    assert (found.number.index, found.start) == (12, first)


def test_a_byte_that_grew_once_is_no_level() -> None:
    marks = played([[1] * 15 + [0] * 20] * 2, 1)
    marks.images[:, 12] = marks.lines // 10  # once in each game, as the high byte of a score may, too
    assert level_of(marks, free(), 0) == []


def test_a_number_that_falls_in_a_game_is_no_score() -> None:
    marks = played([[1, 0] * 40], 1)
    score = 100 * marks.lines
    write(marks, Number(10, 2), score)
    assert [each.number for each in score_of(marks, free())] == [Number(10, 2)]
    score[60:] -= 150
    write(marks, Number(10, 2), score)
    assert score_of(marks, free()) == []


@given(games(least=22), SEEDS)
def test_a_digit_of_the_lines_is_no_level(played_games: Games, seed: int) -> None:
    marks = played(played_games, seed)
    write(marks, Number(8, 3, "digits", True), marks.lines)
    left = free()
    left[sorted(numbers_at(lines_of(marks, left)))] = False
    assert level_of(marks, left, 0) == []


@given(games(), numbers(least=2), st.integers(1, 9), st.sampled_from((0, 1)), SEEDS)
def test_a_score_is_found_in_every_format(
    played_games: Games, number: Number, unit: int, per_row: int, seed: int
) -> None:
    marks = played(played_games, seed, drop=14)
    points = np.array(POINTS)[marks.rows] * unit
    score = total(marks, points + per_row * marks.dropped)
    write(marks, number, score % BASES[number.format] ** number.bytes)
    assert_score(marks, number, score)


@pytest.mark.parametrize("units", [False, True])
def test_a_score_without_its_lowest_digit_is_none(units: bool) -> None:
    """Each row is worth 21 points, and no game had ten of them: its units were never seen to carry."""
    marks = played([[1] * 9 + [0] * 20], 1)
    write(marks, Number(10, 3, "digits", True), 21 * marks.lines)
    if not units:
        marks.images[:, 12] = 0
    found = [each.number for each in score_of(marks, free())]
    assert found[:1] == ([] if units else [Number(10, 2, "digits", True)])


def assert_score(marks: Marks, number: Number, score: np.ndarray) -> None:
    """What is found is the score, as far as its bytes were carried into; nothing else is ever taken for it."""
    found = score_of(marks, free())
    base = BASES[number.format]
    if score.max() >= base**number.bytes:
        return
    carried = max(length for length in range(number.bytes + 1) if length == 0 or score.max() >= base ** (length - 1))
    if found:
        assert (found[0].number.of(marks.images) == score).all()
    else:
        assert carried < 2 or not_carried(marks, number, carried)


def not_carried(marks: Marks, number: Number, length: int) -> bool:
    """Whether some byte never fell as the next one rose."""
    units = marks.images[:, list(number.places)].astype(int)
    steps = (units[1:] - units[:-1])[marks.inside[1:]]
    return not all(((steps[:, low] < 0) & (steps[:, low + 1] > 0)).any() for low in range(length - 1))


@given(st.integers(0, 6), st.booleans(), SEEDS)
@example(1, False, 115443)  # one kind comes never
def test_previews_are_told_by_a_code_for_each_kind(ahead: int, same: bool, seed: int) -> None:
    marks = played([[0] * 60], seed)
    codes = {number: number if same else 0x40 + 3 * (number // 4) for number in range(0, 28, 4)}
    for place in range(ahead):
        following = np.roll(marks.ids, -1 - place)
        marks.images[:, 30 + place] = [codes[int(number)] for number in following]
    found = previews_of(marks, free(), 0)
    assert [each.index for each in found] == [30 + place for place in range(min(ahead, 6))]
    for each in found:
        told = dict(each.codes)
        assert told.items() <= {code: number for number, code in codes.items()}.items()
        assert set(told.values()) >= set(marks.ids[each.index - 30 + 1 :].tolist()), "all kinds that were seen to come"
        assert isinstance(each.value(), dict) is not same
