"""Expressions in reviewed text: their language, and the facts that they print."""
