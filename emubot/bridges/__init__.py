"""One emulator each behind the Bridge protocol; never imports a game."""
