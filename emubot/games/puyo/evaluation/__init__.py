"""What a field is worth: features, measures and their weighted sum; knows no search."""
