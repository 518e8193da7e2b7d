"""Tests of what differs between systems: each branch, on whatever system they run."""
