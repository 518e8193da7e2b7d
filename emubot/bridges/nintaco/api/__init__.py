"""A typed client of Nintaco's program server: a table of its calls, the engine that reads it, and the connection."""
