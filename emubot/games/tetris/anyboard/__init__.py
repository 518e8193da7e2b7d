"""Falling blocks of any board and any small pieces, played by a map alone; knows no release and no table of values."""
