"""The bodies of answers, as their description tells them; makes none of them, and knows no HTTP and no game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Run(_Answer):
    """Frames with the same buttons held; the first frame of control is 1."""

    first: int
    last: int
    buttons: list[str]


class Placed(_Answer):
    """A placement, and the way there."""

    orientation: int = Field(description="the game's orientation id")
    column: int = Field(description="of the pivot, from 0 at the left")
    row: int = Field(description="of the pivot, from 0 at the top")
    value: float = Field(description="compares placements of one answer; its unit is that of the game's search")
    frames: int | None = Field(description="until the lock; null: the timing is not known")
    inputs: list[Run]
    moves: list[str] = Field(description="without a timing: the presses in order")


class Decided(_Answer):
    """Where the bot puts the piece."""

    placement: Placed | None = Field(description="null: the piece can lock nowhere")
    nodes: int = Field(description="boards that were valued")


class Ranked(_Answer):
    """The placements, the best first."""

    placements: list[Placed]
    reachable: int = Field(description="so many placements can be reached")
    nodes: int = Field(description="boards that were valued")


class ReviewedMove(_Answer):
    """One placement of a game against the best one."""

    best: Placed | None = Field(description="null: the piece can lock nowhere")
    value: float | None = Field(description="of what was played; null: it is not among the reachable placements")
    loss: float | None = Field(description="against the best; null: not known")


class Reviewed(_Answer):
    """What each placement lost."""

    moves: list[ReviewedMove]
    judged: int = Field(description="so many of them have a loss")
    mean_loss: float | None = Field(description="null: none has one")


class Part(_Answer):
    """A summand of a value."""

    name: str
    value: float
    amount: float | None = Field(description="of features: how often it counts")


class Depth(_Answer):
    """The value if so many pieces are looked at."""

    pieces: int
    value: float


class Risk(_Answer):
    """How many games end within so many pieces, with the 95 % interval."""

    pieces: int
    games: int
    deaths: int
    share: float
    low95: float
    high95: float


class Misdrops(_Answer):
    """How often a person misses the placement, with the 95 % interval."""

    tries: int
    misses: int
    share: float
    low95: float
    high95: float


class Chain(_Answer):
    """A chain that is ready in the field."""

    steps: int
    points: int
    color: str
    trigger: list[tuple[int, int]] = Field(description="the cells that set it off: column, row")
    cells: list[tuple[int, int, int]] = Field(description="what pops: column, row, step")


class After(_Answer):
    """The field that a placement leaves, of pairs and matching games."""

    board: list[str]
    value: float | None
    unit: str
    parts: list[Part]
    cleared: dict[str, int] = Field(description="what vanishes at once")
    words: list[str]
    chain: Chain | None


class ExplainedPlacement(_Answer):
    """A placement with its value taken apart."""

    rank: int
    name: str
    orientation: int
    column: int
    row: int
    cells: list[tuple[int, int]] = Field(description="column, row")
    chosen: bool = Field(description="whether the bot plays it")
    value: float
    next: str | None = Field(description="the lock of the next piece that the value counts on")
    depths: list[Depth]
    parts: list[Part] = Field(description="their values add up to the value")
    risk: Risk | None = Field(description="null without rollouts")
    misdrops: Misdrops | None = Field(description="null without human_error")
    frames: int | None
    inputs: list[Run]
    moves: list[str]
    after: After | None


class Position(_Answer):
    """The board as text, with the piece in the air and the best placement."""

    board: list[str]
    piece: str
    next: str | None
    in_air: str = Field(description="the characters of the piece in the air")
    hidden_rows: int = Field(description="lines of the board above row 0")
    width: int = Field(description="characters of a cell")


class Explained(_Answer):
    """What `emubot explain --json` prints."""

    game: str
    map: str
    row: int | None = Field(description="of a recorded game; null here")
    settings: dict[str, Any] = Field(description="how was searched; what there is depends on the game")
    position: Position
    nodes: int
    unit: str
    meaning: str
    rollouts: str | None
    fields: str
    placements: list[ExplainedPlacement]


ANSWERS: Final[Mapping[str, type[BaseModel]]] = MappingProxyType(
    {"decide": Decided, "rank": Ranked, "explain": Explained, "review": Reviewed}
)  # to the questions of the same names


class Refused(_Answer):
    """Why there is no answer, in one sentence."""

    error: str
