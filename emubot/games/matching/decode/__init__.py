"""Decodes RAM into a Snapshot of a matching game, and translates codes both ways; knows no search and no simulator."""
