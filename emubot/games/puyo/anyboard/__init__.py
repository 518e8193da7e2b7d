"""Plays pairs on fields that the bitboards do not hold: 4 to 12 columns, 6 to 20 rows, with or without hidden rows."""
