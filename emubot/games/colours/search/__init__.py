"""Finds the best placement: lookahead over the reachable placements; knows no RAM."""
