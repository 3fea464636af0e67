"""Statistics of runs, one file each: :mod:`analysis.derive.statistic`."""
