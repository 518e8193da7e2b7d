"""Finds the best placement: two pieces deep, then the pieces that may follow; knows no RAM and no bridge."""
