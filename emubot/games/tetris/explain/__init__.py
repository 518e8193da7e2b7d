"""Explains decisions of the Tetris family: values by table or feature and by depth, risks, taps."""
