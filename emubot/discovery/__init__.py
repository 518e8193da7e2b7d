"""Finds by experiments where an unknown cartridge keeps its board and its piece."""
