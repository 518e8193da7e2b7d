"""Measures seeded games: what is played, and what many games came to; plays nothing in this process."""
