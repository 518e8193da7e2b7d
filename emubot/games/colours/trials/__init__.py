"""Measured games: self-play and battles, with or without gravity; knows no executor and no file."""
