"""A typed client of Nintaco's program server, a module for each part of its API; usable alone, knows no bridge."""
