"""CICS Transaction Gateway: values of an interval, milliseconds, restarts."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, rows


@pytest.fixture
def read(tmp_path):
    return reader("ctg_statistics", tmp_path)


def test_interval_values_are_used():
    only = row(golden("ctg_statistics/interval.txt"), "gateway_interval")
    assert (only["transactions"], only["response_ms"]) == (30000, 4)
    assert only["basis"] == "interval"


def test_one_line_an_interval():
    found = rows(golden("ctg_statistics/intervals.csv"), "gateway_interval")
    assert [r["transactions"] for r in found] == [30000, 31500, 0]
    assert found[1]["start_utc"] == "2026-01-12T14:05:00.000000Z"
    assert (found[0]["seconds"], found[0]["gateway"]) == (300, "CTG1")
    assert found[2]["response_ms"] is None  # no request has no mean


def test_differences_of_lifetime_values():
    only = row(golden("ctg_statistics/lifetime.txt"), "gateway_interval")
    assert (only["transactions"], only["basis"]) == (30000, "lifetime")
    assert only["response_ms"] is None  # a mean since the start is not of the interval


def test_current_values_are_never_used(read):
    reading = read("GD_CSTATUS=RUNNING\nGD_CLUWTXN=12\n")
    assert reading.status == "failed"
    assert "GD_IALLREQ" in reading.reason


def test_one_lifetime_value_is_not_an_interval(read):
    assert read("GD_LALLREQ=945112\nGD_LAVRESP=9\n").status == "failed"


def sample(reset: str, requests: int, name: str = "CTG1", kind: str = "I") -> str:
    return (
        f"GD_SNAME={name}\nGD_CNEXTRESET={reset}\n"
        f"GD_{kind}ALLREQ={requests}\nGD_{kind}AVRESP=4\n"
    )


def test_values_of_an_interval_count_on_until_the_reset(read):
    text = sample("140500", 12000) + sample("140500", 30000) + sample("141000", 500)
    found = rows(read(text), "gateway_interval")
    assert [r["transactions"] for r in found] == [30000, 500]


def test_gateways_are_told_apart(read):
    text = sample("140500", 12000, "A") + sample("140500", 30000, "B")
    assert [r["gateway"] for r in rows(read(text), "gateway_interval")] == ["A", "B"]
    pairs = [("A", 100), ("B", 9000), ("A", 150), ("B", 9007)]
    lifetime = "".join(sample("140500", n, name, "L") for name, n in pairs)
    found = rows(read(lifetime), "gateway_interval")
    assert [(r["gateway"], r["transactions"]) for r in found] == [("A", 50), ("B", 7)]


def test_a_restart_between_lifetime_values(read):
    reading = read("GD_LALLREQ=100\nGD_LALLREQ=20\n")
    assert reading.status == "failed"
    assert "restarted" in reading.reason


def test_a_time_needs_its_zone(read):
    text = "start,GD_IALLREQ,GD_IAVRESP\n2026-01-12T14:00:00,1,1\n"
    assert "has no zone" in read(text).reason


@pytest.mark.parametrize("value", ["30,000", "30.000", "-1", "4,5"])
def test_other_numbers_are_refused(read, value):
    assert read(f"GD_IALLREQ={value}\nGD_IAVRESP=4\n").status == "failed"


def test_an_interval_is_the_result_of_a_run_that_has_it_as_its_log(read):
    """12,000 requests in 60 s are 200 a second; 4 ms are 4,000 µs."""
    text = "start,seconds,GD_IALLREQ,GD_IAVRESP\n2026-01-12T14:00:00Z,60,12000,4\n"
    (result,) = read(text).results
    assert (result["rate"], result["latency_mean_us"]) == (200, 4000)
    assert (result["transactions"], result["seconds"]) == (12000, 60)
    assert result["clients"] is None
