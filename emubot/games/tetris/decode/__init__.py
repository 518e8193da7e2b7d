"""From the bytes of a map to a Snapshot of falling blocks; knows no search and no simulator."""
