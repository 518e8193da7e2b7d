"""Tetris as in the literature: any board, drops from above, no gravity, one player or two."""
