"""Games of colours: pairs (Puyo Puyo) and matching (capsules with fixed targets, columns); two families, one room."""
