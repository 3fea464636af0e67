"""How long what users wait for takes, as ``python -m benchmarks`` measures it."""
