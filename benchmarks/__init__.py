"""How long things take: ``make bench``. A benchmark, not a test: it judges nothing."""
