"""NES Tetris without an emulator, frame by frame: its state, its RAM by the map; knows no search."""
