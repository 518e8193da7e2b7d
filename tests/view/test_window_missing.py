"""Without pygame: one sentence with the remedy, exit code 2, and nothing else of emubot minds."""

from __future__ import annotations

import pytest

from emubot.extras import WINDOW
from tests.bridges.cores import child

ABSENT = "import sys; sys.modules['pygame'] = None\n"


@pytest.mark.parametrize("name", ["Window", "load_bindings", "Bindings", "Controls"])
def test_the_remedy_is_named(name: str) -> None:
    code = (
        ABSENT + "from emubot.errors import UsageError\n"
        "try:\n"
        f"    from emubot.view.window import {name}\n"
        "except UsageError as error:\n"
        "    print(error, error.exit_code)\n"
    )
    done = child(code)
    assert done.stdout == f"{WINDOW.refusal()} 2\n"
    assert done.stderr == ""


def test_the_package_is_imported_without_pygame_and_layout_and_buttons_need_none() -> None:
    code = ABSENT + "import emubot.view.window, emubot.view.window.layout, emubot.view.window.held; print('fine')"
    assert child(code).stdout == "fine\n"


def test_what_it_has_not_is_told_as_python_does() -> None:
    done = child("import emubot.view.window as window; print(hasattr(window, 'nothing'))")
    assert done.stdout == "False\n"


def test_pygame_says_nothing_on_stdout() -> None:
    from tests.view.stage import require_pygame

    require_pygame()
    done = child("from emubot.view.window import Window; print('only this')")
    assert (done.stdout, done.stderr) == ("only this\n", "")
