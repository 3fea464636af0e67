"""Tables of the report: from facts, runs, declarations and published numbers."""
