"""Finds out how a cartridge of pairs, capsules or columns works: its field and piece, its rules, its draft."""
