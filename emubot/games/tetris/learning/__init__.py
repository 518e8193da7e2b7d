"""Finds out what a falling-block map leaves open, by watching and by experiments; knows no emulator."""
