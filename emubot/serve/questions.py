"""The bodies of questions, in the project's own terms; knows no HTTP and no game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

MOST_MOVES: Final = 200  # of a review
MOST_BOARDS: Final = 2_000_000  # of a review: some seconds
MOST_ROLLOUTS: Final = 1_000  # of an explanation: the same
NODES: Final = 5_000  # boards of a decision: an answer comes in some milliseconds
_MOST_LINES, _MOST_COLUMNS, _MOST_WORD = 40, 64, 64

Line = Annotated[str, Field(max_length=_MOST_COLUMNS)]
Word = Annotated[str, Field(max_length=_MOST_WORD)]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Drawn(_Asked):
    """A position as `emubot explain` takes it: the lines of the board, the floor last, and what no board shows."""

    board: list[Line] = Field(max_length=_MOST_LINES, description="# filled, . empty; a letter for a colour")
    piece: Word | None = Field(None, description="the piece in the air: T J Z O S L I, or its cells, such as RB")
    next: Word | None = Field(None, description="the next piece, or one to three pairs such as GGYR; null: not known")
    level: int | None = Field(None, ge=0, le=0xFFFF, description="the level, of matching games the stage")
    lines: int | None = Field(None, ge=0, le=0xFFFF, description="the lines of the game so far")


class Bot(_Asked):
    """Whose answer is asked for."""

    game: Word | None = Field(None, description="tetris (default), puyo or matching")
    rules: Word | None = Field(None, description="the rules; null: the game's first")
    colors: int | None = Field(None, ge=1, le=8, description="colours in play, except of falling blocks")
    pace: Word | None = Field(None, description="matching games: slow, medium or fast")
    taps: Word = Field("12hz", description="the input rate: 10hz to 30hz, das, or a pattern such as ..X....")
    nodes: int | None = Field(NODES, ge=0, le=200_000, description="boards of a decision; null: as many as in play")
    aim: Word | None = Field(None, description="what is played for; null: the game's own")


class Decide(Bot, Drawn):
    """What would the bot play?"""


class Rank(Decide):
    """How do the placements rank?"""

    top: int = Field(10, ge=1, le=1000, description="so many of them, the best first")


class Explain(Decide):
    """Why? As `emubot explain --json` answers."""

    top: int = Field(5, ge=1, le=20, description="so many placements, the best first")
    rollouts: int = Field(0, ge=0, le=200, description="games played on after each placement, to estimate the risk")
    seed: int = Field(0, ge=0, description="another seed plays other games")
    human_error: Word | None = Field(
        None,
        description="count a person's misdrops: FRAMES[:SHARE], the deviation of a tap and the share of missed taps",
    )

    @model_validator(mode="after")
    def _is_short(self) -> Explain:
        if self.top * self.rollouts > MOST_ROLLOUTS:
            raise ValueError(f"top times rollouts is at most {MOST_ROLLOUTS:,}")
        return self


class Place(_Asked):
    """Where a piece locked: as `decide` and `rank` tell it."""

    orientation: int = Field(ge=0, le=255)
    column: int = Field(ge=-8, le=64)
    row: int = Field(ge=-8, le=64)


class Played(Drawn):
    """A position, and what was played in it."""

    played: Place


class Review(Bot):
    """What did each placement of a game lose?"""

    moves: list[Played] = Field(min_length=1, max_length=MOST_MOVES)

    @model_validator(mode="after")
    def _is_short(self) -> Review:
        if self.nodes is not None and len(self.moves) * self.nodes > MOST_BOARDS:
            raise ValueError(f"moves times nodes are at most {MOST_BOARDS:,}")
        return self


QUESTIONS: Final[Mapping[str, type[BaseModel]]] = MappingProxyType(
    {"decide": Decide, "rank": Rank, "explain": Explain, "review": Review}
)
