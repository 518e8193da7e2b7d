"""The playfield of falling blocks as rows of bits: what fits, locks and clears; knows no value and no time."""
