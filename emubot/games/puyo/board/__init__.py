"""The field of pairs: bitboards, a piece under control, groups and chains; knows no evaluation and no player."""
