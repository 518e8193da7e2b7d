"""Many games of falling blocks in arrays, each kind in a module: drops, placements, frames; knows no player."""
