"""flent data files: transfers, computed series, runners that failed."""

from __future__ import annotations

import bz2
import gzip
import json

import pytest

from analysis.ingest.bench import flent
from analysis.ingest.detect import read_file
from analysis.ingest.raw_file import RawFile
from tests.ingest.benchmark_logs import GOLDEN, reader, row_of

LOGS = GOLDEN / "flent"


@pytest.fixture
def read(tmp_path):
    return reader(flent, tmp_path)


def entries(name: str) -> dict:
    return json.loads(gzip.decompress((LOGS / name).read_bytes()))


def test_one_transfer_has_the_rate_that_its_program_counted():
    reading = read_file(LOGS / "tcp_upload.flent.gz")
    row = row_of(reading)
    assert (reading.status, row["shape"], row["clients"]) == ("ok", "STR", 1)
    assert row["bytes_per_second"] == pytest.approx(10040.25e6 / 8)
    # 3,767,910,400 bytes in 3 s, by the program that flent ran
    assert row["bytes_per_second"] == pytest.approx(3767910400 / 3, rel=0.01)
    assert row["start_utc"] == "2026-11-21T10:42:21.025000Z"
    assert reading.details["mean_ms"] == {"Ping (ms) ICMP": 0.034}
    assert row["latency_mean_us"] is None  # a ping is not a transaction


def test_sums_and_averages_do_not_count_again():
    row = row_of(read_file(LOGS / "tcp_nup.flent.gz"))
    assert row["clients"] == 2
    assert row["bytes_per_second"] == pytest.approx((8675.86 + 9217.62) * 1e6 / 8)


def test_both_ways_at_once():
    row = row_of(read_file(LOGS / "rrul_be.flent.gz"))
    assert (row["shape"], row["clients"]) == ("STR", 8)


def test_a_ping_has_latency_and_no_rate():
    row = row_of(read_file(LOGS / "ping.flent.gz"))
    assert (row["shape"], row["clients"], row["rate"]) == ("RR", 1, None)
    assert row["latency_mean_us"] == pytest.approx(12.1716544)  # of UDP_RR, in ms


def test_a_runner_without_data_fails_the_run():
    reading = read_file(LOGS / "refused.flent.gz")
    assert (reading.status, reading.reason) == ("failed", "no data of TCP upload")
    assert row_of(reading)["bytes_per_second"] is None


def test_a_runner_that_failed_with_data(read):
    data = entries("tcp_upload.flent.gz")
    data["metadata"]["FAILED_RUNNERS"] = 1
    assert read(json.dumps(data)).reason == "1 programs failed"


def test_a_sum_whose_mark_is_damaged_counts_no_transfer_twice(read):
    data = entries("rrul_be.flent.gz")
    del data["metadata"]["SERIES_META"]["TCP upload sum"]["COMPUTED_LATE"]
    reading = read(json.dumps(data))
    assert (reading.status, reading.reason) == ("failed", "no data of TCP upload sum")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, bytes])
def test_a_file_is_known_however_it_is_packed(tmp_path, pack):
    path = tmp_path / "data.flent"
    path.write_bytes(pack(json.dumps(entries("tcp_upload.flent.gz")).encode()))
    reading = read_file(path)
    assert (reading.format, reading.status) == ("flent", "ok")


def test_other_json_is_not_flents():
    assert not flent.recognise(b"{}")


def test_a_cut_archive_is_truncated_and_has_no_rate(tmp_path):
    path = tmp_path / "data.flent.gz"
    path.write_bytes((LOGS / "tcp_upload.flent.gz").read_bytes()[:2000])
    reading = read_file(path)
    assert (reading.format, reading.status) == ("flent", "truncated")
    assert row_of(reading)["bytes_per_second"] is None


@pytest.mark.parametrize("unit", [",bits/s", "Mb,ts/s", "Mbits"])
def test_a_transfer_with_a_damaged_unit_is_not_left_out(read, unit):
    data = entries("rrul_be.flent.gz")
    series = data["metadata"]["SERIES_META"]
    name = next(name for name, meta in series.items() if meta["UNITS"] == "Mbits/s")
    series[name]["UNITS"] = unit
    found = read(json.dumps(data))
    assert (found.status, found.reason.split(" ")[0]) == ("failed", repr(unit))


def test_samples_of_a_part_of_the_test_are_doubted(tmp_path):
    """A runner that died leaves the mean of what it had."""
    with RawFile(GOLDEN / "flent" / "tcp_download.flent.gz") as raw:
        whole = json.loads(raw.read_bytes())
    samples = whole["raw_values"]["TCP download"]
    whole["raw_values"]["TCP download"] = samples[:2]
    path = tmp_path / "log.flent"
    path.write_text(json.dumps(whole))
    reading = flent.read(path)
    assert reading.status == "degraded"
    assert "cover 1 of 3 s" in reading.reason


def test_rates_in_each_unit_are_bytes_a_second():
    units = ("bits/s", "Kbits/s", "Mbits/s", "Gbits/s")
    assert {u: 1000**n / 8 for n, u in enumerate(units)} == flent._BYTES
