"""The names of what the family reads in a map, by what reads them; knows no address and no meaning."""

from __future__ import annotations

from typing import Final

PLAIN: Final = "plain"  # the rule profile of games that clear full rows but are not a release that the family knows

NEEDED: Final = ("piece", "x", "y")
# The values that search, steering and reports may use: no generator state and no counts of draws.
NES_COUNTERS: Final = (
    "level",
    "lines",
    "score",
    "fall_timer",
    "das",
    "autorepeat_y",
    "hold_down_points",
    "vram_row",
    "play_state",
    "held_buttons",
    "game_type",
)
NEXT_HIDDEN: Final = "next_hidden"  # one more, if the map has it
TIMER: Final = "drop_timer"  # the value that counts down to the fall; 1 is the frame before it
# The same for other cartridges, if the map has them. `fall_timer` may count in any way.
COUNTERS: Final = ("level", "lines", "score", "fall_timer", TIMER, "held_buttons")
PREVIEWS: Final = ("next_piece", *(f"next_piece_{place}" for place in range(2, 7)))

# Of a map with a clock of its own, or with a hold button.
FRACTION: Final = "fall_fraction"  # the value that grows by the velocity; a whole unit of it is a row
LOCK_TIMER: Final = "lock_timer"  # the value that counts down to the lock while a piece rests; 1 is the frame before
HELD: Final = "hold_piece"  # the value with the id in which the held piece comes back; any other number: none
HOLD_USED: Final = "hold_used"  # the value that is not 0 while the hold button has no effect

# The keys of `timing` that the family reads. All other times of a release follow from PROFILE.
PROFILE: Final = "profile"
TIMING: Final = (
    PROFILE,
    *("gravity", "gravity_value", "velocity", "soft_drop", "lock_delay", "lock_restore"),
    *("shift_delay", "rotate_delay"),
)

# The rules that a map may state. `maps learn --probe` writes it for the record, and nothing reads it.
LINE_POINTS: Final = "line_points"
RULES: Final = (LINE_POINTS,)

# What `--rng aware` reads. The counter is not hidden.
GENERATOR: Final = ("lfsr_hi", "lfsr_lo", "spawn_id", "spawn_count")
GENERATOR_COUNTER: Final = "frame_counter"
