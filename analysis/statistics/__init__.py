"""Statistics of runs, one file each: :mod:`analysis.statistics.statistic`."""
