import polars as pl
import pytest

from analysis.declared.metrics import read_metrics
from analysis.derive.runs import open_database, read_runs
from analysis.derive.values import derive_rates, with_metrics

METRICS = read_metrics()


def rates(world) -> list[dict]:
    with open_database(world.write()) as con:
        return derive_rates(read_runs(con), METRICS).to_dicts()


def test_rates_and_times_have_their_units(world):
    world.run("r", workload="STR3(1B/20MB)", rate=150, latency=20_000)
    (row,) = rates(world)
    assert row["rate"] == 150
    assert row["latency"] == 20_000
    assert row["throughput"] == pytest.approx(150 * 20.971521)  # 10^6 B/s


def test_what_the_benchmark_does_not_say_is_null_and_not_zero(world):
    world.run("r")
    world.rows["benchmark"][0] |= {"latency_mean_us": None, "bytes_per_second": 0.0}
    (row,) = rates(world)
    assert row["rate"] == 100_000
    assert row["latency"] is None
    assert row["throughput"] is None


def test_a_run_without_a_benchmark_has_no_values(world):
    world.run("r")
    world.rows["benchmark"].clear()
    (row,) = rates(world)
    assert row["rate"] is row["latency"] is row["throughput"] is None


def test_the_resolution_of_a_quotient_is_that_of_its_slope():
    """1000 requests in 10 s, told in steps of 10 s: 100 a second, and 100 × 10 / 10."""
    told = {"requests": [1000.0], "seconds": [10.0], "seconds_resolution": [10.0]}
    lacking = {name: [None] for name in ("response_ms", "latency_mean_us")}
    table = pl.DataFrame(told | lacking).cast(pl.Float64)
    found = with_metrics(table, METRICS, "service")
    assert found["io_rate"].to_list() == [100]
    assert found["io_rate_resolution"].to_list() == [pytest.approx(100, rel=1e-5)]
