"""A planner in a process of its own, so that nothing waits for a decision here; knows no emulator."""
