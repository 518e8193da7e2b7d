"""Reviews a person's game: what each placement lost against the best one, and why; prints nothing."""
