"""Counts millions of pieces, in units that can be resumed and summed."""
