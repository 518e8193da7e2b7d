"""What a pilot and the process that plans for it say to each other: one line of JSON each; knows no pipe."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from emubot.bridges.protocol import BridgeFacts
from emubot.games.strength import Strength
from emubot.games.variety import Variety
from emubot.pad import Pad
from emubot.snapshot import Piece, Placement, Step
from emubot.tempo import InputState, Tempo

_Place: TypeAlias = tuple[int, int, int]  # orientation, column, row
_Row: TypeAlias = tuple[int, int, int, int]  # pad, and the place after it


class _Message(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, ser_json_bytes="base64", val_json_bytes="base64", ser_json_inf_nan="constants"
    )


class Begin(_Message):
    """Plan for this player from now on.

    `ram_map` is the text of a map; `weights` a name or a file, None the game's own. `strength` is that of the process,
    `wanted` that of the bot, which is refused at once if its search cannot do it.
    """

    type: Literal["begin"] = "begin"
    ram_map: str
    name: str
    sha1: str | None
    weights: str | None
    tempo: Tempo
    strength: Strength
    wanted: Strength
    variety: Variety | None
    facts: BridgeFacts
    player: int
    ahead: bool


class Ask(_Message):
    """Plan for the piece in the air, from where it is when nothing has been pressed for `wait` more frames.

    `piece` is how many pieces were placed before. `ram` is an image of the map's memory, `pads` and the rest are as for
    `Planner.plan`.
    """

    type: Literal["ask"] = "ask"
    number: int
    piece: int
    ram: bytes
    pads: tuple[int, ...]
    held: int
    rest: int
    turn_rest: int
    diverted: _Place | None
    shown: bool
    wait: int
    preview: bool

    @property
    def input_state(self) -> InputState:
        """The state of the inputs when nothing has been pressed for `wait` frames."""
        held = Pad.NONE if self.wait else Pad(self.held)
        return InputState(held, max(self.rest - self.wait, 0), max(self.turn_rest - self.wait, 0))


class Prepare(_Message):
    """The last plan is followed: prepare what may come after it."""

    type: Literal["prepare"] = "prepare"


class Between(_Message):
    """One frame between two pieces, for what is prepared."""

    type: Literal["between"] = "between"
    ram: bytes


Order: TypeAlias = Begin | Ask | Prepare | Between
_ORDER: Final[TypeAdapter[Order]] = TypeAdapter(Annotated[Order, Field(discriminator="type")])


class Way(_Message):
    """A placement, as numbers."""

    place: _Place
    value: float
    timeline: tuple[_Row, ...]
    moves: tuple[_Row, ...]

    @classmethod
    def of(cls, placement: Placement) -> Way:
        """Returns a placement as numbers."""
        place = (placement.orientation, placement.column, placement.row)
        timeline, moves = (
            tuple((int(pad), orientation, column, row) for pad, orientation, column, row in steps)
            for steps in (placement.timeline, placement.moves)
        )
        return cls.model_construct(place=place, value=placement.value, timeline=timeline, moves=moves)

    @property
    def placement(self) -> Placement:
        """The placement again."""
        timeline, moves = (
            tuple(Step(Pad(pad), orientation, column, row) for pad, orientation, column, row in rows)
            for rows in (self.timeline, self.moves)
        )
        return Placement(*self.place, timeline=timeline, value=self.value, moves=moves)


class Answer(_Message):
    """The answer to an Ask of this number. `way` is None if no placement can be reached.

    `at` is the place of the piece in the frame for which the way begins, None if it is locked by then.
    """

    type: Literal["answer"] = "answer"
    number: int
    way: Way | None
    at: _Place | None
    preview: _Place | None
    nodes: int
    milliseconds: float


class Ready(_Message):
    """The answer to a Begin: it can be asked."""

    type: Literal["ready"] = "ready"


class Refused(_Message):
    """The answer to a Begin that cannot be: the sentence for a person and the exit code."""

    type: Literal["refused"] = "refused"
    sentence: str
    exit_code: int


Reply: TypeAlias = Answer | Ready | Refused
_REPLY: Final[TypeAdapter[Reply]] = TypeAdapter(Annotated[Reply, Field(discriminator="type")])


def line_of(message: Order | Reply) -> bytes:
    """Returns a message as a line."""
    return message.model_dump_json().encode() + b"\n"


def order_of(line: bytes) -> Order:
    """Returns the order of a line. Raises ValueError if it is none."""
    return _ORDER.validate_json(line)


def reply_of(line: bytes) -> Reply:
    """Returns the reply of a line. Raises ValueError if it is none."""
    return _REPLY.validate_json(line)


def place_of(piece: Piece | Placement) -> tuple[int, int, int]:
    """Returns a place as numbers."""
    return piece.orientation, piece.column, piece.row
