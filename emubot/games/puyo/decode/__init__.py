"""From the bytes of a map to a Snapshot of pairs and back to codes; knows no search and no simulator."""
