"""The script of `emubot completion`, asked in a real bash: what TAB offers for commands, options, names and files."""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from emubot.cli import COMMANDS, main
from emubot.cli.completion import script_for
from emubot.games.declared import demos
from emubot.rammap.loader import map_names
from emubot.weights import known_weights

# Lines of a person, the last word of which TAB completes, and what is offered.
ASKED = {
    "pl": {"play"},
    "tr": {"train", "trace"},
    "play --emu": {"--emu-speed"},
    "play --emu-speed ": {"1", "2", "max"},
    "play --demo ": {*demos()},
    "play --demo tetris --view b": {"board"},
    "play --map nes_tetris_u": {"nes_tetris_usa"},
    "play --weights dt": {"dt10", "dt20"},
    "play ga": {"game.nes"},
    "play --rom ga": {"game.nes"},
    "play AIv": {"AIvsAI"},
    "maps le": {"learn"},
    "maps learn --pro": {"--probe"},
    "trace ve": {"verify"},
    "trace verify ga": {"game.nes"},
    "core in": {"install"},
    "train te": {"tetris"},
    "train tetris --method cma": {"cmaes"},
    "evaluate puyo --col": {"--colors"},
    "completion ": {"bash", "zsh"},
    "config ge": {"get"},
    "help pl": {"play"},
}


@pytest.fixture(scope="module")
def printed() -> str:
    """What `emubot completion bash` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["completion", "bash"]) == 0
    return out.getvalue()


@pytest.fixture(scope="module")
def bash() -> str:
    found = shutil.which("bash")
    if found is None:
        pytest.skip("no bash")
    return found


def test_tab_in_bash_offers_what_fits(bash: str, printed: str, tmp_path: Path) -> None:
    script = tmp_path / "emubot.bash"
    script.write_text(printed, encoding="utf-8")
    (tmp_path / "game.nes").touch()
    asking = [f"source {script}"]
    for line in ASKED:
        words = ["emubot", *line.split(" ")]
        quoted = " ".join(f"'{word}'" for word in words)
        asking.append(f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMPREPLY=()")
        asking.append('"$(complete -p emubot | sed "s/.*-F \\([^ ]*\\).*/\\1/")"; echo "${COMPREPLY[*]}"')
    done = subprocess.run(
        [bash, "--norc", "-c", "\n".join(asking)], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    offered = [set(line.split()) for line in done.stdout.splitlines()]
    assert dict(zip(ASKED, offered, strict=True)) == ASKED


def test_each_command_is_in_both_scripts(printed: str) -> None:
    for script in (printed, script_for("zsh")):
        for word in (*COMMANDS, "help", *map_names(), *known_weights()):
            assert word in script, word


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh")
def test_zsh_reads_its_script(tmp_path: Path) -> None:
    script = tmp_path / "_emubot"
    script.write_text(script_for("zsh"), encoding="utf-8")
    assert subprocess.run(["zsh", "-n", script], capture_output=True, text=True, check=False).stderr == ""


def test_a_name_that_a_shell_would_run_is_left_out(user_config: Path) -> None:
    (user_config / "ram_maps").mkdir()
    for name in ("$(touch ran)", "a`b`", 'q"uote', "plain-1"):
        (user_config / "ram_maps" / f"{name}.yaml").touch()
    script = script_for("bash")
    assert "plain-1" in script
    for part in ("touch", "`b`", "uote"):
        assert part not in script


def test_a_mistyped_shell_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bsh"]) == 2
    assert "did you mean bash?" in capsys.readouterr().err
