"""The Tetris family: rules, board, reach, features, search, simulator, decode."""
