"""The field of a matching game: pieces, lines, links, falls and chains; knows no evaluation and no player."""
