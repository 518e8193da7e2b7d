"""Games of matching colours: capsules with fixed targets, and columns; board, players, simulator and decoder."""
