"""The playfield as rows of bits: what fits, locks and clears; knows no evaluation and no time."""
