"""Finished builds: what they were made from, what lies in them, and where."""
