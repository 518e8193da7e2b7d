"""The field of pairs: cells as bitboards, a piece under control, groups and chains; knows no value and no player."""
