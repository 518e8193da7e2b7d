"""Shows a game on NestrisChamps, a server of stream layouts: frames, recordings, the link; knows no game's rules."""
