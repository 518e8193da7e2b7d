"""Games in the browser: people and bots on the project's own simulators, served on loopback; prints nothing."""
