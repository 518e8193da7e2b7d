"""Evaluates a playfield by features, tuples and their weights; knows no search."""
