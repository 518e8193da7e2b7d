"""Simulates NES Tetris without an emulator, frame by frame: its state, and its RAM by the map; knows no search."""
