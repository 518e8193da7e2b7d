"""The version of emubot, in the one place that everything reads it from."""

__version__ = "1.0.0"
