"""The parts of a weights file as models: features, tables, sets of values, layers, provenance; knows no file."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from emubot.packed import Packed
from emubot.text import is_one_line

MOST_WEIGHT: Final = 1e6  # features of a board come to tens of thousands, and a lost game costs 1e12
MOST_ENTRIES: Final = 100_000  # of tables


def _shown(text: str) -> str:
    if not is_one_line(text):
        raise ValueError("a text is one line without control characters")
    return text


Word = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Sentence = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_shown)]
Count = Annotated[int, Field(ge=0)]


class Strict(BaseModel):
    """A part that has these fields and no others, of exactly these types, and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class FeatureSet(Strict):
    """The features that the values belong to, in order, and the version of their definitions."""

    version: Annotated[int, Field(ge=1)]
    names: Annotated[tuple[Word, ...], Field(min_length=1, max_length=4096)]


class NetworkLayer(Strict):
    """One layer of a network: a row of weights and a bias for each of its outputs."""

    weights: Annotated[tuple[tuple[float, ...], ...], Field(min_length=1, max_length=1024)]
    biases: tuple[float, ...]

    @model_validator(mode="after")
    def _rectangular(self) -> NetworkLayer:
        if len({len(row) for row in self.weights}) != 1 or len(self.biases) != len(self.weights):
            raise ValueError("a layer has one bias for each row of weights, and rows of one length")
        return self


class Tables(Strict):
    """Value tables of a board of `columns` by `rows`: entries are added up, and the family decides which.

    `version` is the version of the tables' definition.
    """

    version: Annotated[int, Field(ge=1)]
    columns: Annotated[int, Field(ge=1, le=64)]
    rows: Annotated[int, Field(ge=1, le=64)]
    entries: Annotated[tuple[float, ...], Field(min_length=1, max_length=MOST_ENTRIES)]

    @property
    def board(self) -> str:
        """Columns x rows."""
        return f"{self.columns}x{self.rows}"


class Result(Strict):
    """A figure measured over games, as mean and 95 % confidence interval."""

    figure: Word
    mean: float
    low95: float
    high95: float
    settings: Sentence | None = None


class Provenance(Strict):
    """The origin of the values, and what was measured with them."""

    method: Sentence | None = None
    source: Sentence | None = None
    seed: Count | None = None
    games: Count | None = None
    results: tuple[Result, ...] = ()


class PointTables(Strict):
    """Tables of what is still to come from a board: thousands of points, or lines, as `aim` says; of a goal, its lines.

    They were learnt in games of the release `rules`, at the tap rate `taps`. These began `start_lines` lines after
    those from level 18 and ended after `stop_lines` lines, or, if that is 0, by a top-out. Entries are added up, and
    the family decides which; `version` is the version of that definition. What they miss a `network` may add, whose
    weights the family orders. Their provenance is their own; that of the weights is of the values.
    """

    version: Annotated[int, Field(ge=1)]
    aim: Literal["score", "lines", "goal"]
    rules: Word = "nes-ntsc"
    taps: Word
    start_lines: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    stop_lines: Annotated[int, Field(ge=0, le=1_000_000)]
    entries: Packed
    network: Packed | None = None
    provenance: Provenance = Provenance()


class ValueSet(Strict):
    """Values for one way to play: the rules, the numbers of colours and the aim that they were trained for.

    `settings` are numbers that the search takes besides, by name. The family says which aims and settings there are.
    """

    rules: Word
    colors: Annotated[tuple[Annotated[int, Field(ge=1, le=64)], ...], Field(min_length=1, max_length=64)]
    aim: Word
    features: FeatureSet
    values: Annotated[tuple[float, ...], Field(min_length=1)]
    settings: dict[Word, float] = {}
    provenance: Provenance = Provenance()

    @model_validator(mode="after")
    def _one_value_each(self) -> ValueSet:
        if len(self.values) != len(self.features.names) or len(set(self.features.names)) != len(self.values):
            raise ValueError("a set has one value for each of its features, and names each once")
        if max(map(abs, (*self.values, *self.settings.values()))) > MOST_WEIGHT:
            raise ValueError(f"{MOST_WEIGHT:,.0f} is the largest value and the largest setting")
        return self
