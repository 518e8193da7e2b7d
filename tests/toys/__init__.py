"""Toy cartridges of falling blocks, each with its map; each shows something that a map must be able to say."""
