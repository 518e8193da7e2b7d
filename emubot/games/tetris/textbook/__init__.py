"""Tetris as the literature plays it: any board, drops from above, no gravity; one plays, or two."""
