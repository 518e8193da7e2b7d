"""The worth of a field: features, measures and their weighted sum; knows no search."""
