"""A campaign's files in parts, so that a new file costs its part, not its campaign."""
