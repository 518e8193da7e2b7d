"""The schema of a map file: the document as one pydantic model, and its JSON Schema; reads no file and no memory."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from emubot.rammap.condition import Condition
from emubot.rammap.fields import (
    Count,
    Crc32,
    Factor,
    Frames,
    Md5,
    Name,
    Names,
    Number,
    Offset,
    PadName,
    PadPort,
    Players,
    Rule,
    Sentence,
    Sha1,
    Strict,
    Tap,
    Word,
    wrong_keys,
)
from emubot.rammap.layout import CodeSet, Grid, Orientations, PieceCodes, Place, Region, ValueEntry


class Velocity(Strict):
    """Rows per frame as whole numbers of a fraction: from a value in memory, or by level."""

    value: Name | None = Field(None, description="the value that holds the velocity")
    table: tuple[Count, ...] | None = Field(None, description="velocity by level, the last for all above")
    unit: Factor = Field(description="the velocity of one row per frame, for example 256")
    soft_drop: Count = Field(0, description="the velocity at least while soft drop is held")

    @model_validator(mode="after")
    def _one_source(self) -> Velocity:
        if (self.value is None) == (not self.table):
            raise wrong_keys(self, "either value or table, exactly one of them")
        return self


class Timing(Strict):
    """The game's timing in frames, as far as it is known; a family reads the keys that it uses."""

    profile: Word | None = Field(None, description="the family's own table for a release, for example nes-ntsc")
    gravity: tuple[Frames, ...] | None = Field(None, description="frames per row by level, the last for all above")
    gravity_value: Name | None = Field(None, description="in place of gravity: the value with the frames per row")
    velocity: Velocity | None = Field(None, description="in place of gravity: rows per frame")
    lock_delay: Frames | None = Field(None, description="frames at rest until a piece locks; `lock_timer` counts them")
    lock_restore: Literal["fall", "moves"] | None = Field(None, description="what restores lock_delay; moves: both do")
    soft_drop: Frames | None = Field(None, description="frames per row while DOWN is held")
    shift_delay: Count | None = Field(None, description="frames from the press of a direction to its effect")
    rotate_delay: Count | None = Field(None, description="frames from the press of a rotation to its effect")
    das_initial: Frames | None = Field(None, description="frames a direction is held before it repeats")
    das_reset: Count | None = Field(None, description="the repeat counter's value after a repeat")
    start_wait: Count | None = Field(None, description="frames before the first piece of a game falls by itself")
    settle: Count | None = Field(None, description="frames from a lock, or from cells landing, to the test for groups")
    per_row: Count | None = Field(None, description="frames that `settle` grows by for each row that cells fell")
    pop: Count | None = Field(None, description="frames that popping cells stay")
    vanish: Count | None = Field(None, description="frames that vanishing lines stay")
    paces: tuple[Count, ...] | None = Field(None, description="the first index into `gravity`, by chosen pace")
    most_speed_ups: Count | None = Field(None, description="how far play may raise the index into `gravity`")
    nuisance_wait: Count | None = Field(None, description="frames that a fall of nuisance takes")
    spawn_delay: Count | None = Field(None, description="frames from the end of all this to the next piece")


Rules = dict[Name, Rule]


class MenuChoice(Strict):
    """The numbers that a menu choice can be, and its default."""

    low: Number = Field(alias="from")
    high: Number = Field(alias="to")
    default: Number
    names: tuple[Name, ...] = Field((), description="what people call the numbers, from 0 up")

    def named(self, number: int) -> str:
        """Returns what people call a number: its name, or the number itself."""
        return self.names[number] if 0 <= number < len(self.names) else str(number)


class Codes(Strict):
    """The cell codes of one cartridge that differ from the map's."""

    empty: CodeSet | None = None
    kinds: dict[Name, CodeSet] = Field({})


class Image(Strict):
    """A cartridge image, identified by the hashes of its PRG+CHR without the header."""

    title: Sentence
    sha1: Sha1
    crc32: Crc32 | None = None
    md5: Md5 | None = None

    @property
    def digests(self) -> tuple[str | None, ...]:
        """SHA-1, MD5 and CRC32 in upper case, None for a hash that is not stated."""
        return (self.sha1, self.md5, self.crc32)


