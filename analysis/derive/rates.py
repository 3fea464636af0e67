"""What a run's benchmark tells: transaction rate, latency, throughput, as declared."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from analysis.declared.metrics import Metric
from analysis.derive.expressions import expressions


def derive_rates(runs: pl.DataFrame, metrics: Mapping[str, Metric]) -> pl.DataFrame:
    """One row a run, ``id`` and the metrics of benchmarks in their declared units.

    A value that the benchmark does not give, or gives as zero, is null: no rate or
    time of a run that worked is zero.
    """
    told = expressions(metrics, "benchmark")
    return runs.select(
        "id", **{id: pl.when(value > 0).then(value) for id, value in told.items()}
    )
