"""What a newcomer gets wrong: each wrong line and each poor place ends in one true sentence, or in a readable board."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from emubot.cli import main
from emubot.text import is_one_line
from tests.special_files import posix_only

FILES = {
    "empty": b"",
    "empty.nes": b"",
    "empty.npz": b"",
    "empty.json": b"",
    "empty.yaml": b"",
    "page.nes": b"<!doctype html><title>404</title>",
    "short.nes": b"NES\x1a" + bytes(5),
    "torn.zip": b"PK\x03\x04torn",
    "torn.npz": b"PK\x03\x04" + bytes(50),
    "torn.json": b"{",
    "torn.yaml": b"title: [",
    "ünd er.nes": b"",
    "words.txt": b"hello\n",
}
HELP = '--help-all" lists what there is.'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that are none of what they seem, and a folder."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.nes").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(words: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence with which a command refuses these words, with this exit code."""
    assert main(words) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("emubot: ")
    assert said.err.count("\n") == 1, said.err
    assert is_one_line(said.err.rstrip("\n"))
    assert "mistake in emubot" not in said.err
    return said.err.removeprefix("emubot: ")


WORDS = [  # the wrong word first, or a word too few or too many
    ("tetris", "there is no command 'tetris'; did you mean \"emubot play --demo tetris\"?"),
    ("empty.nes", 'did you mean "emubot play empty.nes"?'),
    ("--demo tetris", "there is no option '--demo'; did you mean \"emubot play --demo tetris\"?"),
    ("install", 'did you mean "emubot core install"?'),
    ("discover", 'did you mean "emubot maps discover"?'),
    ("version", 'did you mean "emubot --version"?'),
    ("bridge_script fceux", 'did you mean "emubot bridge-script"?'),
    ("help plays", 'did you mean "emubot play"?'),
    ("help core instal", "core has no action 'instal' (did you mean install?)"),
    (
        "play --speed 5",
        'The speed is a word of its own, as in "emubot play 5"; --emu-speed is how fast the console runs.',
    ),
    (
        "play 99 --demo tetris",
        "'99' is not understood: play takes one speed from 0 to 10, AIvsAI, and a cartridge's FILE.",
    ),
    ("play -5 --demo tetris", "'-5' is not understood: play takes one speed from 0 to 10"),
    ("play 5 6 --demo tetris", "'6' is not understood: play takes one speed from 0 to 10"),
    ("play five --demo tetris", "'five' is not understood: "),
    ("play tetris --demo", f'argument --demo: expected one argument; "emubot play {HELP}'),
    ("play -demo tetris", "unrecognized arguments: -demo (did you mean --demo?)"),
    ("play --level nine", "argument --level: 'nine' is not a whole number of at least 0"),
    ("play --level -1", "argument --level: '-1' is not a whole number of at least 0"),
    ("play --human 3", "argument --human: '3' is not a whole number from 1 to 2"),
    ("play --human 1 --demo tetris", "--human needs --view window or web, or a running emulator"),
    ("play --taps fast --demo tetris", "Taps cannot be 'fast': use 10hz, 12hz"),
    ("play --taps 12hz 5 --demo tetris", "Give a speed (5) or --taps 12hz, not both"),
    ("play --nodes 5 --budget-ms 3", "argument --budget-ms: not allowed with argument --nodes"),
    ("play --port 8888", "--port needs --bridge: which of nintaco, fceux"),
    ("play --port 99999", "argument --port: '99999' is not a whole number from 1 to 65535"),
    ("play --wait forever", "argument --wait: 'forever' is not a whole number of at least 0"),
    ("core install fceumm nestopia", 'unrecognized arguments: nestopia; "emubot core --help" lists'),
    ("maps check", "check needs at least one FILE;"),
    ("maps discover", "Name the cartridge to experiment with: --rom FILE, or a --demo."),
    ("trace verify", "verify needs a FILE;"),
    ("trace record --demo tetris", 'record needs a FILE before the options of "emubot play"'),
    ("review", "the following arguments are required: GAME;"),
    ("selfplay", "give either a GAME or --sum FILE;"),
    ("selfplay tetris --pieces 1e6", "argument --pieces: '1e6' is not a whole number of at least 1"),
    (
        "selfplay tetris --pieces 10 --colors 4",
        "--colors is an option of puyo and matching, not of tetris: leave it out",
    ),
    ("evaluate chess", "There is no game 'chess'; known: tetris, puyo, matching."),
    ("evaluate tetris --battle dt10", "argument --battle: expected 2 arguments"),
    ("train tetris", "the following arguments are required: --method, --out"),
    ("train tetris --method genetic --out x", "argument --method: invalid choice: 'genetic' (choose from battle, ga, "),
    ("bench --row x", "--row chooses among the rows that --games plays"),
    ("bridge-script nes", "argument emulator: invalid choice: 'nes' (choose from fceux, mesen, "),
    ("completion fish", "argument shell: invalid choice: 'fish' (choose from bash, zsh)"),
    ("clean everything", "there is nothing 'everything' to remove: caches, cores, "),
    ("config set", "set takes a NAME and a VALUE;"),
]


