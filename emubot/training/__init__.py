"""Optimisers, fitness, checkpoints: from self-play to weights; knows games only by their trials, and no emulator."""
