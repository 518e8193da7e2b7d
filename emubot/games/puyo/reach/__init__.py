"""The placements that a pair can reach in time, and the pads that lead there; knows no evaluation."""
