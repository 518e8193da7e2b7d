"""Bindings: defaults that collide nowhere, a file that changes them, and one sentence for every mistake in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emubot.errors import UsageError
from emubot.pad import Pad
from tests.paths import ROOT
from tests.special_files import posix_only
from tests.view.stage import require_pygame

pygame = require_pygame()

from emubot.view.window.bindings import (  # noqa: E402
    BUTTONS,
    DEFAULTS,
    KEYS,
    Bindings,
    WindowCommand,
    bindings_file,
    load_bindings,
)
from emubot.view.window.gamepads import SOURCES  # noqa: E402
from emubot.view.window.help import (  # noqa: E402
    MEANINGS,
    button_key,
    help_lines,
    key_name,
    keys_line,
)


def written(folder: Path, text: str) -> Path:
    file = folder / "keys.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_have_every_command_and_button_and_collide_nowhere(user_config: Path) -> None:
    bindings = load_bindings()
    assert set(bindings.commands().values()) == set(WindowCommand) == set(MEANINGS)
    for port in (0, 1):
        assert set(bindings.keys(port).values()) == set(BUTTONS.values()) == {one for one in Pad if one}
        assert not set(bindings.keys(port)) & set(bindings.commands())
    assert set(bindings.gamepad().values()) == set(BUTTONS.values())
    assert bindings.keys(0)[pygame.K_LEFT] == Pad.LEFT
    assert bindings.keys(1)[pygame.K_x] == Pad.A
    assert bindings.commands()[pygame.K_ESCAPE] is WindowCommand.QUIT
    assert bindings.gamepad()["dpad_down"] == Pad.DOWN


def test_the_defaults_written_as_a_file_are_the_defaults(tmp_path: Path) -> None:
    lines = []
    for table, entries in DEFAULTS.items():
        lines.append(f"[{table}]")
        lines += [f"{entry} = {list(names)!r}" for entry, names in entries.items()]
    assert load_bindings(written(tmp_path, "\n".join(lines))) == Bindings(DEFAULTS)


def test_the_users_own_file_changes_what_it_names_and_nothing_else(user_config: Path) -> None:
    file = bindings_file()
    assert file == user_config / "window" / "keys.toml"
    file.parent.mkdir()
    file.write_text('[port2]\na = "k"\nb = ["l", "kp0"]\n[commands]\nmute = []\n[gamepad]\nstart = "button7"\n')
    bindings = load_bindings()
    assert bindings.keys(1)[pygame.K_k] == Pad.A
    assert bindings.keys(1)[pygame.K_KP0] == Pad.B
    assert pygame.K_x not in bindings.keys(1)
    assert bindings.keys(1)[pygame.K_LEFT] == Pad.LEFT
    assert bindings.keys(0) == Bindings(DEFAULTS).keys(0)
    assert WindowCommand.MUTE not in bindings.commands().values()
    assert bindings.gamepad()["button7"] == Pad.START
    assert "start" not in bindings.gamepad()
    assert ("K", "button A") in help_lines(bindings, 1, {})
    assert ("X", "turn right (A)") in help_lines(bindings, 0, {Pad.A: "turn right"})
    assert ("no key", "sound off and on") in help_lines(bindings, None, {})


def test_keys_have_the_names_that_people_know(user_config: Path) -> None:
    bindings = load_bindings()
    shown = dict(line[::-1] for line in help_lines(bindings, 0, {Pad.START: "pause"}))
    assert shown["pause (START)"] == "Enter"
    assert shown["for menus (SELECT)"] == "Right Shift, Backspace"
    assert shown["for menus (LEFT)"] == "Arrow left"
    assert shown["bot slower"] == "-, keypad -"
    assert shown["this list"] == "F1"
    assert button_key(bindings, 0, Pad.START) == "Enter (START)"
    line = keys_line(bindings, 1, {Pad.LEFT: "left", Pad.A: "turn right"})
    assert line == "Arrow left: left · X: turn right · F1: all keys"
    assert button_key(bindings, 0, Pad.A | Pad.START) == "X + Enter (A+START)"
    names = [key_name(name) for name in KEYS]
    assert len(set(names)) == len(names), "no two keys of one name"
    jargon = [name for name in names if re.search(r"[a-z]_|_[a-z]|^[a-z]{2,}$|kp|shift$", name)]
    assert jargon == []


def test_what_a_map_does_with_two_buttons_together_names_both_keys() -> None:
    uses = {Pad.A: "turn left", Pad.A | Pad.B: "turn right"}
    bindings = Bindings(DEFAULTS)
    assert keys_line(bindings, 0, uses) == "X: turn left · X + Z: turn right · F1: all keys"
    assert ("X + Z", "turn right (A+B)") in help_lines(bindings, 0, uses)
    keyless = Bindings({**DEFAULTS, "port1": {**DEFAULTS["port1"], "b": ()}})
    assert keys_line(keyless, 0, uses) == "X: turn left · F1: all keys"
    assert ("no key", "turn right (A+B)") in help_lines(keyless, 0, uses)
    assert button_key(keyless, 0, Pad.A | Pad.B) == "A+B of your gamepad"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[port3]\n", "there is no table 'port3' (did you mean port2?); there are commands, port1, port2, gamepad."),
        ('port1 = "x"\n', "port1 must be a table, written [port1] on a line of its own."),
        (
            '[port1]\njump = "x"\n',
            "[port1] has no entry 'jump'; there are a, b, select, start, up, down, left, right.",
        ),
        (
            '[commands]\nquitt = "q"\n',
            "[commands] has no entry 'quitt' (did you mean quit?); there are help, pause, save, load, speed_1,",
        ),
        (
            '[port1]\na = "lefft"\n',
            "[port1] a: there is no key 'lefft' (did you mean left?); docs/how-to/window.md lists",
        ),
        ('[port1]\na = "§§§§"\n', "[port1] a: there is no key '§§§§'; docs/how-to/window.md lists the"),
        ('[gamepad]\na = "dpad_uq"\n', "[gamepad] a: there is no button 'dpad_uq' (did you mean dpad_up?)"),
        ("[port1]\na = 5\n", '[port1] a is 5: write one name such as "x", or a list of names such as ["x", "y"].'),
        ("[port1]\na = [5]\n", "[port1] a is [5]: write one name"),
        ('[port1]\na = "p"\n', "p is both [commands] pause and [port1] a: give one of them another name."),
        ('[port2]\na = "left"\n', "left is both [port2] a and [port2] left: give one of them another name."),
        ('[gamepad]\na = "start"\n', "start is both [gamepad] a and [gamepad] start"),
        ('[port1]\na = "x"\na = "k"\n', "is not TOML: Cannot overwrite a value (at line 3"),
        ("[port1\n", "is not TOML:"),
    ],
)
def test_a_mistake_is_one_sentence_with_file_entry_and_what_is_allowed(tmp_path: Path, text: str, said: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_bindings(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert said in message
    assert message.endswith((".", "?"))
    assert "\n" not in message


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_bindings(tmp_path / "none.toml")
    file = tmp_path / "binary.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not TOML"):
        load_bindings(file)


@pytest.mark.parametrize("text", ["x = " + "[" * 20_000, "x = " + "{a=" * 10_000, "[" + "a." * 20_000 + "a]\n"])
def test_a_file_that_is_nested_deeply_is_one_sentence(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_bindings(file)
    assert str(caught.value).startswith(f"{file}")
    assert len(str(caught.value)) < 400


@posix_only
def test_a_device_or_a_huge_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="it is a device, not a regular file"):
        load_bindings(Path("/dev/zero"))
    with pytest.raises(UsageError, match="it is larger than 65,536 bytes"):
        load_bindings(written(tmp_path, "#" * 65_537))


def test_a_key_has_one_name() -> None:
    assert len(set(KEYS.values())) == len(KEYS)
    assert "kp0" in KEYS
    assert "kp_0" not in KEYS


def test_the_page_has_every_name_and_its_example_is_accepted(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "window.md").read_text(encoding="utf-8")
    names = [*KEYS, *SOURCES, *(entry for entries in DEFAULTS.values() for entry in entries)]
    ranges = re.compile(r"[0-9a-z]|f[0-9]+|button[0-9]+")  # written with dots between the first and the last
    assert [name for name in names if f"`{name}`" not in page and not ranges.fullmatch(name)] == []
    bindings = load_bindings(written(tmp_path, page.split("```toml\n")[1].split("```")[0]))
    assert bindings.keys(0)[pygame.K_w] == Pad.UP
    assert bindings.commands()[pygame.K_SPACE] is WindowCommand.PAUSE
