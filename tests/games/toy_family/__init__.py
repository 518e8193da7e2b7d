"""A family of one small game, as somebody else's package would bring it: a folder, a map and weights."""
