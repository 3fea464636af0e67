"""Frames of the database in, facts out: costs, rates, deltas and their noise."""
