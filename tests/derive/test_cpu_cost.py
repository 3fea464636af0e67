import polars as pl
import pytest

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import read_metrics
from analysis.derive.cpu_cost import (
    cpu_seconds_from_busy,
    derive_cpu_cost,
)
from analysis.derive.cpu_time import read_cpu
from analysis.derive.runs import open_database, read_campaigns, read_runs

METRICS = read_metrics()


def costs(world) -> list[dict]:

    with open_database(world.write()) as con:
        campaigns: dict[str, Campaign] = read_campaigns({"lab"}, world.raw)
        runs, cpu = read_runs(con), read_cpu(con, campaigns)
    return derive_cpu_cost(runs, cpu, campaigns, METRICS).sort("id", "role").to_dicts()


def lpar(world, **cpu):
    world.campaign(cpu={"source": "lpar_busy", **cpu})


def test_the_published_worked_example():
    seconds = cpu_seconds_from_busy(busy_pct=25, online_cpus=4, seconds=10)
    assert seconds == 10


def test_the_worked_example_from_the_tables_on(world):
    lpar(world)
    world.run("r", rate=100_000, transactions=1_000_000, window=(0, 10))
    world.interval("srv", 0, 10, busy_pct=25)
    (row,) = costs(world)
    assert row["role"] == "server"
    assert row["cpu_cost"] == pytest.approx(10)
    assert row["cpu_cost_ms"] == pytest.approx(0.01)
    assert row["utilisation"] == pytest.approx(25)
    assert row["rate"] == 100_000


def test_intervals_that_cover_part_of_a_run_meet_that_part_of_its_transactions(world):
    lpar(world)
    world.run("r", transactions=1_000_000, window=(0, 10))
    world.interval("srv", 5, 5, busy_pct=25)
    (row,) = costs(world)
    assert row["cpu_cost"] == pytest.approx(10)


def test_a_control_groups_time_belongs_to_the_whole_run(world):
    world.cpu(world.run("r", rate=250_000, transactions=500_000), 2.0, 1.0)
    client, server = costs(world)
    assert (client["cpu_cost"], server["cpu_cost"]) == pytest.approx((4, 2))
    # 250,000/s × 4 µs keep one of four CPs busy while the load runs
    assert client["utilisation"] == pytest.approx(25)


def test_a_stream_also_has_a_cost_per_million_bytes(world):
    run = world.run("r", workload="STR3(1B/20MB)", rate=10, transactions=100)
    world.cpu(run, 2.0, 1.0)
    client, _ = costs(world)
    assert client["cpu_cost"] == pytest.approx(20_000)
    assert client["cpu_cost_per_mb"] == pytest.approx(20_000 / 20.971521)


def test_a_stream_that_counts_bytes_alone_has_cost_per_million_and_utilisation(world):
    run = world.run("r", workload="STR1(128kB/0B)", rate=10)
    counted = {"rate": None, "transactions": None, "seconds": 8}
    world.rows["benchmark"][-1] |= counted | {"bytes_per_second": 1e9}
    world.cpu(run, 2.0, 1.0)
    client, _ = costs(world)
    assert client["cpu_cost"] is None
    assert client["cpu_cost_per_mb"] == pytest.approx(2e6 / 8000)
    assert client["utilisation"] == pytest.approx(100 * 2 / (4 * 8))
    world.rows["benchmark"][-1]["bytes_moved"] = 10e9  # with 2 s of warm-up
    client, _ = costs(world)
    assert client["cpu_cost_per_mb"] == pytest.approx(200)
    assert client["utilisation"] == pytest.approx(5)


def test_ziip_time_is_not_added_but_said(world):
    lpar(world)
    world.run("r", transactions=1_000_000)
    world.interval("srv", 0, 10, busy_pct=25)
    world.interval("srv", 0, 10, busy_pct=50, cpu_type="zIIP", online_cpus=2.0)
    (row,) = costs(world)
    assert row["cpu_cost"] == pytest.approx(10)
    assert row["other_types"] == "zIIP"


def test_a_declared_idle_load_is_taken_off(world):
    lpar(world, idle={"srv": 0.5})
    world.run("r", transactions=1_000_000)
    world.interval("srv", 0, 10, busy_pct=25)
    (row,) = costs(world)
    assert row["idle"] == 0.5
    assert row["cpu_cost"] == pytest.approx(5)
    assert row["utilisation"] == pytest.approx(12.5)


def test_another_source_than_the_declared_one_does_not_count(world):
    run = world.run("r")
    world.cpu(run, 2.0, 1.0, method="procstat")
    world.cpu(run, 4.0, 3.0)
    assert [row["cpu_seconds"] for row in costs(world)] == [4, 3]


def test_lpar_time_comes_from_the_intervals_alone(world):
    lpar(world)
    world.cpu(world.run("r", transactions=1_000_000), 5.0, 5.0, method="lpar_busy")
    world.interval("srv", 0, 10, busy_pct=25)
    (row,) = costs(world)
    assert row["cpu_seconds"] == pytest.approx(10)


def test_expressions_and_numbers_follow_one_formula():
    frame = pl.DataFrame({"busy": [25.0], "cps": [4.0], "s": [10.0]})
    seconds = frame.select(
        cpu_seconds_from_busy(pl.col("busy"), pl.col("cps"), pl.col("s"))
    ).item()
    assert seconds == cpu_seconds_from_busy(25, 4, 10)
