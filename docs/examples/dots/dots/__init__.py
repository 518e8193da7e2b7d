"""A family of one small game: dots fall, and a full row of them vanishes."""
