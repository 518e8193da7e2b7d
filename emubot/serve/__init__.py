"""Answers over HTTP: what a bot would play, how placements rank, and why; presses no button and writes nothing."""
