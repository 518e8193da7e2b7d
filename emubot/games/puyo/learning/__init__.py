"""What a pairs map leaves open: found out by watching, and by experiments on the running game."""
