"""Checks on the wording of reviewed texts: numbers typed by hand, unbacked trends."""
