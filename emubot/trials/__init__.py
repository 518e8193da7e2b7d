"""Plays many games on simulators: units of work, executors, ledgers, figures; knows no bridge and no map."""
