"""HTML pages: what they hold, what may run in them, and what they must not have."""
