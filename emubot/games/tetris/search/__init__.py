"""Which placement of a piece is best: lookahead over what can be reached; knows no RAM."""
