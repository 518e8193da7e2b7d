"""The project's own demo cartridges: 6502 sources and the assembled images."""
