"""Play that knows the generator: which piece is drawn when. `--rng aware` alone uses it."""
