"""Input that nobody meant: every reader and every text field takes it in good order."""
