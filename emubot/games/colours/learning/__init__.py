"""Finds out what a map leaves open, by watching and by experiments on the running game; knows no emulator."""
