"""Environments: Gymnasium's own checks, slow twins, and what goes wrong."""
