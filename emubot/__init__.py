"""The public face of emubot; names are looked up lazily, so that importing it costs nothing."""

__version__ = "0.1.0"
