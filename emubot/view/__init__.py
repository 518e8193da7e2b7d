"""Draws, decides nothing."""
