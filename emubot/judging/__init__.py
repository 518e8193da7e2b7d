"""Judges placements beside the bot's, while a game is played or afterwards; prints nothing, draws nothing."""
