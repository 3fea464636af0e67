"""iperf3's JSON: whose count it is, and errors that end with status 0."""

from __future__ import annotations

import json

import pytest

from analysis.ingest.bench import iperf3
from tests.ingest.benchmark_logs import GOLDEN, reader, row_of, rows_of

LOGS = GOLDEN / "iperf3"


@pytest.fixture
def read(tmp_path):
    return reader(iperf3, tmp_path)


def changed(name: str, *path: str, value: object) -> str:
    entries = json.loads((LOGS / name).read_text())
    place = entries
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(entries)


def test_what_the_receiver_got():
    reading = iperf3.read(LOGS / "tcp.json")
    row = row_of(reading)
    assert (reading.status, row["shape"], row["clients"]) == ("ok", "STR", 1)
    assert row["bytes_per_second"] == pytest.approx(8728084480 / 4.000151)
    assert row["start_utc"] == "2026-11-21T04:15:38.000000Z"
    assert (row["rate"], row["transactions"]) == (None, None)


def test_bytes_not_bits():
    row = row_of(iperf3.read(LOGS / "tcp.json"))
    assert row["bytes_per_second"] * 8 == pytest.approx(17455510014, rel=1e-6)


def test_omitted_seconds_are_not_in_the_window():
    reading = iperf3.read(LOGS / "reverse.json")
    row = row_of(reading)
    assert row["start_utc"] == "2026-11-21T04:15:52.000000Z"  # 1 s after its start
    assert row["bytes_per_second"] == pytest.approx(9393210472 / 3.999925)
    assert reading.details["direction"] == "server to client"


def test_both_ways_are_added_though_nothing_but_the_sums_says_so():
    reading = iperf3.read(LOGS / "bidir.json")
    each = reading.details["bytes_per_second_each_way"]
    assert each == [
        pytest.approx(4698931200 / 2.001964),
        pytest.approx(1499725824 / 2.001964),
    ]
    assert row_of(reading)["bytes_per_second"] == pytest.approx(sum(each))


def test_streams_are_clients():
    assert row_of(iperf3.read(LOGS / "streams.json"))["clients"] == 3


def test_datagrams_that_arrived():
    reading = iperf3.read(LOGS / "udp.json")
    rate = row_of(reading)["bytes_per_second"]
    assert rate == pytest.approx(249835024 / 4.000198)
    assert reading.details["lost_packets"] == 82


def test_datagrams_of_an_older_version_less_what_was_lost(read):
    entries = json.loads((LOGS / "udp.json").read_text())
    del entries["end"]["sum_received"], entries["end"]["sum_sent"]
    row = row_of(read(json.dumps(entries)))
    received = 249953760 * (1 - 82 / 172620)
    assert row["bytes_per_second"] == pytest.approx(received / 4.000198)


def test_server_counts_what_it_received():
    reading = iperf3.read(LOGS / "server-side.json")
    assert reading.details["side"] == "server"
    rate = row_of(reading)["bytes_per_second"]
    assert rate == pytest.approx(4941414400 / 2.000162)


def test_output_of_the_server_inside_is_not_another_session():
    assert len(rows_of(iperf3.read(LOGS / "server-output.json"))) == 1


def test_sessions_in_one_file():
    rows = rows_of(iperf3.read(LOGS / "two-sessions.json"))
    assert [row["position"] for row in rows] == [1, 123]


