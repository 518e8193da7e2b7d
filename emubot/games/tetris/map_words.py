"""The words of this family's maps, each with its meaning, for docs/reference/maps.md; knows no map and no search."""

from __future__ import annotations

from functools import cache
from typing import Final

from emubot.games.map_words import DROP_TIMER, NO, REPLAYED, YES, MapWords, RuleWord, TimingWord, ValueWord, worded
from emubot.games.outcome import MEANINGS as OUTCOME
from emubot.games.rows import PADS
from emubot.games.tetris.decode.addresses import EXTRA, FIELDS, PAGE_SIZE
from emubot.games.tetris.decode.value_names import (
    COUNTERS,
    FRACTION,
    GENERATOR,
    GENERATOR_COUNTER,
    HELD,
    HOLD_USED,
    LINE_POINTS,
    LOCK_TIMER,
    NEEDED,
    NES_COUNTERS,
    PLAIN,
    PREVIEWS,
    RULES,
    TIMING,
)
from emubot.games.tetris.rules import NES_NTSC, NES_PAL, ORIENTATIONS, PROFILES

_RELEASES: Final = ", ".join(PROFILES)
_NEXT: Final = f"the orientation id of the next piece but {{}}, with `{PLAIN}`"
_FULL_ROW: Final = "the rows that are full; 0 means none"
_SCORE: Final = "two BCD digits of the points, the lowest first"
_CLEARS: Final = "the number of clears of this many lines at once, two BCD digits"
_GENERATOR: Final = "of the generator; `hidden_from_search`, and listed under `foresight`"
_MENU: Final = "of the menus: what is chosen there"
_MEANINGS: Final = {
    "piece": f"the orientation id of the piece in the air; {_RELEASES}: 0 to {ORIENTATIONS - 1}",
    "x": "the pivot's column, from 0",
    "y": "the pivot's row, 0 at the top; hidden rows are negative",
    "next_piece": "the orientation id in which the next piece enters",
    **{name: _NEXT.format(number) for number, name in enumerate(PREVIEWS[1:], start=1)},
    "level": "the level; `gravity` and tables of velocity are by level",
    "lines": f"the lines cleared; with {_RELEASES} and B-type those that are left",
    "score": "the points",
    **DROP_TIMER,
    "fall_fraction": "with `velocity`: grows by it in each frame; a whole unit is a row",
    "lock_timer": "with `lock_delay`: counts down to the lock; 1 is the frame before it",
    "hold_piece": "the id in which the held piece comes back; any other number: none; needed with `buttons.hold`",
    "hold_used": "not 0 while the hold button has no effect",
    **OUTCOME,
    "held_buttons": "the buttons that the game takes as held, by the bits of the pad",
    "new_buttons": "those that are newly pressed",
    "fall_timer": f"{_RELEASES}: frames since the last fall; otherwise it may count in any way",
    "das": f"the counter of a held direction, which repeats at {NES_NTSC.das_initial}, or {NES_PAL.das_initial}",
    "autorepeat_y": "frames for which DOWN was held; 128 and above: the wait before a game's first piece",
    "hold_down_points": "counts the rows of this soft drop",
    "vram_row": "the next row that is copied to the screen; 32: the copy is done",
    "play_state": "1 control, 2 lock, 3 full rows, 4 they vanish, 5 to 8 until the next piece, 10 curtain",
    "game_type": "0 A-type, 1 B-type",
    **dict.fromkeys(("completed_row0", "completed_row1", "completed_row2", "completed_row3"), _FULL_ROW),
    "completed_lines": "the number of rows that are full",
    "row_y": "used while full rows are looked for",
    "line_index": "the step of that, 0 to 4",
    "lines_lo": "two BCD digits of `lines`",
    "lines_hi": "hundreds of `lines`",
    **dict.fromkeys(("score0", "score1", "score2"), _SCORE),
    "curtain_row": "the row that the curtain has reached",
    "frame_lo": "the low byte of `frame_counter`",
    "frame_hi": "the high byte of `frame_counter`",
    "game_mode": "0 legal, 1 title, 2 game type, 3 level, 4 play, 5 demonstration",
    "game_mode_state": "in play: 0 draws the screen, 1 begins the game, 2 play, 7 paused",
    **dict.fromkeys(("singles", "doubles", "triples", "tetrises"), _CLEARS),
    **dict.fromkeys(("lfsr_hi", "lfsr_lo"), f"a byte {_GENERATOR}"),
    "spawn_id": f"the last piece drawn, {_GENERATOR}",
    "spawn_count": f"the pieces drawn so far, {_GENERATOR}",
    "frame_counter": "one more for every vertical blank; `--rng aware` needs it",
    **dict.fromkeys(("start_level", "start_height", "choosing_height"), _MENU),
    "next_hidden": "1 if the next piece is not shown; `--aim survive` needs it from level 155 on",
    "render_mode": "0 title and pause, 1 menus, 3 play",
    "players": "1 or 2",
    **dict.fromkeys(("used_new", "used_held"), "the pad as the game has used it, of the player it did last"),
}
_RULES: Final = {
    LINE_POINTS: "points of 1, 2, ... lines, as `maps learn --probe` writes them; for the record, nothing reads it",
}
_PLANNED: Final = f"`{PLAIN}`: plans to the frame need a value that counts; without it one input is sent at a time"
_TIMING: Final = {
    "profile": f"{_RELEASES}: all other times follow from it",
    "gravity": _PLANNED,
    "gravity_value": _PLANNED,
    "velocity": _PLANNED,
    "soft_drop": f"`{PLAIN}`",
    "lock_delay": f"`{PLAIN}`",
    "lock_restore": f"`{PLAIN}`; without it `fall`",
    "shift_delay": f"`{PLAIN}`: a number other than 0 prevents plans to the frame",
    "rotate_delay": f"`{PLAIN}`: the same",
}


