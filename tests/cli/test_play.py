"""`emubot play`: what it refuses and how it says so, its words, its JSON, its ends."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from emubot import interrupts
from emubot.bridges.simulated import SimulatedBridge
from emubot.cartridge import SIZE_LIMIT, load_cartridge
from emubot.cli import main
from emubot.cli import play as play_command
from emubot.datafiles import shipped
from emubot.demos import image
from emubot.pad import Pad
from emubot.pilot import Match
from emubot.systems.signals import ending
from emubot.trace import read_trace
from tests.cli.refusals import sentence
from tests.conftest import MakeCartridge

SIMULATED = ["--demo", "tetris", "--bridge", "simulated", "--emu-speed", "max", "--view", "none"]
WEIGHTS = ["--weights", "meatfighter"]


def play(line: str, *words: str | Path) -> int:
    """The exit code of `emubot play LINE WORDS`."""
    return main(["play", *line.split(), *map(str, words)])


# What to play.


def test_nothing_to_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--bridge libretro") == 2
    assert "name yours with --rom FILE, or a --demo" in sentence(capsys)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "There is no file "),
        (b"", "is empty"),
        (b"just words", "is not a cartridge image but a text file"),
        (b"NES\x1a\x02\x01" + bytes(3000), "is truncated: its header promises 40,976 bytes and the file has 3,006"),
        (b"NES\x1a\xff\xff\x00\x08\x00\x77" + bytes(100), "more than any cartridge"),
        (b"NES\x1a\x02\x01" + bytes(SIZE_LIMIT), "is larger than 4,194,304 bytes"),
        (b"FDS\x1a" + bytes(100), "a disk image"),
        (b"PK\x03\x04 no zip", "cannot be unpacked"),
    ],
)
def test_a_file_that_is_no_cartridge(
    content: bytes | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.nes"
    if content is not None:
        file.write_bytes(content)
    assert play("--rom", file) == 2
    assert words in sentence(capsys)


def test_an_unknown_cartridge_is_said_in_three_lines_with_its_hash_and_the_way_on(
    make_cartridge: MakeCartridge, capsys: pytest.CaptureFixture[str]
) -> None:
    file = make_cartridge()
    assert play("--rom", file) == 2
    said = sentence(capsys)
    assert f"SHA-1 {load_cartridge(file).sha1})" in said
    for words in ("--map NAME", "emubot play --rom FILE --discover", "emubot maps list"):
        assert words in said
    assert len(textwrap.wrap(said, 80)) <= 3


def test_a_refused_look_alike_says_why(
    make_cartridge: MakeCartridge, user_config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = make_cartridge()
    text = (shipped("ram_maps") / "nes_tetris_usa.yaml").read_text(encoding="utf-8")
    refused = text.index("refuses:")
    old = text[text.index('sha1: "', refused) + 7 :][:40]
    (user_config / "ram_maps").mkdir()
    own = user_config / "ram_maps" / "nes_tetris_usa.yaml"
    own.write_text(text.replace(old, load_cartridge(file).sha1), encoding="utf-8")
    assert play("--rom", file) == 2
    assert "This is Tetris (USA) by Tengen: it is another game of that name" in sentence(capsys)


# Where.


def test_a_cartridge_without_a_core_is_an_error_that_names_the_remedy(
    no_core: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play("--rom", image("tetris")) == 3
    said = sentence(capsys)
    assert 'No NES core found. Run "emubot core install"' in said
    assert str(no_core) in said


def test_a_core_that_is_no_core(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core = tmp_path / "text_libretro.so"
    core.write_text("no core", encoding="utf-8")
    assert play("--demo tetris --core", core) == 3
    assert "is not a libretro core: it is a text file." in sentence(capsys)
    core.unlink()
    assert play("--demo tetris --core", core) == 3
    assert "There is no core file" in sentence(capsys)


@pytest.mark.usefixtures("no_core")
@pytest.mark.parametrize("asked", [["--core", "nestopia"], ["--bridge", "libretro"]])
def test_a_core_that_was_asked_for_is_not_replaced(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--demo tetris", *asked) == 3
    assert 'Run "emubot core install"' in sentence(capsys)


@pytest.mark.jit
@pytest.mark.usefixtures("no_core")
def test_the_demo_without_a_core_plays_on_the_simulator_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--demo tetris --emu-speed max --view none --pieces 3 --json", *WEIGHTS) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["bridge"] == "simulated"
    assert "No NES core found" in said.err
    assert "playing the demo on the simulator instead" in said.err


def test_the_simulator_runs_no_cartridge(make_cartridge: MakeCartridge, capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--bridge simulated --rom", make_cartridge()) == 2
    assert "leave out --rom, or take --bridge libretro" in sentence(capsys)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--map none", "There is no address map 'none'; known are "),
        ("--map none.yaml", "none.yaml cannot be read (No such file or directory); check the path."),
        ("--map BAD.yaml", "BAD.yaml:1: "),
        ("--weights none", "'none': known are "),
        ("--weights none.json", "none.json"),
        ("--weights BAD.json", "BAD.json: "),
    ],
)
def test_a_missing_or_wrong_map_or_weights_file(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("BAD.yaml", "BAD.json"):
        Path(name).write_text("[1, 2]\n", encoding="utf-8")
    assert play(words, *SIMULATED) == 2
    assert said in sentence(capsys)


# How.


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("11", "'11' is not understood: play takes one speed from 0 to 10, AIvsAI, and a cartridge's FILE."),
        ("-3", "'-3' is not understood"),
        ("fast", "'fast' is not understood"),
        ("5 6", "'6' is not understood: play takes one speed"),
        ("5 --taps 12hz", "Give a speed (5) or --taps 12hz, not both"),
        ("--taps XX", "Taps cannot be 'XX': use 10hz, 12hz"),
        ("--taps 61hz", "Taps cannot be '61hz'"),
        ("--level 20", "has level 0 to 19, not 20"),
        ("--level 29", "Tetris (USA), Nintendo has level 0 to 19, not 29."),
        ("--type c", "invalid choice: 'c' (choose from"),
        ("--type b --height 6", "Tetris (USA), Nintendo has height 0 to 5, not 6."),
        ("--height 3", "--height is the height of the garbage in B-type: add --type b, or leave it out."),
        ("--type a --height 3", "--height is the height of the garbage in B-type: add --type b"),
        ("--level high", "'high' is not a whole number of at least 0"),
        ("--colors 5", "has no choice of colors in its menus"),
        ("--mode versus", "has no such mode to choose"),
        ("--speed2 3", "--speed2, --weights2 and --nodes2 are the second bot's: add AIvsAI."),
        ("--nodes2 0", "--speed2, --weights2 and --nodes2 are the second bot's: add AIvsAI."),
        ("AIvsAI --speed2 11", "'11' is not a whole number from 0 to 10"),
        ("--human 1 --view web --mode endless", "--human is a game for two, you against the bot: leave out --mode"),
        ("--human 1", "--human needs --view window"),
        ("AIvsAI --mode endless", "AIvsAI is a game for two"),
        ("AIvsAI --rng aware", "--rng aware chooses the pieces, so it is played alone: leave out AIvsAI and --human"),
        ("--rng all", "invalid choice: 'all' (choose from"),
        ("--nodes few", "'few' is not a whole number of at least 0"),
        ("--budget-ms soon", "'soon' is not a number of milliseconds above 0, at most 60,000"),
        ("--budget-ms 0", "'0' is not a number of milliseconds above 0"),
        ("--budget-ms inf", "'inf' is not a number of milliseconds above 0"),
        ("--nodes 9 --budget-ms 4", "argument --budget-ms: not allowed with argument --nodes"),
        (
            "--rng aware --nodes 0",
            "--rng aware searches beyond two pieces: give --nodes of at least 1, or leave it out.",
        ),
        ("--rng aware --budget-ms 4", "--rng aware has a budget of boards: give --nodes instead of --budget-ms."),
        ("--aim fun", "Tetris is not played for 'fun': --aim is one of score, lines, survive."),
        ("--aggression 1.5", "'1.5' is not a number from 0 to 1"),
        ("--aim survive --aggression 0.2", "--aim survive takes as little risk as can be: leave out --aggression."),
        (
            "--nodes 0 --aggression 0.2",
            "Two pieces by features, --nodes 0, know no price of death: leave out",
        ),
        ("--type b --aim lines", "B-type is played for its goal: leave out --aim."),
        ("--see-next 241", "'241' is not a whole number from 0 to 240"),
        ("--threads 0", "'0' is not a whole number from 1 to 64"),
        (
            "--rng aware --see-next 5",
            "--rng aware chooses the pieces itself: leave out --see-next, --threads, --aim, --aggression",
        ),
        ("--pieces 0", "'0' is not a whole number of at least 1"),
        ("--seed -1", "'-1' is not a whole number of at least 0"),
    ],
)
def test_a_wrong_speed_level_or_count(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(words, *SIMULATED) == 2
    assert said in sentence(capsys)


def test_a_game_without_a_generator_to_read_is_never_played_aware(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--demo puyo --bridge simulated --rng aware --pieces 1") == 2
    assert "The family puyo has no search that reads the generator: leave out --rng" in sentence(capsys)


@pytest.mark.jit
@pytest.mark.parametrize("line", ["AIvsAI", "5 aivsai", "AIVSAI 5", "5 --level 3 AIvsAI", "--level 3 aiVSai 5"])
def test_the_two_words_of_old_in_any_order_and_case(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(f"{line} --pieces 3 --json", *SIMULATED) == 0
    told = json.loads(capsys.readouterr().out)
    assert [player["pieces"] for player in told["players"]] == [3, 3]
    assert told["pieces"] == 6


@pytest.mark.jit
def test_two_consoles_on_the_simulator_get_the_same_pieces(tmp_path: Path) -> None:
    """However fast each player is: a slow one and a quick one."""
    words = "9 AIvsAI --speed2 4 --pieces 30 --level 9 --emu-speed max --quiet"
    assert play(words, *SIMULATED, "--record", tmp_path / "game.npz") == 0
    dealt = []
    for name in ("game.npz", "game-player2.npz"):
        trace = read_trace(tmp_path / name)
        spawns = np.flatnonzero(np.diff(trace.column("spawn_count").astype(int)))
        dealt.append(trace.column("next_piece")[spawns + 1][:28].tolist())
    assert dealt[0] == dealt[1]
    assert len(set(dealt[0])) == 7


@pytest.mark.jit
@pytest.mark.parametrize("line", ["7 --pieces 2 --json", "--pieces 2 7 --json", "--pieces 2 --json 7"])
def test_the_speed_may_stand_between_options(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.npz"
    assert play(line, *SIMULATED, *WEIGHTS, "--record", record) == 0
    capsys.readouterr()
    assert read_trace(record).about["taps"] == "speed 7"


# What comes out.


@pytest.mark.jit
def test_json_is_one_object_on_stdout_with_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--pieces 8 --level 18 --json", *SIMULATED, *WEIGHTS) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.count("\n") == 1
    result = json.loads(said.out)
    player = {"pieces", "lines", "score", "level", "misplaced", "replans", "lag_frames", "decision_ms"}
    assert set(result) >= player | {"game", "bridge", "core", "frames", "fps", "result", "players"}
    assert set(result["decision_ms"]) == {"p50", "p99", "max"}
    assert [set(one) >= player for one in result["players"]] == [True]
    facts = {"game": "tetris", "bridge": "simulated", "pieces": 8, "misplaced": 0, "replans": 0, "result": "pieces"}
    assert {name: result[name] for name in facts} == facts


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("name", ["nes_tetris_usa", "nes_tetris_europe"])
def test_b_type_is_played_to_its_goal(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.npz"
    words = f"--bridge simulated --map {name} --type b --height 2 --level 9 --emu-speed max --view none --json"
    assert play(words, "--record", record) == 0
    result = json.loads(capsys.readouterr().out)
    figures = {"games": 1, "completed": 1, "lines": 25, "level": 9, "misplaced": 0, "replans": 0}
    assert {name: result[name] for name in figures} == figures
    trace = read_trace(record)
    assert trace.about["asked"] == {"level": 9, "type": 1, "height": 2}
    left = trace.column("lines_lo").astype(int)
    assert left[0] == 0x25
    assert 1 <= left[-1] <= 4, "a recording ends before the frame that counts the last lines"
    assert (np.diff(left) <= 0).all()
    assert main(["trace", "verify", str(record)]) == 0


@pytest.mark.jit
def test_a_pal_game_is_played_and_replayed_by_its_own_timing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.npz"
    words = "--bridge simulated --map nes_tetris_europe --level 18 --pieces 12 --emu-speed max --view none --json"
    assert play(words, "--record", record) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["pieces"], result["misplaced"], result["replans"]) == (12, 0, 0)
    assert main(["trace", "verify", str(record)]) == 0
    assert main(["trace", "verify", str(record), "--map", "nes_tetris_usa"]) == 1


@pytest.mark.jit
def test_nodes_are_the_budget_of_a_decision(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--pieces 4 --level 18 --taps 12hz --emu-speed max --json --quiet --nodes"
    valued = []
    for nodes in (0, 1500, 6000):
        assert play(f"{words} {nodes}", *SIMULATED) == 0
        valued.append(json.loads(capsys.readouterr().out)["nodes"] / 4)
    assert valued[0] < 1500 < valued[1] < 6000 < valued[2]


@pytest.mark.jit
def test_a_time_is_the_budget_of_a_decision(capsys: pytest.CaptureFixture[str]) -> None:
    """What it was enough for is reported beside it."""
    words = "--pieces 6 --level 18 --taps 12hz --emu-speed max --json --quiet"
    assert play(f"{words} --budget-ms 20", *SIMULATED) == 0
    timed = json.loads(capsys.readouterr().out)
    assert timed["budget_ms"] == 20.0
    assert timed["nodes_per_decision"] == round(timed["nodes"] / 6)
    assert timed["misplaced"] == timed["replans"] == 0
    assert play(f"{words} --nodes 1", *SIMULATED) == 0
    assert json.loads(capsys.readouterr().out)["budget_ms"] is None


@pytest.mark.jit
def test_modes_are_reported_with_the_adjustments(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--pieces 12 --level 18 --taps 30hz --emu-speed max --json --quiet --nodes 500"
    assert play(f"{words} --see-next 18 --aim lines --aggression 0.2", *SIMULATED) == 0
    late = json.loads(capsys.readouterr().out)
    assert {name: late[name] for name in ("see_next", "aim", "aggression")} == {
        "see_next": 18,
        "aim": "lines",
        "aggression": 0.2,
    }
    assert (late["misplaced"], late["replans"]) == (0, 0)
    assert late["adjustments"] > 0
    assert play(words, *SIMULATED) == 0
    plain = json.loads(capsys.readouterr().out)
    assert (plain["see_next"], plain["aim"], plain["aggression"], plain["adjustments"]) == (0, None, None, 0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--see-next 5", "The search of this game needs the next piece: leave out --see-next."),
        ("--threads 2", "The search of this game has one thread: leave out --threads."),
        ("--aim fun", "Pairs are not played for 'fun': --aim is one of score, chain, survive, battle."),
        ("--aim lines", "Pairs are not played for 'lines': --aim is one of score, chain, survive, battle."),
        ("--aggression 1", "Pairs have no --aggression: leave it out."),
        ("--nodes 100000001", "--nodes of pairs is 0 to 100,000,000, not 100,000,001."),
    ],
)
def test_pairs_refuse_modes_that_they_do_not_have(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(f"--demo puyo --bridge simulated {words} --pieces 1") == 2
    assert sentence(capsys) == f"emubot: {said}\n"


@pytest.mark.jit
def test_the_second_bot_thinks_with_nodes_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    valued = []
    for words in ("--nodes 0", "--nodes 0 --nodes2 3000", "--budget-ms 50 --nodes2 0"):
        assert play(f"AIvsAI --pieces 2 --json --quiet {words}", *SIMULATED) == 0
        valued.append([player["nodes"] for player in json.loads(capsys.readouterr().out)["players"]])
    (first, same), (alone, more), (most, fewest) = valued
    assert first == alone
    assert same < 3000 < more
    assert fewest < 3000 < most


@pytest.mark.parametrize("words", ["--demo puyo --height 3", "--demo capsules --height 3"])
def test_what_only_another_game_has_is_not_completed(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(f"{words} --bridge simulated") == 2
    assert "has no choice of height in its menus" in sentence(capsys)


def test_a_cartridge_without_b_type_refuses_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--demo tetris --type b") == 2
    assert sentence(capsys) == "emubot: emubot demo, falling blocks has type a only, not b.\n"


@pytest.mark.jit
def test_without_json_a_summary_on_stderr_and_quietly_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--pieces 2", *SIMULATED, *WEIGHTS) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("pieces: 2 pieces, ")
    assert play("--pieces 2 -q", *SIMULATED, *WEIGHTS) == 0
    assert capsys.readouterr() == ("", "")


def test_a_recording_that_cannot_be_written_is_told_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play_command, "_play", lambda *_: pytest.fail("it began to play"))
    assert play("--record", tmp_path / "none" / "game.npz", *SIMULATED, *WEIGHTS) == 4
    assert "game.npz cannot be written: there is no folder" in sentence(capsys)
    assert play("--record", tmp_path, *SIMULATED, *WEIGHTS) == 2
    assert "is a folder; name a file in it." in sentence(capsys)


# Ctrl-C.


@pytest.mark.xdist_group("signals")
@pytest.mark.jit
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), AttributeError("'record' object has no attribute 'data'")])
def test_an_interrupt_lets_go_of_the_pad_and_writes_what_was_recorded(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one that compiled code reports as another failure."""
    pressed: list[Pad] = []
    advance, press = SimulatedBridge.advance, SimulatedBridge.press

    def interrupted(bridge: SimulatedBridge) -> int:
        if bridge.frame > 200 and pressed[-1]:  # a button is down
            monkeypatch.setattr(interrupts, "came", lambda: True)
            raise failure
        return advance(bridge)

    def heard(bridge: SimulatedBridge, port: int, pad: Pad) -> None:
        pressed.append(pad)
        press(bridge, port, pad)

    monkeypatch.setattr(SimulatedBridge, "advance", interrupted)
    monkeypatch.setattr(SimulatedBridge, "press", heard)
    record = tmp_path / "game.npz"
    assert play("--json", *SIMULATED, *WEIGHTS, "--record", record) == 130
    result = json.loads(capsys.readouterr().out)
    assert result["result"] == "interrupted"
    assert pressed[-1] == Pad.NONE
    assert read_trace(record).frames > 100