@pytest.mark.parametrize(("line", "said"), WORDS)
def test_a_wrong_line(line: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refusal(line.split(), 2, capsys)
    assert {path.name for path in here.iterdir()} == {*FILES, "folder", "folder.nes"}, "nothing was written"


PLACES = [  # a file that is none, is missing, or cannot be there
    ("play --rom empty", 2, "empty is empty; give it a cartridge image in the iNES or NES 2.0 format."),
    ("play page.nes", 2, "page.nes is not a cartridge image but "),
    ("play short.nes", 2, "short.nes is truncated inside its header (9 of 16 bytes)"),
    ("play torn.zip", 2, "torn.zip cannot be unpacked"),
    ("play folder.nes", 2, "folder.nes is a folder; name the cartridge file inside it."),
    ("play folder", 2, "'folder' is a folder: name the cartridge's FILE in it."),
    ("play|ünd er.nes", 2, "ünd er.nes is empty; "),
    ("play|no such ünder.nes", 2, "There is no file no such ünder.nes; check the path"),
    (
        "play --demo tetris --map empty.yaml",
        2,
        "empty.yaml:1: found nothing, a map begins with a key such as `title:`.",
    ),
    ("play --demo tetris --map torn.yaml", 2, "torn.yaml:1: this is not YAML: "),
    ("play --demo tetris --bridge simulated --weights empty.json", 2, "empty.json: not a weights file ("),
    ("play --demo tetris --bridge simulated --weights reference", 2, "These weights are for puyo, not for tetris"),
    ("play --demo tetris --record folder", 2, "folder is a folder; name a file in it."),
    (
        "play --demo tetris --record none/x.npz",
        4,
        "none/x.npz cannot be written: there is no folder none; make it first.",
    ),
    ("play --demo tetris --gif none/x.gif", 4, "none/x.gif cannot be written: there is no folder none; make it first."),
    ("trace verify empty.npz", 2, "empty.npz is not a recorded game: it is damaged or no .npz file"),
    ("trace show torn.npz", 2, "torn.npz is not a recorded game: "),
    ("trace verify folder", 2, "folder cannot be read as a trace: it is a folder, not a regular file."),
    ("review torn.json", 2, "torn.json is no recorded match: its text: Invalid JSON: "),
    ("arena empty.json --no-open", 2, "empty.json is no recorded match: "),
    ("explain nothing.txt", 2, "There is no file nothing.txt: name a recorded game or a board in text."),
    ("explain words.txt", 2, ""),
    ("maps check folder", 2, "There is no address map 'folder'; known are "),
    ("maps discover --rom empty.nes", 2, "empty.nes is empty; "),
    ("train plot folder", 2, "There is no training run in folder: name the folder given to --out."),
    ("train watch nothing", 2, "There is no training run in nothing: name the folder given to --out."),
]


@pytest.mark.parametrize(("line", "code", "said"), PLACES)
def test_a_wrong_file(line: str, code: int, said: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if line.startswith("train plot"):
        pytest.importorskip("matplotlib")
    assert said in refusal(line.split("|" if "|" in line else None), code, capsys)


@pytest.mark.parametrize("columns", ["20", *(pytest.param(one, marks=pytest.mark.slow) for one in ("1", "0", "many"))])
def test_help_and_lists_on_any_width(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for line, word in (
        ("play --help", "--demo"),
        ("maps list", "nes_tetris_usa"),
        ("clean", ""),
        ("play --hlep", "--help"),
    ):
        with contextlib.suppress(SystemExit):
            main(line.split())
        said = capsys.readouterr()
        assert word in said.out + said.err


class Keyboard(io.TextIOWrapper):
    """A terminal on which somebody types."""

    def isatty(self) -> bool:
        return True


def test_who_is_to_draw_a_board_is_told_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard(io.BytesIO(b"hello\n")))
    assert main(["explain", "-"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == "emubot: draw the board here, its floor last; Ctrl-D on a line of its own ends it."
    assert second.startswith("emubot: ")


# In places where a program of its own is needed: each line, and what it ends with.
EACH = """
import os, sys
from emubot.cli import main
for line in sys.argv[1:]:
    code = main(line.split("|"))
    sys.stdout.flush()
    print("code", code, file=sys.stderr, flush=True)
"""


def in_a_place(
    before: str, lines: list[str], folder: Path, environment: dict[str, str], **streams: int
) -> list[tuple[str, int]]:
    """What one child says of each line, and its exit code, after it has run the statements `before`."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import os\n{before}\n{EACH}", *lines],
        cwd=folder,
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **streams},  # type: ignore[call-overload]
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "mistake in emubot" not in done.stderr, done.stderr
    parts = re.split(r"code (\d+)\n", done.stderr)
    return [(said, int(code)) for said, code in zip(parts[::2], parts[1::2], strict=False)]


SHORT = "play|--demo|tetris|--bridge|simulated|--pieces|1|--emu-speed|max|--view|none"


@posix_only
def test_everything_at_once(tmp_path: Path) -> None:
    """A folder that is gone, a home that is none, a locale of ASCII, and no stdin."""
    gone = "folder = os.getcwd(); os.mkdir('gone'); os.chdir('gone'); os.rmdir(folder + '/gone')"
    home = {"HOME": os.devnull, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    lines = [
        "maps|list",
        "play|ünd er.nes",
        "explain|-",
        "config|path",
        "trace|verify|x.npz",
        "bridge-script|fceux",
        "clean",
    ]
    names = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "EMUBOT_CONFIG")
    before = f"for name in {names}: os.environ.pop(name, None)\n{gone}\nimport sys; sys.stdin = None"
    told = in_a_place(before, lines, tmp_path, home)
    assert told == [
        ("", 0),
        ("emubot: There is no file und er.nes; check the path of the cartridge image.\n", 2),
        ("emubot: A board has 1 to 20 lines of 10 cells, not 0; the floor is the last.\n", 2),
        ("", 0),
        ('emubot: There is no trace x.npz; record one with "emubot trace record".\n', 2),
        (f"emubot: {os.devnull}/.local/share/emubot/scripts cannot be written: Not a directory.\n", 4),
        ("", 0),
    ]


@posix_only
@pytest.mark.slow
@pytest.mark.parametrize("place", ["home", "ascii", "closed"])
def test_a_game_in_a_poor_place(place: str, tmp_path: Path) -> None:
    before, environment = {
        "home": ("", {"HOME": os.devnull, "EMUBOT_CACHE_DIR": f"{os.devnull}/cache"}),
        "ascii": ("", {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}),
        "closed": ("import sys; sys.stdin = sys.stdout = None", {}),
    }[place]
    (said, code), *_ = in_a_place(before, [SHORT], tmp_path, environment)
    assert code == 0
    assert "1 piece, " in said


@posix_only
@pytest.mark.slow
@pytest.mark.parametrize("words", [SHORT, SHORT.replace("|--bridge|simulated", "")])
def test_a_game_in_a_folder_that_is_gone(words: str, tmp_path: Path) -> None:
    before = "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
    (said, code), *_ = in_a_place(before, [words], tmp_path, {})
    assert code == 0 or said.endswith("is no longer there: go to another one.\n"), said  # numba may want a folder


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.slow
def test_a_full_disk_behind_stdout_of_each_kind_of_output(tmp_path: Path) -> None:
    lines = ["completion|bash", "clean", "maps|schema", f"{SHORT}|--json", "core|list|--json", "--help"]
    with Path("/dev/full").open("w") as full:
        for line in lines:
            (said, code), *_ = in_a_place("", [line], tmp_path, {}, stdout=full.fileno())
            assert (said.splitlines()[-1], code) == ("emubot: input or output: No space left on device.", 4), line
