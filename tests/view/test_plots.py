"""Plots are real pictures that show what they are given; without matplotlib one sentence says what to do."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from emubot.errors import StorageError, UsageError
from emubot.view import plots

HISTOGRAM = [5, 40, 200, 300, 200, 40, 5]
CURVE = [(x / 10, 0.3) for x in range(70)]


def draw(path: Path, reference: tuple[str, float] | None = None) -> None:
    plots.draw_distribution(path, HISTOGRAM, CURVE, "the fit", "puyos", "a title", reference)


def test_a_png_of_a_fixed_size(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.png"
    draw(path)
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (1200, 1050)
    assert len(content) > 20_000


def test_no_window_system_is_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    code = (
        "import sys; from pathlib import Path; from emubot.view.plots import draw_intervals\n"
        "draw_intervals(Path(sys.argv[1]), [('one', 1.0, 0.5, 2.0), ('other', 90.0, None, None)], 'lines', 'a title')\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    path = tmp_path / "bars.png"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=120)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_what_is_drawn_is_what_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure_module = pytest.importorskip("matplotlib.figure")
    drawn: list[Any] = []
    monkeypatch.setattr(figure_module.Figure, "savefig", lambda self, *_, **__: drawn.append(self))
    draw(tmp_path / "curve.png", ("published maximum", 37.0))
    upper, lower = drawn[0].axes
    assert [bar.get_height() for bar in upper.patches] == pytest.approx([times / 790 for times in HISTOGRAM])
    assert upper.get_title() == "a title"
    assert lower.get_xlabel() == "puyos after a lock"
    assert (upper.get_yscale(), lower.get_yscale()) == ("linear", "log")
    assert upper.get_xlim()[1] > 37
    labels = [entry.get_text() for entry in upper.get_legend().get_texts()]
    assert set(labels) == {"790 locks", "the fit", "published maximum"}
    assert [tuple(point) for point in upper.lines[0].get_xydata()] == CURVE


def test_nothing_played_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plots.draw_distribution(tmp_path / "none.png", [0], [(0.0, 0.0)], "the fit", "puyos", "nothing")
    assert (tmp_path / "none.png").stat().st_size > 1000


def test_without_matplotlib_one_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"Pictures of figures need matplotlib .*'matplotlib>="):
        draw(tmp_path / "curve.png")


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(StorageError, match=r"curve\.png cannot be written: No such file"):
        draw(tmp_path / "none" / "curve.png")