@pytest.mark.jit
def test_an_interrupt_while_the_view_is_closed_is_reported_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextlib.contextmanager
    def closed_slowly(_: object, match: Match, *others: object) -> Iterator[Callable[[], None]]:
        yield match.step
        raise KeyboardInterrupt

    monkeypatch.setattr(play_command, "shown", closed_slowly)
    record = tmp_path / "game.npz"
    assert play("--json --pieces 2", *SIMULATED, *WEIGHTS, "--record", record) == 130
    assert json.loads(capsys.readouterr().out)["recorded"] == [str(record)]


@pytest.mark.xdist_group("signals")
@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, *(pytest.param(other, marks=pytest.mark.slow) for other in (ending()[0], ending()[-1]))],
)
def test_ctrl_c_and_sigterm_at_full_speed_end_with_130_and_one_line(tmp_path: Path, number: signal.Signals) -> None:
    emubot = Path(sys.executable).with_name("emubot")
    command = [str(emubot)] if emubot.exists() else [sys.executable, "-m", "emubot"]
    # Weights that love holes: games are short, so that files appear soon.
    text = (shipped("weights") / "meatfighter.json").read_text(encoding="utf-8")
    weights = json.loads(text)
    weights["values"] = [-value for value in weights["values"]]
    (tmp_path / "bad.json").write_text(json.dumps(weights), encoding="utf-8")
    words = ["play", *SIMULATED, "--weights", "bad.json", "--games", "100000", "--record", "game.npz"]
    with subprocess.Popen([*command, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as child:
        deadline = time.monotonic() + 120
        while not (tmp_path / "game-2.npz").exists() and time.monotonic() < deadline:
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(number)
        told = child.communicate(timeout=20)[1].splitlines()
    assert child.returncode == 130, told
    told = [line for line in told if not line.startswith("Compiling")]
    assert told[0].startswith("interrupted: ")
    assert " frames on " in told[1]
    assert all(line.startswith("recorded: ") for line in told[2:])
    last = read_trace(tmp_path / told[-1].removeprefix("recorded: "))
    assert last.frames > 0
