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
    MapModel,
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
    Taps,
    Word,
    wrong_keys,
)
from emubot.rammap.grid_layout import CodeSet, GridLayout
from emubot.rammap.layout import CellsPlace, Orientations, PieceCodes, Region, ValueEntry


class Velocity(MapModel):
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


class GameTiming(MapModel):
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
    das_initial: Frames | None = Field(None, description="frames a direction is held before it repeats; for the record")
    das_reset: Count | None = Field(None, description="das_initial minus the frames between repeats; for the record")
    start_wait: Count | None = Field(None, description="frames before a game's first piece falls; for the record")
    press: Frames | None = Field(
        None, description="frames that a press must last to be seen, and a release; without it one frame"
    )
    settle: Count | None = Field(None, description="frames from a lock, or from cells landing, to the test for groups")
    per_row: Count | None = Field(None, description="frames that `settle` grows by for each row that cells fell")
    pop: Count | None = Field(None, description="frames that popping cells stay")
    vanish: Count | None = Field(None, description="frames that vanishing lines stay")
    paces: tuple[Count, ...] | None = Field(None, description="the first index into `gravity`, by chosen pace")
    most_speed_ups: Count | None = Field(None, description="how far play may raise the index into `gravity`")
    nuisance_wait: Count | None = Field(None, description="frames that a fall of nuisance takes")
    spawn_delay: Count | None = Field(None, description="frames from the end of all this to the next piece")


Rules = dict[Name, Rule]


class MenuChoice(MapModel):
    """The numbers that a menu choice can be, and its default."""

    low: Number = Field(alias="from", description="the lowest number that the menu offers")
    high: Number = Field(alias="to", description="the highest number that the menu offers")
    default: Number = Field(description="the number that is chosen if the player asks for none")
    names: tuple[Name, ...] = Field((), description="what people call the numbers, from 0 up")

    def named(self, number: int) -> str:
        """Returns what people call a number: its name, or the number itself."""
        return self.names[number] if 0 <= number < len(self.names) else str(number)


class Codes(MapModel):
    """The cell codes of one cartridge that differ from the map's."""

    empty: CodeSet | None = Field(None, description="codes of an empty cell, in place of the map's")
    kinds: dict[Name, CodeSet] = Field({}, description="codes by kind of cell, in place of the map's")


class Image(MapModel):
    """A cartridge image, identified by the hashes of its PRG+CHR without the header."""

    title: Sentence = Field(description="the cartridge's title for people")
    sha1: Sha1 = Field(description="SHA-1 of PRG and CHR without the header")
    crc32: Crc32 | None = Field(None, description="CRC-32 of the same bytes, for emulators that tell no other")
    md5: Md5 | None = Field(None, description="MD5 of the same bytes, for emulators that tell no other")

    @property
    def digests(self) -> tuple[str | None, ...]:
        """SHA-1, MD5 and CRC32 in upper case, None for a hash that is not stated."""
        return (self.sha1, self.md5, self.crc32)


class Identity(Image):
    """A cartridge that this map is for, and how it differs from the map."""

    size: Factor | None = Field(None, description="bytes of PRG and CHR, for the record")
    mapper: Count | None = Field(None, description="its mapper; a header that says another is mended as it loads")
    prg: Factor | None = Field(None, description="bytes of PRG; headers are mended so too")
    mirroring: Literal["horizontal", "vertical", "four-screen"] | None = Field(
        None, description="how its board mirrors name tables; headers are mended so too"
    )
    region: Literal["ntsc", "pal"] | None = Field(
        None, description="the console that it is for; headers are mended so too"
    )
    timing: GameTiming | None = Field(
        None, description="timing that differs on this cartridge; the other keys are kept"
    )
    codes: Codes | None = Field(None, description="cell codes that differ on this cartridge")
    rules: Rules = Field({}, description="rules that differ on this cartridge; the map's other rules are kept")
    asked: dict[Name, MenuChoice] = Field({}, description="choices of `menu` that are others on this cartridge")


class LookAlike(Image):
    """A cartridge that is easily taken for one of this map's. `reason` says in half a sentence why it is refused."""

    reason: Sentence = Field(description="half a sentence: why it is refused; it follows `This is TITLE:`")


class PhaseRule(MapModel):
    """A rule for the phase: the first rule whose condition holds gives the frame's state and phase."""

    state: Name = Field(description="the map's own name; several rules may share one")
    phase: Literal["menu", "playing", "locked", "clearing", "paused", "over", "unknown"] = Field(
        description="what the game does: playing while a piece is under control, locked and clearing between pieces"
    )
    when: Condition = Field(description="what must hold")


class FrameChange(MapModel):
    """A change between one frame and the next."""

    before: Condition = Field(description="what holds in the frame before")
    after: Condition = Field(description="what holds in the frame after")


