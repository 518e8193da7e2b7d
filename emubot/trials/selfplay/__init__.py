"""Millions of pieces counted, in units that can be resumed and summed; knows no game."""
