"""The bytes of a simulated NES Tetris game: their names, their order and their codes; knows no address.

Names and values: NES Tetris facts 1, verified frame by frame.
"""

from __future__ import annotations

from typing import Final

FIELDS: Final = (
    "x y piece level fall_timer das play_state vram_row completed_row0 completed_row1 completed_row2 completed_row3 "
    "autorepeat_y hold_down_points lines_lo lines_hi row_y score0 score1 score2 completed_lines line_index curtain_row "
    "lfsr_hi lfsr_lo spawn_id spawn_count frame_lo frame_hi next_piece game_mode game_mode_state game_type singles "
    "doubles triples tetrises"
).split()
PAGE_SIZE: Final = 256
# What the RAM has beside these bytes: of the menus and of the pads.
EXTRA: Final = (
    *("start_level", "start_height", "choosing_height", "next_hidden", "render_mode", "players"),
    *("new_buttons", "held_buttons", "used_new", "used_held"),
)

_INDEX = {name: index for index, name in enumerate(FIELDS)}
X, Y, PIECE, LEVEL = _INDEX["x"], _INDEX["y"], _INDEX["piece"], _INDEX["level"]
FALL_TIMER, DAS, PLAY_STATE, VRAM_ROW = _INDEX["fall_timer"], _INDEX["das"], _INDEX["play_state"], _INDEX["vram_row"]
COMPLETED_ROW, AUTOREPEAT_Y = _INDEX["completed_row0"], _INDEX["autorepeat_y"]
HOLD_DOWN, LINES_LO, LINES_HI = _INDEX["hold_down_points"], _INDEX["lines_lo"], _INDEX["lines_hi"]
ROW_Y, SCORE, COMPLETED_LINES = _INDEX["row_y"], _INDEX["score0"], _INDEX["completed_lines"]
LINE_INDEX, CURTAIN_ROW = _INDEX["line_index"], _INDEX["curtain_row"]
LFSR_HI, LFSR_LO, SPAWN_ID, SPAWN_COUNT = (_INDEX[n] for n in ("lfsr_hi", "lfsr_lo", "spawn_id", "spawn_count"))
FRAME_LO, FRAME_HI, NEXT_PIECE = _INDEX["frame_lo"], _INDEX["frame_hi"], _INDEX["next_piece"]
GAME_MODE, MODE_STATE = _INDEX["game_mode"], _INDEX["game_mode_state"]
GAME_TYPE, SINGLES = _INDEX["game_type"], _INDEX["singles"]

CURTAIN: Final = 10  # the play state after a piece that did not fit (facts: NES Tetris 2)
EMPTY: Final = 0xEF
CURTAIN_TILE: Final = 0x4F

COPY_DONE: Final = 32  # vram_row once the playfield is on the screen

MODE_LEVEL_MENU: Final = 3
MODE_PLAY: Final = 4
MODE_STATE_INIT: Final = 1
MODE_STATE_PLAY: Final = 2
PLAY_STATE_SPAWN: Final = 8
MODE_STATE_PAUSED: Final = 7
