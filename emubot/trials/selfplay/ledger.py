"""The finished part of a self-play run: units and their summed counts, in memory and in a file; plays nothing itself.

A ledger holds whole units only. So ledgers of separate runs add up to what one run would have counted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from emubot.atomic import locked, write_whole
from emubot.errors import StorageError, UsageError
from emubot.files import UnsuitableFile, read_regular
from emubot.games.counts import Counts
from emubot.trials.selfplay.units import MOST_UNITS, ranges
from emubot.trials.statistics import Estimate, Sums
from emubot.weights import Weights

_FORMAT: Final = "emubot self-play 2"

MAX_BYTES: Final = 1 << 24  # of a file


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides what a unit counts, except its seed: only ledgers with equal settings may be summed."""

    emubot: str
    game: str
    rules: str
    options: Mapping[str, Any]  # of the rules: colors, gravity ...
    weights: str  # a name for people
    weights_sha256: str
    unit: int  # pieces

    def as_dict(self) -> dict[str, Any]:
        """Returns the settings under their names."""
        return {name: getattr(self, name) for name in _SETTINGS}


_SETTINGS: Final = tuple(Settings.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Squares:
    """Sums over whole units, plain and squared: of what the locks of a unit left behind, and of its score."""

    heights: int = 0
    heights_squared: int = 0
    score: int = 0
    score_squared: int = 0

    def __add__(self, other: Squares) -> Squares:
        return Squares(*(getattr(self, name) + getattr(other, name) for name in _SQUARES))


_SQUARES: Final = tuple(Squares.__dataclass_fields__)


@dataclass(slots=True)
class Ledger:
    """Finished units by seed, with their sum."""

    settings: Settings
    units: dict[int, set[int]] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    squares: Squares = field(default_factory=Squares)

    def add(self, seed: int, index: int, counts: Counts) -> None:
        """Count unit `index` of a seed's run. Raises ValueError if it was counted before or is not whole."""
        if counts.pieces != self.settings.unit:
            raise ValueError(f"a unit has {self.settings.unit} pieces, not {counts.pieces}")
        if index in self.units.get(seed, ()):
            raise ValueError(f"unit {index} of seed {seed} is counted already")
        self.units.setdefault(seed, set()).add(index)
        self.counts += counts
        left = sum(value * int(times) for value, times in enumerate(counts.heights))
        self.squares += Squares(left, left * left, counts.score, counts.score * counts.score)

    def merged(self, other: Ledger, where: str) -> Ledger:
        """Returns both ledgers as one; `where` names the other in messages. Raises UsageError if they do not fit."""
        self.agree(other.settings, where)
        units = {seed: set(indices) for seed, indices in self.units.items()}
        for seed, indices in other.units.items():
            both = units.setdefault(seed, set()) & indices
            if both:
                raise UsageError(
                    f"{where} holds unit {min(both)} of seed {seed}, and so does the sum: leave one of them out."
                )
            units[seed] |= indices
        return Ledger(self.settings, units, self.counts + other.counts, self.squares + other.squares)

    def agree(self, settings: Settings, where: str) -> None:
        """Raise UsageError, which names the differences, unless `settings` are this ledger's."""
        ours, theirs = self.settings.as_dict(), settings.as_dict()
        differ = [f"{name} {theirs[name]} instead of {ours[name]}" for name in _SETTINGS if ours[name] != theirs[name]]
        if differ:
            raise UsageError(
                f"{where} was made with other settings ({', '.join(differ)}): use the same ones, or another file."
            )

    @property
    def finished(self) -> int:
        """The number of finished units."""
        return sum(len(indices) for indices in self.units.values())

    @property
    def mean_height(self) -> Estimate | None:
        """What a lock left behind. The error is from the units' differences: locks of one unit are not independent."""
        return self._per_piece(self.squares.heights, self.squares.heights_squared)

    @property
    def score_per_piece(self) -> Estimate | None:
        """Points per lock. The error is from the units' differences."""
        return self._per_piece(self.squares.score, self.squares.score_squared)

    def _per_piece(self, total: int, squared: int) -> Estimate | None:
        per_unit = Sums(total, squared, self.finished).estimate()
        return per_unit and per_unit.scaled(1 / self.settings.unit)

    def to_json(self) -> str:
        """Returns the file's text, with a checksum of its whole content."""
        stored = {
            "format": _FORMAT,
            "settings": self.settings.as_dict(),
            "units": {str(seed): ranges(list(indices)) for seed, indices in sorted(self.units.items())},
            "counts": self.counts.as_dict(),
            "squares": {name: getattr(self.squares, name) for name in _SQUARES},
        }
        return json.dumps(stored | {"sha256": _digest(stored)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Ledger:
        """Returns the ledger that `to_json` wrote. Raises ValueError for any other text."""
        try:
            stored = json.loads(text)
        except RecursionError as nested:
            raise ValueError("too deeply nested") from nested
        if not isinstance(stored, dict) or stored.get("format") != _FORMAT:
            raise ValueError("not a self-play file of this version")
        checksum = stored.pop("sha256", None)
        if checksum != _digest(stored):
            raise ValueError("its checksum is wrong")
        settings = Settings(**stored["settings"])
        units = {int(seed): _indices(spans) for seed, spans in stored["units"].items()}
        ledger = cls(settings, units, Counts.from_dict(stored["counts"]), Squares(**stored["squares"]))
        if ledger.counts.pieces != ledger.finished * settings.unit:
            raise ValueError("its units do not make up its pieces")
        return ledger


def settings_of(
    game: str, rules: str, options: Mapping[str, Any], name: str, weights: Weights, unit: int, version: str
) -> Settings:
    """Returns settings with the checksum of the weights' features, values and sets; `version` is emubot's."""
    sets = [values.model_dump(mode="json", exclude={"provenance"}) for values in weights.sets]
    vector = json.dumps([weights.game, weights.features.version, weights.features.names, weights.values, *sets])
    return Settings(version, game, rules, options, name, hashlib.sha256(vector.encode()).hexdigest(), unit)


def _indices(spans: Any) -> set[int]:
    indices: set[int] = set()
    for first, end in spans:
        if not 0 <= first < end <= MOST_UNITS:
            raise ValueError("a range of units is impossible")
        indices |= set(range(first, end))
    return indices


def _digest(stored: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()


def read_ledger(path: Path) -> Ledger:
    """Returns the ledger in a file. Raises UsageError if it is missing or damaged, StorageError if it is unreadable."""
    try:
        content = read_regular(path, MAX_BYTES)
    except FileNotFoundError:
        raise UsageError(f'There is no {path}; make one with "emubot selfplay GAME --pieces N --out {path}".') from None
    except UnsuitableFile as wrong:
        raise UsageError(f"{path} is not a self-play file: {wrong.strerror}; use another file.") from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    try:
        return Ledger.from_json(content.decode("utf-8"))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as damage:
        raise UsageError(
            f"{path} is damaged or not a self-play file ({damage}): use a copy of it, or another file to start again."
        ) from damage


def write_ledger(ledger: Ledger, path: Path) -> None:
    """Write this ledger to the file, or leave the file as it was. Raises StorageError."""
    write_whole(path, ledger.to_json().encode("utf-8"))


def held(path: Path) -> AbstractContextManager[None]:
    """Reserve the file for this run. Raises UsageError if another run has it."""
    return locked(path.with_name(f".{path.name}.lock"), path, "name another file")
