"""Damaged files and impossible memory, by seed: what comes of them must be a documented error (docs/reliability.md)."""
