"""Optimisers, fitness, checkpoints: from self-play to weights; knows games by their trials only, and no emulator."""
