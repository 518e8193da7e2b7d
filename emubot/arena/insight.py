"""Explains a bot's decisions while it plays, in a thread: candidates, values, taps; presses and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from emubot.errors import EmubotError
from emubot.explanation import ExplainOptions, Explanation
from emubot.games.edition import Depiction, Edition
from emubot.games.explainer import Explainer
from emubot.games.strength import OWN, Strength
from emubot.jit.sources import leaves_uncompiled
from emubot.pad import Pad, describe
from emubot.snapshot import Phase, Piece, Placement, Snapshot, Step
from emubot.tempo import Tempo
from emubot.weights import Weights

CANDIDATES: Final = 12  # explained of a decision, best first


class Insight:
    """One side's decisions in words and cells. `tell` is called with plain data, from a thread.

    Each message names its piece: the game goes on while an explanation is made. A decision is skipped if another one
    follows before its turn comes.
    """

    def __init__(
        self,
        edition: Edition,
        weights: Weights,
        tempo: Tempo,
        tell: Callable[[dict[str, Any]], None],
        strength: Strength = OWN,
    ) -> None:
        self._explainer, self._depiction, self._weights, self._tempo = (
            edition.explainer,
            edition.depiction,
            weights,
            tempo,
        )
        self._tell, self._strength = tell, explained_strength(edition, strength)
        self._thread = ThreadPoolExecutor(1, "insight")
        self._latest: tuple[int, Placement] | None = None  # the latest decision: the piece, and where it is to lock
        self._failed = False

    def see(self, snapshot: Snapshot, chosen: Placement | None, piece: int) -> None:
        """Look at a frame; explains each decision. `piece` is the number of pieces that have locked before this one."""
        if snapshot.phase is not Phase.PLAYING or snapshot.current is None or chosen is None:
            return
        decision = (piece, chosen)
        if decision == self._latest or self._failed or self._explainer is None:
            return
        self._latest = decision
        self._tell(
            {"event": "plan", "piece": piece, "inputs": runs_of(chosen.timeline), "frames": len(chosen.timeline)}
        )
        self._thread.submit(self._explain, self._explainer, snapshot, decision)

    def close(self) -> None:
        """End the thread; nothing is told any more."""
        self._tell = _nobody
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _explain(self, explainer: Explainer, snapshot: Snapshot, decision: tuple[int, Placement]) -> None:
        if decision != self._latest:
            return
        piece, chosen = decision
        try:
            own = self._strength
            options = ExplainOptions(own.nodes, CANDIDATES, games=0, aim=own.aim, aggression=own.aggression)
            explained = explainer.explain(snapshot, self._weights, self._tempo, options)
            words = candidates_of(explained, self._depiction, snapshot, chosen)
        except EmubotError as failure:
            self._failed = True
            words = {"piece": None, "placements": [], "meaning": str(failure), "unit": ""}
        self._tell({"event": "insight", "piece": piece, **words})


def explained_strength(edition: Edition, strength: Strength) -> Strength:
    """Returns the strength at which decisions are explained here: kernels that are not compiled would take minutes."""
    return edition.at_once if leaves_uncompiled() else strength


def _nobody(words: dict[str, Any]) -> None:
    """Drop what comes too late."""


def candidates_of(
    explained: Explanation, depiction: Depiction | None, snapshot: Snapshot, chosen: Placement
) -> dict[str, Any]:
    """Returns the best placements as plain data: cells, value, name, parts; and what the values mean."""
    return {
        "unit": explained.unit,
        "meaning": explained.meaning,
        "nodes": explained.nodes,
        "placements": [
            {
                "name": one.name,
                "value": one.value,
                "chosen": one.placement == chosen,
                "cells": _cells(depiction, snapshot, one.placement),
                "parts": [{"name": part.name, "value": part.value, "amount": part.amount} for part in one.parts],
            }
            for one in explained.placements
        ],
    }


def runs_of(timeline: Sequence[Step]) -> list[dict[str, Any]]:
    """Returns the buttons of a timeline: each run of frames with the same ones held, the next frame being 1."""
    runs: list[dict[str, Any]] = []
    for frame, step in enumerate(timeline, start=1):
        buttons = "" if step.pad == Pad.NONE else describe(step.pad)
        if runs and runs[-1]["buttons"] == buttons and runs[-1]["last"] == frame - 1:
            runs[-1]["last"] = frame
        elif buttons:
            runs.append({"first": frame, "last": frame, "buttons": buttons})
    return runs


def _cells(depiction: Depiction | None, snapshot: Snapshot, placement: Placement) -> list[list[int]]:
    if depiction is None:
        return []
    piece = Piece(placement.orientation, placement.column, placement.row)
    return [[cell.column, cell.row] for cell in depiction.cells(snapshot, piece)]
