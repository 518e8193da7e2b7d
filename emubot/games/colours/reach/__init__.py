"""The placements that a piece can reach in time, and the pads that lead there; knows no evaluation."""
