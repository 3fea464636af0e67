"""How many runs a change needs, in which sessions and in which order."""
