"""Reviewed texts: each is parsed once into a tree that knows its lines."""
