"""Many games of pairs in arrays, one placement a step; knows no player."""
