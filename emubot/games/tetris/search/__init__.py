"""Finds the best placement of a piece by lookahead over the locks that it can reach; knows no RAM."""
