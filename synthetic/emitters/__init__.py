"""What a tool would have written of plain values: one format, one module."""
