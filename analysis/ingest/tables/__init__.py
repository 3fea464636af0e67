"""The tables of ``perf.duckdb``: what they hold, and how they are stored."""
