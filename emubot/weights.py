"""weights/*.json <-> a named, finite vector with its provenance; knows no game and no evaluation.

Weights are linear, with one value for each named feature, and may also have value tables and tables of points to come.
Or they are a small network that takes the named features.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError, model_validator

from emubot.atomic import write_whole
from emubot.datafiles import find, shipped, user_config
from emubot.errors import StorageError, WeightsError
from emubot.files import UnsuitableFile, read_regular
from emubot.text import did_you_mean, printable
from emubot.weight_parts import (
    MOST_WEIGHT,
    FeatureSet,
    NetworkLayer,
    PointTables,
    Provenance,
    Strict,
    Tables,
    ValueSet,
    Word,
)

MAX_BYTES: Final = 5 * 1024 * 1024
NETWORK: Final = 1.0  # what follows the linear part of a vector if it is a network
TABLES: Final = 2.0  # and what follows it if there are value tables
TABLES_HEAD: Final = 4  # cells of the tables before their first entry
MOST_SETS: Final = 16  # of tables of points to come, and of values
SUFFIX: Final = ".json"
FOLDER: Final = "weights"
_LONG: Final = re.compile(r"\[\s+(?:-?[0-9][-+.0-9e]*,\s+){32,}[^][]*\]")  # long lists, written on one line


class Weights(Strict):
    """One value for each named feature of a game; a feature that is not named weighs nothing.

    There may also be value tables, whose part is added, tables of the points to come for a deeper search, and sets of
    values for rules and aims. Or, in place of the values, there are the layers of a network whose inputs are the named
    features: between layers only positive values pass, and the last layer has one output.
    """

    game: Word
    features: FeatureSet
    values: tuple[float, ...] = ()
    network: Annotated[tuple[NetworkLayer, ...], Field(max_length=8)] = ()
    tables: Tables | None = None
    points: Annotated[tuple[PointTables, ...], Field(max_length=MOST_SETS)] = ()
    sets: Annotated[tuple[ValueSet, ...], Field(max_length=MOST_SETS)] = ()
    provenance: Provenance = Provenance()

    @model_validator(mode="after")
    def _one_value_each(self) -> Weights:
        names = self.features.names
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise ValueError(f"features named twice: {', '.join(twice)}")
        if self.network:
            if self.tables is not None:
                raise ValueError("a network and value tables do not stand in one file")
            inputs = [len(names), *(len(layer.biases) for layer in self.network)]
            if self.values or [len(layer.weights[0]) for layer in self.network] != inputs[:-1] or inputs[-1] != 1:
                raise ValueError(
                    "a network takes the place of values; each layer takes what the one before gives, the first the "
                    "features, and the last gives one number"
                )
        elif len(self.values) != len(names):
            raise ValueError(f"{len(names)} features but {len(self.values)} values")
        largest = max(map(abs, self._cells()))
        if largest > MOST_WEIGHT:
            remedy = "" if self.network or self.tables else ": divide all values by one number, which changes no choice"
            raise ValueError(f"the largest weight is {largest:,}, and {MOST_WEIGHT:,.0f} is the most{remedy}")
        return self

    def _cells(self) -> Iterator[float]:
        """Yields all numbers that decide how these weights play."""
        yield from self.values
        for layer in self.network:
            yield from itertools.chain(*layer.weights, layer.biases)
        if self.tables is not None:
            yield from self.tables.entries

    def vector(
        self, game: str, names: Sequence[str], version: int, board: tuple[int, int] | None = None
    ) -> NDArray[np.float64]:
        """Returns the values in the order of a game's features, float64 (len(names),), 0 for a feature not named.

        For a network all values are 0. After them come NETWORK, the number of layers, the number of inputs, the index
        of each input among the features, and for each layer its number of outputs, its weights row by row and its
        biases. For weights with tables, the values are followed by TABLES, the tables' version, columns, rows and
        entries; a caller that plays by tables gives the columns and rows of its `board`.
        Raises WeightsError, with the differences, if they are for another game, other features or another board.
        """
        if self.game != game:
            raise WeightsError(f"These weights are for {self.game}, not for {game}: choose weights of that game.")
        given = dict(zip(self.features.names, self.values, strict=False))  # a network has no values
        unknown = [name for name in self.features.names if name not in names]
        if unknown:
            raise WeightsError(
                f"The weights name features that {game} does not have: {', '.join(unknown)}; it has {', '.join(names)}."
            )
        if self.features.version != version:
            raise WeightsError(
                f"The weights are for version {self.features.version} of the features of {game}, this is version "
                f"{version}: train them anew or use the emubot they were made with."
            )
        linear = [given.get(name, 0.0) for name in names]
        return np.array([*linear, *self._network_cells(names), *self._table_cells(board)], dtype=np.float64)

    def _network_cells(self, names: Sequence[str]) -> list[float]:
        if not self.network:
            return []
        own = self.features.names
        cells = [NETWORK, float(len(self.network)), float(len(own)), *(float(names.index(name)) for name in own)]
        for layer in self.network:
            cells += [float(len(layer.biases)), *(value for row in layer.weights for value in row), *layer.biases]
        return cells

    def _table_cells(self, board: tuple[int, int] | None) -> list[float]:
        if self.tables is None:
            return []
        if board is None:
            raise WeightsError(
                f"These weights are value tables of a board of {self.tables.board}, which these rules do not play by: "
                "choose other rules or other weights."
            )
        if board != (self.tables.columns, self.tables.rows):
            raise WeightsError(
                f"These weights are value tables of a board of {self.tables.board}, not of {board[0]}x{board[1]}: "
                "choose that board or other weights."
            )
        return [TABLES, float(self.tables.version), float(board[0]), float(board[1]), *self.tables.entries]


def parse_weights(text: str, where: str) -> Weights:
    """Parse and check a JSON document strictly; `where` names it in messages. Raises WeightsError."""
    try:
        json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constants)
        return Weights.model_validate_json(text)
    except ValidationError as invalid:
        first = invalid.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        raise WeightsError(
            f"{where}: {printable(place)}: {printable(first['msg'])}; correct the file or choose other weights."
        ) from None
    except (ValueError, RecursionError) as invalid:
        raise WeightsError(
            f"{where}: not a weights file ({printable(invalid)}); correct it or choose other weights."
        ) from None


def load_weights(name_or_path: str) -> Weights:
    """Load weights by name (the user's own folder first, then the shipped one) or a .json file. Raises WeightsError."""
    candidates = find(FOLDER, name_or_path, SUFFIX)
    path = next((path for path in candidates if path.exists()), None)
    if path is None:
        names = known_weights()
        known, near = ", ".join(names) or "none", did_you_mean(name_or_path, names)
        raise WeightsError(
            f"There are no weights {name_or_path!r}{near}: known are {known}, or give the path of a .json file."
        )
    try:
        content = read_regular(path, MAX_BYTES)
    except UnsuitableFile as wrong:
        raise WeightsError(f"{path} is no weights file: {wrong.strerror}; choose other weights.") from None
    except OSError as failure:
        raise StorageError(f"{path} cannot be read: {failure.strerror}.") from failure
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise WeightsError(f"{path}: not UTF-8 text, so not a weights file; choose other weights.") from None
    return parse_weights(text, str(path))


def known_weights() -> list[str]:
    """Returns the names that `load_weights` finds, the user's own included, sorted."""
    folders = (user_config(FOLDER), shipped(FOLDER))
    return sorted({path.stem for folder in folders if folder.is_dir() for path in folder.glob(f"*{SUFFIX}")})


def save_weights(weights: Weights, path: Path) -> None:
    """Write the file whole or not at all. Raises WeightsError if it is too large, StorageError if it fails."""
    text = json.dumps(weights.model_dump(mode="json", exclude_defaults=True), indent=2, allow_nan=False)
    text = _LONG.sub(lambda numbers: " ".join(numbers[0].split()), text) + "\n"
    content = text.encode()
    if len(content) > MAX_BYTES:
        raise WeightsError(
            f"These weights take {len(content):,} bytes, and {MAX_BYTES:,} are the most: make them smaller."
        )
    write_whole(path, content)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key given twice: {next(key for key in keys if keys.count(key) > 1)}")
    return found


def _no_constants(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number a weight can have")
