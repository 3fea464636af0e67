"""The formats in which editions come, one file each: :mod:`analysis.report.output`."""