def test_zeros_of_the_other_side_are_unknown():
    cpu = iperf3.read(LOGS / "server-side.json").details["cpu_pct_of_one_cpu"]
    assert "remote_total" not in cpu


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("refused.json", "failed", "unable to connect to server: Connection refused"),
        ("busy.json", "failed", "the server is busy running a test"),
        ("server-killed.json", "failed", "unable to write to stream socket"),
        ("interrupted.json", "truncated", "interrupt - the client has terminated"),
    ],
)
def test_errors_though_the_status_was_zero(name, status, reason):
    """The interrupted one has a whole ``end``."""
    reading = iperf3.read(LOGS / name)
    assert reading.status == status
    assert reading.reason.startswith(reason)
    assert all(row["bytes_per_second"] is None for row in rows_of(reading))


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        (changed("tcp.json", "end", "sum_received", "bytes", value=0),
         "failed", "no data was received"),
        (changed("tcp.json", "end", "sum_received", "bits_per_second", value=2.18e9),
         "failed", "do not fit together"),
        (changed("tcp.json", "start", "test_start", "duration", value=10),
         "truncated", "ended after 4 of 10 s"),
        (changed("bidir.json", "end", "sum_received_bidir_reverse", value=None),
         "failed", "no data was received"),
        (changed("tcp.json", "end", value={}), "truncated", "the session has no end"),
        ((LOGS / "tcp.json").read_text() + "iperf3: error - unable to receive\n",
         "failed", "iperf3: error"),
    ],
)  # fmt: skip
def test_a_log_that_cannot_be_right_says_why(read, text, status, reason):
    reading = read(text)
    assert reading.status == status
    assert reason in reading.reason


def test_a_way_that_is_missing_from_the_sums_is_missed(read):
    entries = json.loads((LOGS / "bidir.json").read_text())
    del entries["end"]["sum_received_bidir_reverse"]
    assert "streams do not add up" in read(json.dumps(entries)).reason


def test_not_a_number_in_json(read):
    text = (LOGS / "udp.json").read_text()
    text = text.replace('"jitter_ms":\t0,', '"jitter_ms":\t-nan,')
    assert read(text).status == "ok"


def test_a_stream_of_events(read):
    entries = json.loads((LOGS / "tcp.json").read_text())
    events = [{"event": "start", "data": entries["start"]}]
    events += [{"event": "interval", "data": each} for each in entries["intervals"]]
    lines = [json.dumps(event) for event in events]
    end = json.dumps({"event": "end", "data": entries["end"]})
    whole = read("\n".join([*lines, end]) + "\n")
    assert row_of(whole)["bytes_per_second"] == pytest.approx(8728084480 / 4.000151)
    assert iperf3.recognise(lines[0].encode())
    assert read("\n".join(lines) + "\n").status == "truncated"


def test_damaged_json_tells_its_line(read):
    lines = (LOGS / "tcp.json").read_text().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if '"seconds"' in line)
    lines[at] = lines[at].replace("1.", "1,", 1)
    reading = read("".join(lines))
    assert reading.status == "truncated"
    assert reading.problems[0].line == at + 1


def _times(entries: dict, *names: str) -> None:
    """Multiply bytes and rate of all objects below these names of ``end`` by ten."""
    for name in names:
        of = entries["end"][name]
        for part in (
            (s for each in of for s in each.values()) if name == "streams" else [of]
        ):
            part["bytes"] *= 10
            part["bits_per_second"] *= 10


@pytest.mark.parametrize(
    "names",
    [
        ("sum_sent", "sum_received", "streams"),
        ("sum_received", "streams"),  # the intervals are the sender's
        ("sum_sent", "sum_received"),
    ],
)
@pytest.mark.parametrize("version", ["3.12", "3.1"])  # without the word sender
def test_sums_that_the_intervals_deny_are_refused(read, names, version):
    entries = json.loads((LOGS / "tcp.json").read_text())
    if version == "3.1":
        for interval in entries["intervals"]:
            del interval["sum"]["sender"]
    assert read(json.dumps(entries)).status == "ok"
    _times(entries, *names)
    reading = read(json.dumps(entries))
    assert reading.status == "failed"
    assert row_of(reading)["bytes_per_second"] is None


def test_sums_that_the_intervals_deny_are_told_with_both_figures(read):
    entries = json.loads((LOGS / "tcp.json").read_text())
    _times(entries, "sum_sent", "sum_received", "streams")
    told = "the total is 8.72808e+10, but 8.72808e+09 by its intervals"
    assert told in read(json.dumps(entries)).reason


