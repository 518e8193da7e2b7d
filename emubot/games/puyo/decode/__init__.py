"""Decodes RAM into a Snapshot of pairs, and translates codes both ways; knows no search and no simulator."""
