"""Response times that services tell, and I/O of devices, worked out by hand."""

from __future__ import annotations

import pytest

from analysis.facts.fact import Fact, Facts
from tests.derive.conftest import Scenes, World, utc

SCENES = Scenes()


def values(facts: Facts) -> dict[str, Fact]:
    return {f"{f.role}.{f.metric}": f for f in facts.facts}


def gateway(world: World, run: str, requests: int, mean: float | None) -> None:
    source = world.file(f"{run}-gateway-{requests}")
    row = {"run": run, "system": "srv", "transactions": requests, "response_ms": mean}
    world.rows["gateway_interval"].append(row | {"source": source})


@SCENES
def gateways(lab):
    lab.run("r", workload="ECI100(4kB)", rate=100.0, latency=1e6)
    for requests, mean in ((3000, 4.0), (1000, 8.0), (0, None)):
        gateway(lab, "r", requests, mean)
    lab.study(tests=[])


def test_the_response_time_of_a_gateway_is_that_of_all_its_requests(scenes):
    """3,000 requests of 4 ms and 1,000 of 8 ms: 5 ms; and 1 s in the driver's log."""
    found = values(scenes["gateways"])["None.response_time"]
    assert (found.value, found.unit, found.n) == (pytest.approx(5), "ms", 1)
    files = {f"sha-gateways-r{end}" for end in ("", "-gateway-3000", "-gateway-1000")}
    assert set(found.lineage.files) == files
    assert found.lineage.rule.endswith("; from statistics of the gateway")


@SCENES
def web(lab):
    lab.run("r", workload="WEB80(73B/~7.6kB)", rate=5425.0, latency=16_150.0)
    lab.study(tests=[])


@SCENES
def tn(lab):
    lab.run("r", workload="TN60(130B/800B)", rate=5425.0, latency=16_150.0)
    lab.study(tests=[])


@pytest.mark.parametrize("scene", ["web", "tn"])
def test_without_a_service_it_is_the_mean_of_the_log(scenes, scene):
    facts = values(scenes[scene])
    assert facts["None.response_time"].value == pytest.approx(16.15)
    assert facts["None.response_time"].lineage.files == (f"sha-{scene}-r",)
    assert facts["None.rate"].value == pytest.approx(5425)
    assert "None.latency" not in facts


@SCENES
def terminals(lab):
    lab.run("r", workload="TN3(100B/800B)", rate=8.0, latency=1.0)
    for start, stop, trips, mean in (
        (0, 10, 60, 200.0), (-5, 6, 20, 600.0), (-9, 5, 99, 9999.0)
    ):  # fmt: skip
        row = {
            "system": "srv", "start_utc": utc(start), "end_utc": utc(stop),
            "round_trips": trips, "response_ms": mean,
            "source": lab.file(f"smf{start}"),
        }  # fmt: skip
        lab.rows["tn3270_session"].append(row)
    lab.study(tests=[])


def test_sessions_of_terminals_count_by_their_round_trips_and_their_time(scenes):
    """60 trips of 200 ms and 20 of 600 ms in the run, of 10 s; one session outside."""
    found = values(scenes["terminals"])["None.response_time"]
    assert found.value == pytest.approx((60 * 200 + 20 * 600) / 80)
    assert set(found.lineage.files) == {
        f"sha-terminals-{name}" for name in ("r", "smf0", "smf-5")
    }


@SCENES
def one_device(lab):
    lab.run("r", workload="GET1(1B/20MB)", rate=1.0, latency=1e6)
    for start, device, requests in (
        (0, "A000", 900), (0, "A001", None), (5, "A000", 600)
    ):  # fmt: skip
        row = {
            "system": "srv", "device": device, "start_utc": utc(start), "seconds": 5.0,
            "requests": requests, "source": lab.file(f"{device}-{start}"),
        }  # fmt: skip
        lab.rows["device_interval"].append(row)
    lab.study(tests=[])


def test_an_interval_without_the_requests_of_a_device_has_no_i_o_rate(scenes):
    assert values(scenes["one-device"])["server.io_rate"].value == pytest.approx(120)


@SCENES
def devices(lab):
    lab.run("r", workload="GET1(1B/20MB)", rate=1.0, latency=1e6)
    for start, device, requests in (
        (0, "A000", 900), (0, "A001", 300), (5, "A000", 600), (8, "A000", 7777)
    ):  # fmt: skip
        row = {
            "system": "srv", "device": device, "start_utc": utc(start), "seconds": 5.0,
            "requests": requests, "source": lab.file(f"{device}-{start}"),
        }  # fmt: skip
        lab.rows["device_interval"].append(row)
    lab.study(tests=[])


def test_the_i_o_rate_is_of_all_devices_within_the_run(scenes):
    """900 and 300 requests in 5 s, 600 in the next 5 s: 180 a second."""
    facts = values(scenes["devices"])
    assert facts["server.io_rate"].value == pytest.approx(180)
    assert "client.io_rate" not in facts
    assert "None.io_rate" not in facts
    assert facts["None.throughput"].value == pytest.approx((20 * 2**20 + 1) / 1e6)
