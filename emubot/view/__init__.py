"""Draws the game and the results; decides nothing."""
