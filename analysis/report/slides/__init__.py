"""Slides of an edition: a text of its own, from Markdown to a document for engines."""
