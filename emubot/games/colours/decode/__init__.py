"""Decodes RAM into a Snapshot, and translates codes both ways; knows no search and no simulator."""
