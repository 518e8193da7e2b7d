"""Many games of pairs, and matching ones, in arrays, a placement a step; knows no player."""
