"""How a command refuses, for tests."""

from __future__ import annotations

import pytest


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """What was said: one line on stderr, nothing on stdout."""
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("emubot: ")
    assert said.err.count("\n") == 1, said.err
    return said.err
