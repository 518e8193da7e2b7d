"""The names of the values that the family reads in a map, by what reads them; knows no address and no meaning."""

from __future__ import annotations

from typing import Final

from emubot.games.colours.matching_rules import Rules

# Optional values that search, steering and reports may know. No generator state.
COUNTERS: Final = (
    "drop_timer",
    "repeat",
    "held_buttons",
    "play_state",
    "game_state",
    "mode",
    "pace",
    "stage",
    "stages",
    "targets",
    "pieces",
    "score",
    "chain",
    "lines",
    "pending",
    "wait",
)

# What the simulator writes beside the piece.
SHARED: Final = (
    "frame_counter",
    "game_counter",
    "game_state",
    "mode",
    "start_stage",
    "pace",
    "stage",
    "loser",
    "garbage_generator",
)
OF_PLAYER: Final = ("play_state", "wait", "targets", "pieces", "stages", "chain", "lines", "score", "spawned")
OF_PIECE: Final = ("drop_timer", "repeat")
_MOST_LINES: Final = 12  # colours kept of a move, and of what is pending: as many as the rules allow
GARBAGE: Final = {
    which: tuple(f"{which}_{number}" for number in range(1, _MOST_LINES + 1)) for which in ("line", "pending")
}
_NOT_NEEDED: Final = frozenset({"game_counter", "loser", "spawned", "new_buttons"})


def piece_values(rules: Rules) -> tuple[str, ...]:
    """Returns the values that every map of the family must have for every player, those of the piece's cells last."""
    parts = range(1, rules.piece_cells + 1)
    return ("x", "y", "orientation", *(f"{which}_{part}" for which in ("current", "next") for part in parts))


def per_player(rules: Rules) -> tuple[str, ...]:
    """Returns the values of one player."""
    colors = (*GARBAGE["line"][: rules.most_garbage], "pending", *GARBAGE["pending"][: rules.most_garbage])
    return (*piece_values(rules), *OF_PLAYER, *OF_PIECE, *colors, "generator", "held_buttons", "new_buttons")


def replayed(rules: Rules) -> tuple[str, ...]:
    """Returns the values from which a recorded game is replayed."""
    return tuple(name for name in (*SHARED, *per_player(rules)) if name not in _NOT_NEEDED)
