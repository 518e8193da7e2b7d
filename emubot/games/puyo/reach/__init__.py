"""Which placements a pair reaches in time, and the frames of pad that lead there; knows no evaluation."""
