"""Plays games of falling blocks to be measured: self-play and trials, both untimed; knows no bridge."""
