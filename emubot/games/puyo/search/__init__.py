"""Finds the best placement of a pair: lookahead over the reachable placements; knows no RAM."""
