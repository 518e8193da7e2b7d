"""`emubot maps learn`: a cartridge nobody knows is played, and the map that is written knows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from strangers import Looks, open_with_menus, stranger

from emubot.bridges import open_bridge
from emubot.cli import main, session
from emubot.games import game
from emubot.rammap import load_map, map_for_identity
from emubot.weights import load_weights

GAME = game("puyo")


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> Looks:
    """A cartridge of which only the addresses are known, in place of what the options would open."""
    made = stranger(7)
    looks = Looks(made, np.random.default_rng(7))

    def opened(want: session.Wanted) -> session.Session:
        bridge = open_bridge("simulated", machine=looks)
        seat = session.Seat(bridge, 0, True, load_weights(GAME.default_weights), want.tempos[0])
        return session.Session(GAME, open_with_menus(made), [bridge], [seat], {}, 0)

    monkeypatch.setattr(session, "open_session", opened)
    return looks


def learn(*words: str) -> int:
    return main(["maps", "learn", "--bridge", "simulated", "--demo", "puyo", *words])


@pytest.mark.jit
def test_the_written_map_plays_what_nobody_knew(
    unknown: Looks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.yaml"
    assert learn("--pieces", "40", "--out", str(file)) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "emubot: piece 1: found empty, mask; still open: pieces, piece_codes.\n" in captured.err
    assert "everything in use is known; never seen: color_6, nuisance" in captured.err
    assert main(["maps", "check", str(file)]) == 0
    learnt = load_map(file)
    assert learnt.identities == ()
    assert "gravity" not in learnt.timing
    truth = unknown.truth
    assert {entry.id: entry.cells for entry in learnt.pieces} == {entry.id: entry.cells for entry in truth.pieces}


@pytest.mark.jit
def test_without_a_file_the_map_is_printed_and_json_says_what_is_known(
    unknown: Looks, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn("--pieces", "3", "-q") == 1, "with so few pieces something is left open"
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.startswith("# Learnt by emubot from pairs_7 in ")
    assert "title: pairs of seed 7\n" in printed.out
    assert learn("--pieces", "30", "-q", "--json") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["map"] == "pairs_7"
    assert told["open"] == []
    assert "color_6" in told["never_seen"]
    assert "seen in the locks of" in told["evidence"]["grid.cell.kinds.color_1"]


def test_a_map_that_leaves_nothing_open_has_nothing_to_learn(capsys: pytest.CaptureFixture[str]) -> None:
    assert map_for_identity("simulated:demo_pairs").learns == ()
    assert learn("--map", "demo_pairs") == 2
    assert "leaves nothing open" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["learn", "check"], ["learn", "--pieces", "0"], ["learn", "--out", "/nowhere/x.yaml"]]
)
def test_wrong_usage(words: list[str]) -> None:
    try:
        code = main(["maps", *words])
    except SystemExit as ended:
        code = int(str(ended.code))
    assert code in {2, 4}


def test_help_and_the_other_actions_do_not_learn(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["maps", "learn", "--help"])
    assert ended.value.code == 0
    assert "--pieces" in capsys.readouterr().out
    assert main(["maps", "check", "nes_tetris_usa"]) == 0