@pytest.mark.parametrize("which", [0, 1, -1])
@pytest.mark.parametrize("name", ["tcp.json", "udp.json"])
def test_an_interval_that_was_taken_away_is_missed(read, name, which):
    entries = json.loads((LOGS / name).read_text())
    del entries["intervals"][which]
    reading = read(json.dumps(entries))
    assert (reading.status, reading.reason) == (
        "degraded",
        "its intervals tell of 3 of 4 s: some are missing",
    )


def test_omitted_intervals_and_a_short_last_one_are_not_missed(read):
    entries = json.loads((LOGS / "reverse.json").read_text())
    assert entries["intervals"][0]["sum"]["omitted"]
    assert read(json.dumps(entries)).status == "ok"
    last = entries["intervals"][-1]["sum"]
    last["seconds"], last["bytes"] = last["seconds"] / 3, last["bytes"] // 3
    for side in ("sum_sent", "sum_received"):
        total = entries["end"][side]
        total["seconds"] -= 2 / 3
        total["bytes"] -= last["bytes"] * 2
        total["bits_per_second"] = total["bytes"] * 8 / total["seconds"]
    entries["end"]["streams"], entries["start"]["test_start"]["duration"] = [], 3
    del entries["intervals"][-1]
    assert read(json.dumps(entries)).status == "ok"


def test_each_ends_process_is_told_and_so_is_what_moved_in_omitted_seconds():
    reading = iperf3.read(LOGS / "tcp.json")
    end = json.loads((LOGS / "tcp.json").read_text())["end"]
    used = end["cpu_utilization_percent"]
    rows = reading.tables["run_cpu"].select("role", "cpu_seconds", "method").rows()
    assert rows == [
        ("client", pytest.approx(used["host_total"] * 0.04000151), "process"),
        ("server", pytest.approx(used["remote_total"] * 0.04000151), "process"),
    ]
    omitted = row_of(iperf3.read(LOGS / "reverse.json"))
    assert omitted["bytes_moved"] == pytest.approx(
        omitted["bytes_per_second"] * 4.999925
    )


def test_a_servers_log_tells_its_own_end_first():
    server = iperf3.read(LOGS / "server-side.json")
    used = json.loads((LOGS / "server-side.json").read_text())["end"]
    at_home = used["cpu_utilization_percent"]["host_total"]
    cpu = dict(server.tables["run_cpu"].select("role", "cpu_seconds").rows())
    seconds = row_of(server)["seconds"]
    assert cpu["server"] == pytest.approx(at_home / 100 * seconds)


def test_a_log_that_ended_early_has_no_cpu_time(read):
    longer = changed("tcp.json", "start", "test_start", "duration", value=40)
    assert "run_cpu" not in read(longer).tables


def test_the_workload_is_the_size_of_a_write_by_its_way():
    row, back = (
        row_of(iperf3.read(LOGS / name)) for name in ("tcp.json", "reverse.json")
    )
    assert (row["request_bytes"], row["response_bytes"]) == (131072, 0)
    assert (back["request_bytes"], back["response_bytes"]) == (0, 131072)


def test_intervals_are_kept_and_those_omitted_are_marked():
    rows = iperf3.read(LOGS / "reverse.json").tables["interval"].to_dicts()
    reports = json.loads((LOGS / "reverse.json").read_text())["intervals"]
    assert len(rows) == len(reports)
    assert [row["omitted"] for row in rows] == [1, 0, 0, 0, 0]
    for row, report in zip(rows, reports, strict=True):
        rate = report["sum"]["bits_per_second"] / 8
        assert row["bytes_per_second"] == pytest.approx(rate, rel=1e-3)
        left_out = report["sum"]["omitted"] * report["sum"]["end"]
        start = report["sum"]["start"] - left_out
        assert row["start_s"] == pytest.approx(start, abs=1e-6)


def test_intervals_of_both_ways_are_added_and_a_lost_run_has_none():
    rows = iperf3.read(LOGS / "bidir.json").tables["interval"]
    total = (rows["bytes_per_second"] * rows["seconds"]).sum()
    assert total == pytest.approx(4698931200 + 1499725824, rel=0.05)
    assert "interval" not in iperf3.read(LOGS / "interrupted.json").tables
