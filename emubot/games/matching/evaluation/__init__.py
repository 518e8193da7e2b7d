"""The worth of a field of a matching game: features and their sum; knows no search and no pieces to come."""
