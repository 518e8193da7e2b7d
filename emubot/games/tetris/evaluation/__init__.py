"""What a playfield is worth: features, tuples and their weighted sum; knows no search."""
