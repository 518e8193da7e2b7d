"""What the page asks for, as strict models: ids and numbers from the lists that the server made, never a path."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from emubot.arena.catalogue import game_offer, preset
from emubot.errors import UsageError

_Id = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
_Options = Annotated[
    dict[Annotated[str, Field(max_length=40)], bool | int | float | Annotated[str, Field(max_length=200)]],
    Field(max_length=40),
]
_Name = Annotated[str, Field(max_length=200)]
USUAL_BOT: Final = "middle"
_Handicap = Annotated[int, Field(ge=10, le=100)]


class StrictModel(BaseModel):
    """What a message is made of: no unknown keys, no conversions, and it cannot change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SideRequest(StrictModel):
    """One side: its game, who plays it (a person, or a bot by its preset), and the percentage of its attacks."""

    game: _Id
    bot: _Id | None = None
    rules: dict[_Id, int] = Field({}, max_length=16)
    attack: _Handicap = 100

    def check(self) -> None:
        """Raise UsageError for a game, bot or rule that is not offered."""
        game_offer(self.game).check_rules(dict(self.rules))
        if self.bot is not None:
            preset(self.bot)


class MatchRequest(StrictModel):
    """A match of one side or two. The same seed deals the same pieces.

    `challenge` is the mode in which a person and a bot take turns (challenge.py). `pace` is how many times as fast as a
    console bots play among themselves; 0 is as fast as they can.
    """

    sides: tuple[SideRequest, ...] = Field(min_length=1, max_length=2)
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    challenge: Literal["free", "easy", "hard", "extreme", "arcade"] | None = None
    pace: Annotated[int, Field(ge=0, le=100)] = 1

    def check(self) -> None:
        """Raise UsageError for what is not offered."""
        for side in self.sides:
            side.check()
        if self.pace != 1 and self.persons:
            raise UsageError("Only bots play faster than a console: choose no pace, or no person.")

    @property
    def persons(self) -> tuple[int, ...]:
        """The sides that people play."""
        return tuple(number for number, side in enumerate(self.sides) if side.bot is None)

    @property
    def free(self) -> tuple[int, ...]:
        """The sides that a person can take over: where sides take turns, the bot's pieces do not wait."""
        return self.persons if self.challenge is not None else tuple(range(len(self.sides)))


class WallSeat(StrictModel):
    """One board of a wall: whose weights play there (entrants.py), and how hard they think, as a bot's name."""

    entrant: _Name
    bot: _Id = "middle"


class WallRequest(StrictModel):
    """Bots at once: each `alone`, up to so many `pieces` (0: no end), or each against each; all play the `same`."""

    game: _Id
    seats: tuple[WallSeat, ...] = Field(min_length=1, max_length=16)
    alone: bool = True
    same: bool = True
    pieces: Annotated[int, Field(ge=0, le=100_000)] = 0
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    pace: Annotated[int, Field(ge=0, le=100)] = 1

    def check(self) -> None:
        """Raise UsageError for a game, bot or rule that is not offered, or if nobody could meet anybody."""
        for seat in self.seats:
            SideRequest(game=self.game, bot=seat.bot).check()
        if not self.alone and len(set(self.seats)) < 2:
            raise UsageError("A tournament needs two bots that differ: choose other weights or another strength.")


