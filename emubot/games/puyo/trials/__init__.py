"""Measured games of pairs: self-play and battles, with or without gravity; knows no bridge."""
