"""Transaction rate, latency and throughput of every run, as its benchmark saw them."""

from __future__ import annotations

import polars as pl

MEGABYTE = 1e6
RULES = {
    "rate": "transactions ÷ seconds, in the steady part of the run",
    "latency": "mean time of a transaction, as the client saw it",
    "throughput": "payload bytes ÷ seconds, in the steady part of the run",
}


def derive_rates(runs: pl.DataFrame) -> pl.DataFrame:
    """One row a run: ``rate`` [1/s], ``latency`` [µs] and ``throughput`` [MB/s].

    A value that the benchmark does not give, or gives as zero, is null: no rate or
    time of a run that worked is zero.
    """
    return runs.select(
        "id",
        rate=_positive("rate"),
        latency=_positive("latency_mean_us"),
        throughput=_positive("bytes_per_second") / MEGABYTE,
    )


def _positive(column: str) -> pl.Expr:
    return pl.when(pl.col(column) > 0).then(pl.col(column))
