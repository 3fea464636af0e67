"""Diagrams of set-ups: systems, adapters and links, drawn on a sheet of their own."""
