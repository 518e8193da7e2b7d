"""Tests of self-play and trials."""
