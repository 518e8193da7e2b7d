"""The pairs family: the rules of Puyo Puyo, from the Famicom game of 1991 to Tsu."""
