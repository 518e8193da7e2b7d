"""Falling blocks as the frames of NestrisChamps, and back; knows no network, no file and no search."""
