"""Simulates a cartridge without an emulator: its frames, its fields, its RAM by the map; knows no search."""
