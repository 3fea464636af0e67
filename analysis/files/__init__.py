"""Files: read within limits, written whole or not at all, known by their hash."""