class Identity(Image):
    """A cartridge that this map is for, and how it differs from the map."""

    size: Factor | None = Field(None, description="bytes of PRG and CHR")
    mapper: Count | None = None
    timing: Timing | None = None
    codes: Codes | None = None
    rules: Rules = Field({})
    asked: dict[Name, MenuChoice] = Field({}, description="choices of `menu` that are others on this cartridge")


class LookAlike(Image):
    """A cartridge that is easily taken for one of this map's. `reason` says in half a sentence why it is refused."""

    reason: Sentence


class PhaseRule(Strict):
    """A rule for the phase: the first rule whose condition holds gives the frame's state and phase."""

    state: Name = Field(description="the map's own name; several rules may share one")
    phase: Literal["menu", "playing", "locked", "clearing", "paused", "over", "unknown"]
    when: Condition


class Event(Strict):
    """A change between one frame and the next."""

    before: Condition
    after: Condition


class Buttons(Strict):
    """The button for each action in play; leave out a move that the game does not have."""

    left: PadName
    right: PadName
    rotate_clockwise: PadName | None = None
    rotate_counterclockwise: PadName | None = None
    soft_drop: PadName | None = None
    hard_drop: PadName | None = None
    hold: PadName | None = None
    start: PadName
    select: PadName | None = None


class Step(Strict):
    """A step: in `state`, while `when` holds, tap a button until `until` holds or the state is left.

    With `wait` it presses nothing for a number of frames, once in each visit to the state.
    """

    state: Names
    when: Condition | None = None
    tap: Tap | None = Field(None, description="the button; `none` presses nothing until `until` holds")
    wait: Frames | None = Field(None, description="in place of `tap`: frames without a button, then the next step")
    hold: PadName | None = Field(None, description="held from at least one frame before the tap to its end")
    port: PadPort = Field(1, description="the pad that presses: 1 or 2")
    until: Condition | None = None

    @model_validator(mode="after")
    def _one_act(self) -> Step:
        if (self.tap is None) == (self.wait is None):
            raise wrong_keys(self, "one of tap and wait")
        if self.hold is not None and not self.tap:
            raise wrong_keys(self, "hold only beside the button of tap")
        return self


class Menu(Strict):
    """The way through the menus: in each frame the first step that applies is taken."""

    pace: Frames = Field(description="frames from tap to tap; a tap lasts one frame")
    asked: dict[Name, MenuChoice] = Field({})
    steps: tuple[Step, ...] = Field(min_length=1)


class Kicks(Strict):
    """What a blocked turn tries: `tries` as [columns, rows] from the pivot, rows downwards, in this order."""

    turns: tuple[tuple[Count, Count], ...] = Field(min_length=1, description="[id before, id after] of each turn")
    tries: tuple[tuple[Offset, Offset], ...] = Field(min_length=1, max_length=15)


class Document(Strict):
    """A whole map file."""

    title: Sentence
    family: Word = Field(description="the rules it belongs to, for example tetris or puyo")
    profile: Word = Field(description="the family's rule profile")
    players: Players = 1
    identities: tuple[Identity, ...] = ()
    refuses: tuple[LookAlike, ...] = ()
    timing: Timing = Timing()
    rules: Rules = Field({})
    values: dict[Name, ValueEntry] = Field(min_length=1)
    game_counter: Name | None = Field(None, description="a value that moves in every frame the game advances")
    foresight: Names = Field((), description="hidden values that `--rng aware` reads, and nothing else does")
    regions: dict[Name, Region] = Field({})
    grid: Grid
    pieces: Orientations | None = Field(None, description="where the profile has no table of its own")
    place: Place | None = Field(None, description="the piece's place by its cells, instead of x, y and its id")
    kicks: tuple[Kicks, ...] = Field((), description="where turns go if they are blocked in place")
    piece_codes: PieceCodes | None = Field(None, description="what the codes of a piece's parts mean, by kind")
    phases: tuple[PhaseRule, ...] = Field(min_length=1)
    events: dict[Name, Event] = Field({})
    buttons: Buttons
    menu: Menu | None = None


def json_schema() -> dict[str, Any]:
    """Returns the JSON Schema of a map file. Editors use it to complete and check a map."""
    schema = Document.model_json_schema(by_alias=True, mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "emubot address map"}