@cache
def words() -> MapWords:
    """Returns the words of the family."""
    clock = (FRACTION, LOCK_TIMER, HELD, HOLD_USED)
    names = (*NEEDED, *PREVIEWS, *NES_COUNTERS, *COUNTERS, *clock, *OUTCOME)
    meanings = worded((*names, *FIELDS, *EXTRA, *PADS, *GENERATOR, GENERATOR_COUNTER), _MEANINGS)
    return MapWords(
        profiles={
            NES_NTSC.name: "NES Tetris by Nintendo, the American release; with `timing.profile` of the same name",
            NES_PAL.name: "the European release, with `timing.profile` likewise; from public documentation, and not "
            "tested on the original",
            PLAIN: "any other game that clears full rows; it has no simulator",
        },
        values={name: ValueWord(meaning, _need(name)) for name, meaning in meanings.items()},
        rules={name: RuleWord(meaning, "list of numbers", {}) for name, meaning in worded(RULES, _RULES).items()},
        kinds={},
        piece_codes={},
        timing={name: TimingWord(meaning) for name, meaning in worded(TIMING, _TIMING).items()},
        regions={"page": f"{PAGE_SIZE} bytes of the playfield's page; needed for replays"},
        choices={
            "level": "`--level`; `maps learn --probe` measures the fall at each",
            "type": "`--type`: 0 A-type, 1 B-type",
            "height": "`--height` of B-type's garbage",
        },
        notes=(
            "Kinds of cells have names of your choice. `piece_codes` are refused.",
            f"`pieces` and `place` are for `{PLAIN}` alone: {_RELEASES} have their own table.",
        ),
    )


def _need(name: str) -> str:
    if name in NEEDED:
        return f"{YES}; with `{PLAIN}` also by `place`"
    if name in ("next_piece", *NES_COUNTERS):
        return _RELEASES
    return REPLAYED if name in (*FIELDS, *PADS) else NO
