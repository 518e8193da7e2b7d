"""Which placement of a pair is best: lookahead over what can be reached; knows no RAM."""
