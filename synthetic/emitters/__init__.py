"""What a tool would have written of plain values: one format, one module."""

LABEL = "SYNTHETIC, not a measurement by IBM or anyone"
