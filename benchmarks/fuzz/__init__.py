"""Damaged files and impossible memory, by seed: only documented errors come of them (docs/measurements/faults.md)."""
