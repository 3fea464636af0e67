"""The capture ratio: how much of the busy CP time the service classes account for.

CP seconds of all service classes ÷ busy CP seconds of the same system and interval,
whichever files tell of them. A dump of SMF that holds both has told it already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.reading import Problem, Problems, Reading

CAPTURE = (70.0, 100.0)  # per cent, outside of which a ratio is doubted
_TOLERANCE = 1.0  # seconds; reports print whole seconds, records microseconds
_OF_CPU = ("system", "start", "of", "length", "busy_seconds")


def with_capture(
    cpu: pl.DataFrame,
    classes: pl.DataFrame,
    readings: Mapping[str, Reading],
    files: Mapping[str, str],
) -> tuple[pl.DataFrame, Problems]:
    """The rows of ``cpu_interval`` with ``capture_pct`` in all rows of CPs for which
    both are known; a ratio out of bounds is a problem of the file that the CPU time is
    from.

    ``files`` gives the sha256 of each file.
    """
    numbered = cpu.with_row_index("of")
    ratios = _ratios(numbered, classes)
    known = numbered.join(ratios, on="of", how="left", maintain_order="left")
    measured = known.filter(pl.col("ratio").is_not_null())
    names = {sha256: file for file, sha256 in files.items() if file in readings}
    filled = known.with_columns(capture_pct=pl.coalesce("capture_pct", "ratio"))
    return filled.drop("of", "ratio"), list(_odd(measured, names))


def classes_beside(cpu: pl.DataFrame, classes: pl.LazyFrame) -> pl.DataFrame:
    """Of very many rows of classes those that :func:`with_capture` needs: of the
    systems and times of CPU time whose ratio is not told."""
    of_cps = pl.col("cpu_type") == "CP"
    wanted = cpu.filter(of_cps, pl.col("busy_seconds") > 0, _lacks_ratio())
    near = range(-3, 4)  # seconds: more than a row may be off and still count
    times = wanted.select(
        "system", at=_seconds().floor().cast(pl.Int64), off=pl.lit(list(near))
    ).explode("off")
    beside = times.select("system", at=pl.col("at") + pl.col("off")).unique()
    return (
        classes.filter(pl.col("class_kind") == "service")
        .with_columns(at=_seconds().floor().cast(pl.Int64))
        .join(beside.lazy(), on=["system", "at"], how="semi", maintain_order="left")
        .drop("at")
        .collect(engine="streaming")
    )


def _ratios(cpu: pl.DataFrame, classes: pl.DataFrame) -> pl.DataFrame:
    """The ``ratio`` of each CPU interval (``of``) that has classes and tells none."""
    wanted = cpu.filter(
        pl.col("cpu_type") == "CP", pl.col("busy_seconds") > 0, _lacks_ratio()
    ).with_columns(start=_seconds(), length="seconds")
    ratios = (
        _service(classes)
        .join_asof(
            wanted.select(_OF_CPU).sort("start"),
            on="start",
            by="system",
            strategy="nearest",
            tolerance=_TOLERANCE,
            check_sortedness=False,
        )
        .filter((pl.col("seconds") - pl.col("length")).abs() <= _TOLERANCE)
    )
    whole = pl.col("cp_seconds").null_count() == 0
    ratio = 100 * pl.col("cp_seconds").sum() / pl.col("busy_seconds").first()
    return ratios.group_by("of").agg(ratio=pl.when(whole).then(ratio))


def _lacks_ratio() -> pl.Expr:
    return pl.col("capture_pct").is_null() & pl.col("start_utc").is_not_null()


def _service(classes: pl.DataFrame) -> pl.DataFrame:
    """Service classes, each by its periods or as a whole, never by both."""
    rows = classes.filter(
        pl.col("class_kind") == "service", pl.col("start_utc").is_not_null()
    ).with_columns(start=_seconds())
    of_period = pl.col("period").is_not_null()
    in_periods = of_period.any().over("system", "class", pl.col("start").round())
    return rows.filter(of_period | ~in_periods).sort("start")


def _seconds() -> pl.Expr:
    time = pl.col("start_utc").str.to_datetime("%+", time_zone="UTC", strict=False)
    return time.dt.epoch("us") / 1e6


def _odd(rows: pl.DataFrame, names: Mapping[str, str]) -> Iterator[tuple[str, Problem]]:
    """The ratios out of bounds: of each file how many, and the first."""
    low, high = CAPTURE
    odd = rows.filter(~pl.col("ratio").is_between(low, high)).sort("start_utc")
    for (source,), group in odd.group_by("source", maintain_order=True):
        first = group.row(0, named=True)
        seen = {"least": low, "most": high, "intervals": group.height,
                "ratio": first["ratio"], "system": first["system"]}  # fmt: skip
        yield (
            names[source],
            Problem(remark("capture_odd", **seen), offset=first["position"]),
        )
