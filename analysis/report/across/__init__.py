"""Editions side by side: the same question as reports of different years answer it."""
