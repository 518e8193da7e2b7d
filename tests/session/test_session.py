"""What the options become: bridge, emulator speed, seed, map, number of games."""

from __future__ import annotations

import contextlib
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emubot import bridges, games
from emubot.bridges import AS_SET, EmuSpeed
from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import bench, main
from emubot.datafiles import shipped
from emubot.errors import UsageError
from emubot.games.colours.trials import yardsticks as pairs_yardsticks
from emubot.games.strength import Strength
from emubot.games.tetris.trials import yardsticks
from emubot.games.thinker import EngineThinker
from emubot.games.trial import Comparison
from emubot.pilot import Pilot, Skill
from emubot.rammap import load_map
from emubot.session import SessionRequest, emulators
from emubot.session.session import open_session
from emubot.trace import read_trace
from emubot.trials import executors
from emubot.weight_parts import ValueSet
from emubot.weights import load_weights
from tests.bridges.cores import require_core
from tests.families import whole_edition, whole_game

SIMULATED = ["--demo", "tetris", "--bridge", "simulated", "--view", "none", "--json"]


def played(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert main(["play", *map(str, words)]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


@pytest.mark.parametrize(("word", "factor"), [("1", 1.0), ("2", 2.0), ("max", None)])
def test_emulator_speed_reaches_the_bridge(
    word: str, factor: float | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    speeds: list[object] = []
    real = bridges.open_bridge

    def open_bridge(name: str, **options: Any) -> Any:
        speeds.append(options["emu_speed"])
        return real(name, **{**options, "emu_speed": None})

    monkeypatch.setattr(emulators, "open_bridge", open_bridge)
    played(capsys, *SIMULATED, "--pieces", "1", "--emu-speed", word)
    assert speeds == [factor]


@pytest.mark.jit
@pytest.mark.parametrize(("emu_speed", "ahead"), [(1.0, True), (AS_SET, True), (None, False)])
@pytest.mark.parametrize("demo", ["tetris", "puyo"])
def test_a_bot_thinks_ahead_where_frames_take_time(
    demo: str, emu_speed: EmuSpeed, ahead: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[object] = []
    monkeypatch.setattr(EngineThinker, "prepare", lambda _, snapshot, chosen: prepared.append(chosen))
    real = bridges.open_bridge
    monkeypatch.setattr(emulators, "open_bridge", lambda name, **options: real(name, **{**options, "emu_speed": None}))
    request = SessionRequest(demo=demo, bridge="simulated", emu_speed=emu_speed, strengths=(Strength(0),) * 2)
    with contextlib.closing(open_session(request)) as opened:
        opened.pilot(opened.seats[0], opened.goal(3, None)).run()
    assert len(prepared) == (3 if ahead else 0)


def test_a_seed_is_another_game_on_the_simulator(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*SIMULATED, "--emu-speed", "max", "--pieces", "12", "--level", "18", "--nodes", "500"]
    first, again, other = (played(capsys, *words, "--seed", seed) for seed in ("1", "1", "2"))
    assert (first["score"], first["frames"]) == (again["score"], again["frames"])
    assert (first["score"], first["frames"]) != (other["score"], other["frames"])
    assert first["fps"] > 60


@pytest.mark.parametrize("others", [{"human": 0}, {"human": 1}, {"against_itself": True}])
def test_the_generator_is_never_read_where_somebody_else_plays(others: dict[str, Any]) -> None:
    request = SessionRequest(demo="tetris", bridge="simulated", aware=True, **others)
    with pytest.raises(UsageError, match="--rng aware chooses the pieces, so it is played alone"):
        open_session(request)


def test_pads_that_come_late_cannot_choose_pieces() -> None:
    game = whole_game("tetris")
    ram_map = load_map(game.facts.default_map)
    bridge = SimulatedBridge(whole_edition(ram_map).simulator.machine(None), latency=1)
    with pytest.raises(UsageError, match="--rng aware times every frame, and simulator does not take each pad"):
        Pilot(bridge, edition=game.open(ram_map), skill=Skill(aware=True))


@pytest.mark.jit
def test_json_says_in_which_class_a_game_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*SIMULATED, "--emu-speed", "max", "--pieces", "8", "--level", "18", "--nodes", "1"]
    blind, aware = (played(capsys, *words, "--rng", rng) for rng in ("blind", "aware"))
    assert (blind["rng"], blind["pauses"], blind["called"]) == ("blind", 0, 0)
    assert (aware["rng"], aware["called"], aware["called_right"], aware["misplaced"]) == ("aware", 7, 7, 0)


def test_one_game_is_played_unless_pieces_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["0", *SIMULATED, "--emu-speed", "max", "--level", "19", "--nodes", "1"]
    one = played(capsys, *words)
    assert (one["result"], one["games"]) == ("game over", 1)
    two = played(capsys, *words, "--games", "2")
    assert (two["result"], two["games"]) == ("game over", 2)
    more = played(capsys, *words, "--pieces", str(one["pieces"] + 5))
    assert (more["result"], more["pieces"], more["games"]) == ("pieces", one["pieces"] + 5, 1)
    assert more["players"][0]["pieces"] == more["pieces"]


@pytest.mark.core("fceumm")
def test_a_seed_is_another_game_on_a_cartridge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So many more frames pass before START, and the generator with them."""
    core = require_core("fceumm")
    counters = []
    for seed in (0, 25):
        path = tmp_path / f"{seed}.npz"
        words = ["--demo", "tetris", "--core", core, "--emu-speed", "max", "--view", "none", "--json", "--pieces", "1"]
        played(capsys, *words, "--seed", str(seed), "--record", path)
        trace = read_trace(path)
        low, high = (int(trace.initial[trace.fields.index(name)]) for name in ("frame_lo", "frame_hi"))
        counters.append(256 * high + low)
    assert counters[1] - counters[0] == 25


@pytest.mark.core("fceumm")
def test_a_map_that_is_named_goes_before_the_one_that_lists_the_cartridge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.yaml"
    shutil.copy(shipped("ram_maps") / "nes_tetris_usa.yaml", own)
    path = tmp_path / "game.npz"
    core = require_core("fceumm")
    words = ["--demo", "tetris", "--core", core, "--emu-speed", "max", "--view", "none", "--json", "--pieces", "1"]
    played(capsys, *words, "--map", own, "--record", path)
    assert read_trace(path).about["map"] == "own"


def time_little(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in {"_SEARCHES": 2, "_DECISIONS": 3, "_PIECES": 300}.items():
        monkeypatch.setattr(yardsticks, name, small)
    for name in ("_DROPS", "_VALUES", "_DECISIONS"):
        monkeypatch.setattr(pairs_yardsticks, name, 2)
    monkeypatch.setattr(pairs_yardsticks, "_GAMES", 1)


def simulate_little(monkeypatch: pytest.MonkeyPatch, frames: int) -> None:
    """Tetris simulates so many frames, the others a hundredth, each about as long; all play few pieces."""
    for name in games.names():
        options = games.game(name).options
        few = replace(options.bench, frames=max(frames if name == "tetris" else frames // 100, 5), pieces=50)
        monkeypatch.setattr(type(games.game(name)), "options", replace(options, bench=few))


@pytest.mark.core("fceumm")
def test_bench_measures_what_it_says(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    core = require_core("fceumm")
    monkeypatch.setenv("EMUBOT_CORES", str(core.parent))
    small_ones = {
        "_DECISIONS": 5,
        "_BATCHES": 2,
        "_BATCH": 120,
    }
    for name, small in small_ones.items():
        monkeypatch.setattr(bench, name, small)
    simulate_little(monkeypatch, 70_000)
    time_little(monkeypatch)
    assert main(["bench", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"matching", "puyo", "tetris", "bridge"}
    for family in ("matching", "puyo", "tetris"):
        assert told[family]["simulator_frames_per_second"] > 0
        assert told[family]["pieces_per_second"] > 0
        assert told[family]["decision_ms"]["p50"] > 0
        assert "rows" not in told[family]
    for speed in ("reach_searches", "leaves", "textbook_evaluations"):
        assert told["tetris"][f"{speed}_per_second"] > 1000, speed
    for speed in ("placements", "chain_values", "shape_values", "beam_nodes", "beam_decisions"):
        assert told["puyo"][f"{speed}_per_second"] > 0, speed
    row = next(row for row in told["bridge"] if "FCEUmm" in row["core"])
    assert 0 < row["ratio_low"] <= row["ratio"] <= row["ratio_high"]
    assert row["ratio"] == pytest.approx(row["whole_us"] / row["bare_us"], rel=0.5)
    assert main(["bench", "pastry"]) == 2


@pytest.mark.slow
def test_bench_plays_the_rows_that_strength_is_compared_by(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same games as `evaluate` plays with these settings."""
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
    monkeypatch.setattr(bench, "_DECISIONS", 5)
    simulate_little(monkeypatch, 700)
    time_little(monkeypatch)
    words = ["bench", "tetris", "--json", "--quiet", "--games", "3", "--seed", "4"]
    assert main([*words, "--row", "B-TYPE"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["tetris"]["rows"]
    assert main("evaluate tetris --type b --height 5 --taps 12hz --games 3 --seed 4 --json --quiet".split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert row["row"] == "B-type 18-5"
    assert row["figures"] == {name: told[name] for name in row["figures"]}
    assert row["settings"].items() >= {"type": "b", "height": 5, "start_level": 18}.items()
    assert row["cpu_ms_per_decision"] > 0
    assert row["settings"]["weights"] == "nes_tetris"
    assert row["figure"] == "score"


def test_bench_plays_battles_against_the_opponents_own_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same battles as `evaluate` plays; a set of the opponent's file does not play."""
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
    monkeypatch.setattr(bench, "_DECISIONS", 5)
    simulate_little(monkeypatch, 5)
    time_little(monkeypatch)
    chains = load_weights("chains")
    own = ValueSet(
        rules="tsu", colors=(4,), aim="battle", features=chains.features, values=(-1.0,) * len(chains.values)
    )
    file = tmp_path / "chains.json"
    file.write_text(chains.model_copy(update={"sets": (own,)}).model_dump_json(), encoding="utf-8")
    row = Comparison("battle", "tsu", {"pairs": 25, "nodes": 500}, "builder", str(file), "sent")
    monkeypatch.setattr(pairs_yardsticks, "comparisons", lambda: (row, replace(row, name="again", figure=None)))
    assert main("bench puyo --json --quiet --games 3 --seed 4".split()) == 0
    first, second = json.loads(capsys.readouterr().out)["puyo"]["rows"]
    words = "evaluate puyo --rules tsu --battle builder chains --pairs 25 --nodes 500 --games 3 --seed 4 --json --quiet"
    assert main(words.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert first["figures"] == second["figures"] == {name: told[name] for name in first["figures"]}
    assert (first["figure"], second["figure"]) == ("sent", "win_rate")
    assert (first["settings"]["weights"], first["settings"]["against"]) == ("builder", str(file))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tetris --games 3 --row nothing", "No row has 'nothing' in its name; known: 12 Hz to 230 lines"),
        ("bridge --games 3", "There is no table of strength for bridge: leave out --games."),
        ("puyo --games 3 --row nothing", "known: tsu, 50 pairs, two known"),
        ("tetris --row 12", "--row chooses among the rows that --games plays: say how many games"),
    ],
)
def test_bench_refuses_rows_that_there_are_not_before_it_measures(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["bench", *words.split()])
    except SystemExit as ended:
        code = int(ended.code or 0)
    assert code == 2
    assert said in capsys.readouterr().err