class Buttons(MapModel):
    """The button for each action in play; leave out a move that the game does not have."""

    left: PadName = Field(description="moves the piece one column to the left")
    right: PadName = Field(description="moves the piece one column to the right")
    rotate_clockwise: PadName | None = Field(None, description="turns the piece clockwise")
    rotate_counterclockwise: PadName | None = Field(None, description="turns the piece counterclockwise")
    soft_drop: PadName | None = Field(None, description="lets the piece fall faster while it is held")
    hard_drop: PadName | None = Field(None, description="drops the piece to its place at once")
    step_down: PadName | None = Field(None, description="moves the piece one row down for each press")
    hold: PadName | None = Field(None, description="puts the piece aside for later")
    start: PadName = Field(description="pauses the game and goes on")
    select: PadName | None = Field(None, description="for the record; `menu` states its buttons itself")


class MenuTap(MapModel):
    """A step: in `state`, while `when` holds, tap a button until `until` holds or the state is left.

    A list of buttons is tapped in turn, from the first one in each visit to the state. With `wait` it presses nothing
    for a number of frames, once in each visit.
    """

    state: Names = Field(description="the states of `phases` in which the step applies")
    when: Condition | None = Field(None, description="what must also hold for the step to apply")
    tap: Taps | None = Field(
        None, description="the button, or several in turn; `none` presses nothing until `until` holds"
    )
    wait: Frames | None = Field(None, description="in place of `tap`: frames without a button, then the next step")
    hold: PadName | None = Field(None, description="held from at least one frame before the tap to its end")
    port: PadPort = Field(1, description="the pad that presses: 1 or 2")
    until: Condition | None = Field(None, description="the step does not apply while this holds")

    @model_validator(mode="after")
    def _one_act(self) -> MenuTap:
        if (self.tap is None) == (self.wait is None):
            raise wrong_keys(self, "one of tap and wait")
        if self.hold is not None and not self.tap:
            raise wrong_keys(self, "hold only beside the button of tap")
        return self


class Menu(MapModel):
    """The way through the menus: in each frame the first step that applies is taken."""

    pace: Frames = Field(description="frames from tap to tap; a tap lasts one frame, or `press` of `timing`")
    asked: dict[Name, MenuChoice] = Field({}, description="the player's choices in the menus, by name")
    steps: tuple[MenuTap, ...] = Field(
        min_length=1, description="the way to a game; the first step that applies is taken"
    )


class Kicks(MapModel):
    """What a blocked turn tries: `tries` as [columns, rows] from the pivot, rows downwards, in this order."""

    turns: tuple[tuple[Count, Count], ...] = Field(min_length=1, description="[id before, id after] of each turn")
    tries: tuple[tuple[Offset, Offset], ...] = Field(
        min_length=1, max_length=15, description="[columns, rows] from the pivot, rows downwards, in this order"
    )


class Document(MapModel):
    """A whole map file."""

    title: Sentence = Field(description="the map's title for people")
    family: Word = Field(description="the rules it belongs to, for example tetris or puyo")
    profile: Word = Field(description="the family's rule profile")
    players: Players = Field(1, description="how many players the map has addresses for")
    identities: tuple[Identity, ...] = Field((), description="the cartridges that the map is for")
    refuses: tuple[LookAlike, ...] = Field((), description="similar cartridges that the map is not for")
    timing: GameTiming = Field(GameTiming(), description="the game's timing in frames, as far as it is known")
    rules: Rules = Field({}, description="where the game differs from the rules of its profile, by rule")
    values: dict[Name, ValueEntry] = Field(min_length=1, description="named numbers in memory")
    game_counter: Name | None = Field(None, description="a value that moves in every frame the game advances")
    foresight: Names = Field((), description="hidden values that `--rng aware` reads, and nothing else does")
    regions: dict[Name, Region] = Field({}, description="named runs of bytes")
    grid: GridLayout = Field(description="the playfield")
    pieces: Orientations | None = Field(None, description="where the profile has no table of its own")
    place: CellsPlace | None = Field(None, description="the piece's place by its cells, instead of x, y and its id")
    kicks: tuple[Kicks, ...] = Field((), description="where turns go if they are blocked in place")
    piece_codes: PieceCodes | None = Field(None, description="what the codes of a piece's parts mean, by kind")
    phases: tuple[PhaseRule, ...] = Field(min_length=1, description="tried from the top; the first that holds is it")
    events: dict[Name, FrameChange] = Field(
        {}, description="named changes between two frames, for Python programs alone"
    )
    buttons: Buttons = Field(description="the button for each action in play")
    menu: Menu | None = Field(None, description="the way from power-on, and from a game's end, to a game")

    @property
    def plans_frames(self) -> bool:
        """Whether inputs can be planned to the frame: each frame of the pad counts, and no drop is tapped by rows."""
        buttons, press = self.buttons, self.timing.press or 1
        return press == 1 and (buttons.step_down is None or bool(buttons.soft_drop or buttons.hard_drop))


def json_schema() -> dict[str, Any]:
    """Returns the JSON Schema of a map file. Editors use it to complete and check a map."""
    schema = Document.model_json_schema(by_alias=True, mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "emubot address map"}
