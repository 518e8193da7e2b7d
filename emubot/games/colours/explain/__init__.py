"""Explains decisions: values in parts, chains that are built, risks, positions from drawn boards; knows no bridge."""
