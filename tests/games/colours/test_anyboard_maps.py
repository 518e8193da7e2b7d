"""Maps of any size and with turns of their own: what is decoded, how a pair turns, what is refused in one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from emubot.cli import main
from emubot.errors import MapError, UsageError
from emubot.games.colours.anyboard_engine import AnyFieldEngine
from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.decode.map_checks import check_pairs, pair_findings
from emubot.games.colours.decode.turns import TurnTo, turns_of
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.puyo_edition import PuyoDepiction
from emubot.games.colours.puyo_engine import PuyoEngine
from emubot.games.colours.rules import DOWN, LEFT, RIGHT, UP, Size
from emubot.games.strength import OWN, Strength
from emubot.pad import Pad
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Piece, Snapshot
from emubot.tempo import InputState, tempo_for_speed
from emubot.weights import load_weights
from tests.families import engine_of, whole_edition, whole_game
from tests.games.colours.puyo_maps import DEMO, demo_map
from tests.games.colours.toy_pairs import CONTROL, TOYS, Boxed, Narrow, Sprites, Swapping, Tall, ToyPairs, Upward, Wide

GAME = whole_game("puyo")


def map_of(text: str) -> RamMap:
    return parse_map(text, "mine")


@pytest.mark.parametrize("toy", TOYS)
def test_every_toy_is_playable(toy: type[ToyPairs]) -> None:
    assert list(pair_findings(map_of(toy.text))) == []
    assert rules_of_map(map_of(toy.text)).size == Size(toy.columns, toy.rows, toy.hidden)


def test_the_search_is_chosen_by_the_grid() -> None:
    weights, tempo = load_weights("famicom_puyo"), tempo_for_speed(10)
    assert isinstance(engine_of(GAME.open(map_of(Swapping.text)).thinker(weights, tempo)), PuyoEngine)
    assert isinstance(engine_of(GAME.open(demo_map()).thinker(weights, tempo)), PuyoEngine)


@pytest.mark.jit
def test_another_grid_has_another_search() -> None:
    weights, tempo = load_weights("famicom_puyo"), tempo_for_speed(10)
    edition = GAME.open(map_of(Narrow.text))
    assert isinstance(engine_of(edition.thinker(weights, tempo)), AnyFieldEngine)
    assert edition.learner() is None
    with pytest.raises(UsageError, match="on this field is 0 to 10,000,000, not 10,000,001"):
        edition.thinker(weights, tempo, Strength(10_000_001))


@pytest.mark.slow
@pytest.mark.jit
def test_a_budget_looks_a_pair_deeper() -> None:
    snapshot, inputs = seen(Narrow, (1, 0), 0, (1, 2)), InputState()
    edition, weights, tempo = GAME.open(map_of(Narrow.text)), load_weights("famicom_puyo"), tempo_for_speed(10)

    def nodes(strength: Strength) -> int:
        return edition.thinker(weights, tempo, strength).decide(snapshot, inputs).nodes

    two_pairs = nodes(OWN)
    assert 2 * two_pairs < nodes(Strength(20_000)) < 25_000
    assert nodes(Strength(0)) == two_pairs
    assert nodes(Strength(milliseconds=1.0)) == two_pairs, "the first decision finds out how fast it is"


def seen(toy: type[ToyPairs], place: tuple[int, int], turned: int, pair: tuple[int, int]) -> Snapshot:
    """What is decoded of a pair at a place."""
    machine = toy(seed=1)
    machine.place, machine.turned, machine.pair, machine.state = place, turned, pair, CONTROL
    machine.write()
    return Decoder(map_of(toy.text))(machine.ram.tobytes())


@pytest.mark.parametrize(
    ("turned", "pair", "piece"),
    [
        (0, (1, 3), Piece(RIGHT, 2, 5)),
        (0, (3, 1), Piece(LEFT, 3, 5)),
        (1, (1, 3), Piece(UP, 2, 5)),
        (1, (3, 1), Piece(DOWN, 2, 4)),
        (0, (2, 2), Piece(RIGHT, 2, 5)),
        (1, (2, 2), Piece(UP, 2, 5)),
    ],
)
def test_a_pair_whose_colours_change_places_is_seen_from_the_lower_kind(
    turned: int, pair: tuple[int, int], piece: Piece
) -> None:
    snapshot = seen(Swapping, (2, 5), turned, pair)
    assert snapshot.current == piece
    assert (snapshot.counters["pivot"], snapshot.counters["satellite"]) == (min(pair), max(pair))
    drawn = {(cell.column, cell.row, cell.kind) for cell in PuyoDepiction().cells(snapshot, piece)}
    machine = Swapping(seed=1)
    assert drawn == {(x, y, kind) for (x, y), kind in zip(machine.halves((2, 5), turned), pair, strict=True)}


@pytest.mark.parametrize("toy", [Narrow, Upward, Sprites, Boxed, Wide, Tall])
@pytest.mark.parametrize("turned", range(4))
def test_places_of_any_form_are_read(toy: type[ToyPairs], turned: int) -> None:
    place = (1, 3)
    snapshot = seen(toy, place, turned, (2, 3))
    assert snapshot.current is not None
    drawn = {(cell.column, cell.row, cell.kind) for cell in PuyoDepiction().cells(snapshot, snapshot.current)}
    halves = toy(seed=1).halves(place, turned)
    assert drawn == {(*halves[0], 2), (*halves[1], 3)}


def test_sprites_that_are_no_pair_are_no_piece() -> None:
    machine = Sprites(seed=1)
    machine.place, machine.pair, machine.state = (3, 4), (1, 2), CONTROL
    machine.write()
    machine.ram[0x207] += 32
    assert Decoder(map_of(Sprites.text))(machine.ram.tobytes()).current is None


def test_the_usual_turns_need_no_table() -> None:
    assert turns_of(demo_map(), 0) is None
    assert turns_of(map_of(Narrow.text), 0) is None


def test_a_half_turn_changes_the_colours_places() -> None:
    turns = turns_of(map_of(Swapping.text), 0)
    assert turns is not None
    names = [stance.orientation for stance in turns.stances]
    assert names == [RIGHT, LEFT, UP, DOWN]
    for targets, order in ((turns.targets[0], (RIGHT, UP, LEFT, DOWN)), (turns.targets[1], (RIGHT, DOWN, LEFT, UP))):
        stance, walked = 0, []
        for _ in range(4):
            walked.append(names[stance])
            stance = targets[stance].stance
        assert (stance, tuple(walked)) == (0, order)
    alike = turns_of(map_of(Swapping.text), 0, alike=True)
    assert alike is not None
    assert [stance.orientation for stance in alike.stances] == [RIGHT, UP]


def test_a_blocked_turn_in_a_box_goes_away_from_the_new_cell() -> None:
    turns = turns_of(map_of(Boxed.text), 0)
    assert turns is not None
    upright, flat = turns.stances[1], turns.targets[0][1]
    assert (upright.number, upright.orientation, upright.place) == (1, DOWN, (0, 0))
    assert flat == TurnTo(2, (1, 1), (-1, 0))


def test_pads_on_their_way_turn_a_pair_as_its_map_says() -> None:
    before = seen(Swapping, (2, 5), 1, (3, 1))
    snapshot = replace(before, counters={**before.counters, "drop_timer": 9})
    assert GAME.open(map_of(Swapping.text)).predict(snapshot, []) is snapshot
    ahead = GAME.open(map_of(Swapping.text)).predict(snapshot, [Pad.A, Pad.NONE])
    assert ahead.current == Piece(RIGHT, 2, 5)
    assert ahead.counters["drop_timer"] == 7


@pytest.mark.parametrize(
    ("text", "old", "new", "sentence"),
    [
        (
            Narrow.text,
            "columns: 4",
            "columns: 3",
            "Pairs are played on 4 to 12 columns, and this grid has 3: correct it.",
        ),
        (
            Narrow.text,
            "rules: {colors: 3}",
            "rules: {visible_rows: 7}",
            "has 6 rows, 4 columns and 0 hidden rows, but its rules famicom-1991 have 7, 4 and 0: correct the grid or",
        ),
        (
            Narrow.text,
            "rules: {colors: 3}",
            "rules: {spawn: [0, 4, 0]}",
            "Column 4, row 0 is outside the field: give a cell of it.",
        ),
        (Sprites.text, "y_2}]", "y_2}, {x: x_1, y: y_1}]", "has 3 cells: give two, the bottom half's first."),
        (Swapping.text, "[[0, 0], [0, -1]]", "[[0, 0], [-1, 0]]", "has two orientations of one direction"),
        (
            Narrow.text,
            "clockwise: 1, counterclockwise: 3",
            "clockwise: {to: 1, cycle: 1}, counterclockwise: 3",
            "has 4 orientations with a cycle: a pair has four, or two if a turn makes its halves change places.",
        ),
        (
            Swapping.text,
            "color_4: 0x04}}",
            "color_4: learn}}",
            "to be learnt, and pairs learn codes only of pairs with four orientations: state them.",
        ),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(text: str, old: str, new: str, sentence: str) -> None:
    assert text.count(old) == 1
    ram_map = map_of(text.replace(old, new))
    with pytest.raises(MapError) as refused:
        check_pairs(ram_map)
    assert sentence in str(refused.value)
    assert str(refused.value).count("\n") == 0


def test_all_findings_come_at_once_each_with_its_key() -> None:
    text = Narrow.text.replace("  next_top: 0x17\n", "").replace("color_2: 0x02, color_3: 0x03}}", "red: 0x02}}")
    text = text.replace("rules: {colors: 3}", "rules: {colors: 9}").replace("[[0, 0], [1, 0]]", "[[0, 0], [2, 0]]")
    assert [(one.key, one.text[: one.text.index(":")]) for one in pair_findings(map_of(text))] == [
        (("rules",), "The rule colors is a number from 1 to 6, not 9"),
        (("values",), "The map mine lacks next_top"),
        (("grid", "cell", "kinds"), "The map mine has no kinds color_2, color_3"),
        (("pieces", 1), "Orientation 1 in the map mine is no pair"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("columns: 4", "columns: 3", ("grid",)),
        ("rules: {colors: 3}", "rules: {hidden_rows: 1}", ("grid",)),
        ("rules: {colors: 3}", "rules: {spawn: [0, 4, 0]}", ("rules",)),
        ("profile: famicom-1991", "profile: fever", ("profile",)),
    ],
)
def test_a_finding_about_rules_names_the_key_to_mend(old: str, new: str, key: tuple[str]) -> None:
    assert [one.key for one in pair_findings(map_of(Narrow.text.replace(old, new)))] == [key]


def test_the_simulator_refuses_turns_that_it_does_not_have() -> None:
    text = Swapping.text.replace("color_4: 0x04}}\n", "color_4: 0x04, nuisance: 0x07, popping: 0x08}}\n", 1)
    with pytest.raises(MapError, match="The simulator turns a satellite about its pivot, and the map mine lists other"):
        whole_edition(map_of(text)).simulator.machine(None)


@pytest.mark.slow
@pytest.mark.jit
def test_the_command_checks_the_size_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(Upward.text, encoding="utf-8")
    bad.write_text(DEMO.replace("columns: 6", "columns: 2"), encoding="utf-8")
    assert main(["maps", "check", str(good)]) == 0
    assert main(["maps", "check", str(bad)]) == 2
    assert "Pairs are played on 4 to 12 columns, and this grid has 2: correct it." in capsys.readouterr().err