class Hello(StrictModel):
    """The first message: the session's token, and the seat that the client had before its connection was lost."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=100)]
    seat: Annotated[str, Field(max_length=100)] | None = None


class StartMatch(StrictModel):
    """Begin a match; a `demo` is one that plays behind the first screen."""

    type: Literal["start"]
    match: MatchRequest
    demo: bool = False


class StartWall(StrictModel):
    """Begin a wall of bots."""

    type: Literal["wall"]
    wall: WallRequest


class WatchGame(StrictModel):
    """Let `emubot play` play what these options say (cockpit.py), and show it."""

    type: Literal["watch"]
    options: _Options


class Compose(StrictModel):
    """Show the command line of these options of `emubot play` or `emubot train`."""

    type: Literal["compose"]
    options: _Options
    what: Literal["play", "train"] = "play"


class Do(StrictModel):
    """What a player does to the match: pause it, go on, or play again with new pieces.

    `insight` explains the bots' decisions from now on.
    """

    type: Literal["pause", "resume", "rematch", "insight"]


class AskCoach(StrictModel):
    """Judge each placement of a person from now on, and show the better one: after the lock or before it; or stop."""

    type: Literal["coach"]
    shows: Literal["off", "after", "before"]


class Ask(StrictModel):
    """Leave the match, get the links for guests, or have the match so far written to a file."""

    type: Literal["leave", "invite", "save"]


class OpenReplay(StrictModel):
    """Open a recorded match by its name in the list that the server made."""

    type: Literal["replay"]
    name: _Name


class Go(StrictModel):
    """In a recorded match: show this tick."""

    type: Literal["go"]
    tick: Annotated[int, Field(ge=0, le=2**31)]


class AtSide(StrictModel):
    """In a recorded match: go to the next piece of a side, or say what the bot would do."""

    type: Literal["next", "advice"]
    side: Annotated[int, Field(ge=0, le=1)]


class PlayDay(StrictModel):
    """Play the game of this day: everybody gets the same pieces (day.py)."""

    type: Literal["day"]


class AskRace(StrictModel):
    """From a recorded match: play its pieces beside this side of it."""

    type: Literal["race"]
    side: Annotated[int, Field(ge=0, le=1)]


class PlayOn(StrictModel):
    """From a recorded match: go on live from this frame, with the person on this side.

    `bot` plays the other side; None: the bot that it had, or a middle one.
    """

    type: Literal["play-on"]
    tick: Annotated[int, Field(ge=0, le=2**31)]
    side: Annotated[int, Field(ge=0, le=1)]
    bot: _Id | None = None

    def of(self, recorded: MatchRequest) -> MatchRequest:
        """Returns what is played then. Raises UsageError for a side or a bot that there is not."""
        if self.side >= len(recorded.sides):
            raise UsageError("This match has one side.")
        if self.side not in recorded.free:
            raise UsageError("In a match in turns you can play on for the person only: the bot's pieces do not wait.")
        players = [self.bot or one.bot or USUAL_BOT for one in recorded.sides]
        sides = [
            one.model_copy(update={"bot": None if number == self.side else players[number]})
            for number, one in enumerate(recorded.sides)
        ]
        request = recorded.model_copy(update={"sides": tuple(sides), "pace": 1})
        request.check()
        return request


class AskClip(StrictModel):
    """Draw an animated picture of the match from this second on."""

    type: Literal["gif"]
    start: Annotated[int, Field(ge=0, le=1_000_000)]


class AskReview(StrictModel):
    """Review the whole game of a side of a recorded match."""

    type: Literal["review"]
    side: Annotated[int, Field(ge=0, le=1)]


class Train(StrictModel):
    """Begin a training with these options (train_form.py)."""

    type: Literal["train"]
    options: _Options


class TellRun(StrictModel):
    """Tell what a training has reached after its first `since` generations."""

    type: Literal["run"]
    name: _Name
    since: Annotated[int, Field(ge=0, le=2**31)] = 0


class TellEntrants(StrictModel):
    """Tell whose weights may play on a wall."""

    type: Literal["entrants"]


class RunCommand(StrictModel):
    """Stop a training, or go on with it."""

    type: Literal["stop-run", "go-on-run"]
    name: _Name


class Individual(StrictModel):
    """Watch how an individual of a training's current generation plays, at this speed of `emubot play`."""

    type: Literal["individual"]
    name: _Name
    individual: Annotated[int, Field(ge=0, le=100_000)]
    speed: Annotated[int, Field(ge=0, le=10)] = 10


ToTable: TypeAlias = Do | Go | AtSide | AskCoach  # for whatever is played at the client's table
ToTrainings: TypeAlias = Train | TellRun | TellEntrants | RunCommand
Anything: TypeAlias = (
    Hello
    | StartMatch
    | StartWall
    | PlayDay
    | WatchGame
    | Compose
    | ToTable
    | Ask
    | AskReview
    | AskClip
    | AskRace
    | PlayOn
    | OpenReplay
    | ToTrainings
    | Individual
)
_MESSAGE: TypeAdapter[Anything] = TypeAdapter(Annotated[Anything, Field(discriminator="type")])


def read_message(text: str) -> Anything:
    """Returns the message in a text. Raises UsageError if it is none, with the first thing that is wrong."""
    try:
        return _MESSAGE.validate_json(text)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "the message"
        raise UsageError(f"{where}: {first['msg']}.") from wrong
