"""A program that watches each frame begins before anything is compiled; one that names a seed waits as ever."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import emubot
from emubot.pilot import Tally
from emubot.session import readiness
from emubot.session.making import Making

pytestmark = pytest.mark.jit


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine on which nothing is compiled and nothing will be; the names of the maps that were to be compiled."""
    begun: list[str] = []

    def start(ram_map: Any) -> Any:
        begun.append(ram_map.name)
        return SimpleNamespace(is_off=False, ready=False, failed=False, progress=None, close=lambda: None)

    monkeypatch.setattr(readiness, "can_be_made_apart", lambda ram_map: True)
    monkeypatch.setattr(Making, "start", start)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    return begun


def test_a_program_with_a_callback_begins_at_once(cold: list[str]) -> None:
    frames: list[int] = []
    tally = emubot.play(demo="puyo", pieces=2, on_frame=lambda view: frames.append(view.frame))
    assert isinstance(tally, Tally)
    assert (tally.pieces, tally.misplaced) == (2, 0)
    assert cold == ["demo_pairs"]
    assert len(frames) < 300, "both pairs were dropped by a bot, not by gravity"


@pytest.mark.parametrize("more", [{"seed": 0}, {"on_frame": None}], ids=["a seed", "nobody watches"])
def test_what_is_to_be_the_same_again_waits_for_its_kernels(cold: list[str], more: dict[str, Any]) -> None:
    options = {"on_frame": lambda view: None, **more}
    tally = emubot.play(demo="puyo", pieces=1, **options)
    assert isinstance(tally, Tally)
    assert (tally.pieces, cold) == (1, [])
