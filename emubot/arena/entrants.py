"""Whose weights may play on a wall, by ids: those that ship, the user's own, and the best of each training; no page.

An id is a kind and a name of a list that this machine made: weights with a short name, training runs, and families.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from emubot.arena import runs
from emubot.arena.catalogue import families
from emubot.datafiles import shipped
from emubot.errors import EmubotError, UsageError
from emubot.games import game
from emubot.training.folder import FINISHED, WEIGHTS, latest
from emubot.training.history import read_history
from emubot.weight_parts import MOST_WEIGHT, FeatureSet
from emubot.weights import FOLDER, SUFFIX, Weights, known_weights, load_weights

_KNOWN, _RUN, _OWN = "weights:", "run:", "own:"
_MOST_RUNS: Final = 48  # the latest


def listed() -> list[dict[str, Any]]:
    """Returns everybody: `id`, `title`, `family`, and the kind: "shipped", "own" or "run".

    `usual` are those by which a family plays that is told nothing. What is damaged is left out. Reads files.
    """
    found, known = [], known_weights()
    usual = {name: family.facts.default_weights for name, family in families().items()}
    for name in known:
        with suppress(EmubotError):
            family = load_weights(name).game
            kind = "shipped" if (shipped(FOLDER) / f"{name}{SUFFIX}").exists() else "own"
            entry = {"id": _KNOWN + name, "title": name, "family": family, "kind": kind}
            found.append(entry | {"usual": usual.get(family) == name})
    for family, path in usual.items():
        if path not in known:  # of an installed family
            found.append({"id": _OWN + family, "title": family, "family": family, "kind": "shipped", "usual": True})
    for name in runs.names()[:_MOST_RUNS]:
        with suppress(EmubotError):
            weights = best_of(runs.path_of(name))
            if weights is not None:
                found.append({"id": _RUN + name, "title": name, "family": weights.game, "kind": "run", "usual": False})
    return found


def title_of(entrant: str) -> str:
    """Returns what an entrant is called. Raises UsageError if the lists have no such id."""
    if entrant.startswith(_KNOWN) and entrant.removeprefix(_KNOWN) in known_weights():
        return entrant.removeprefix(_KNOWN)
    if entrant.startswith(_RUN):
        runs.path_of(entrant.removeprefix(_RUN))
        return entrant.removeprefix(_RUN)
    if entrant.startswith(_OWN) and entrant.removeprefix(_OWN) in families():
        return entrant.removeprefix(_OWN)
    raise UsageError(f"There are no weights {entrant!r}: choose some from the list.")


def load_entrant(entrant: str) -> Weights:
    """Returns the weights of an entrant. Raises UsageError if there are none, WeightsError if they are damaged."""
    title_of(entrant)
    if entrant.startswith(_KNOWN):
        return load_weights(entrant.removeprefix(_KNOWN))
    if entrant.startswith(_OWN):
        return load_weights(families()[entrant.removeprefix(_OWN)].facts.default_weights)
    weights = best_of(runs.path_of(entrant.removeprefix(_RUN)))
    if weights is None:
        raise UsageError(f"{entrant.removeprefix(_RUN)} has finished no generation yet: choose other weights.")
    return weights


def best_of(run: Path) -> Weights | None:
    """Returns a training's best individual: its result, or what it would be now; None before its first generation."""
    if (run / FINISHED).exists():
        return load_weights(str(run / WEIGHTS))
    checkpoint = latest(run)
    reports = read_history(run) if checkpoint is not None else []
    if checkpoint is None or not reports:
        return None
    names, values = tuple(checkpoint.settings["features"]), reports[-1].weights
    if len(values) == len(names):
        family = checkpoint.settings["game"]
        scale = min(1.0, MOST_WEIGHT / max(1.0, *map(abs, values)))
        features = FeatureSet(version=game(family).facts.feature_version, names=names)
        return Weights(game=family, features=features, values=tuple(scale * value for value in values))
    from emubot.training.plan import TrainingPlan

    return TrainingPlan.of(checkpoint.settings).trainer(checkpoint.state).individuals()[0]
