"""Statistics of runs, one file each: :mod:`analysis.statistic`."""
