"""All benchmark logs: cut, damaged or of another locale, they never invent a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.bench import (
    flent,
    iperf2,
    iperf3,
    iperf3_text,
    neper,
    netperf,
    netperf_omni,
    nuttcp,
    perftest,
    qperf,
    sockperf,
)
from analysis.ingest.detect import read_file
from analysis.ingest.logs.checks import agree
from analysis.ingest.logs.text import (
    BINARY_STEPS,
    DECIMAL_STEPS,
    MICROSECONDS,
    SECONDS,
    plain_number,
    text_lines,
)
from tests.ingest.benchmark_logs import (
    GOLDEN,
    assert_cuts_are_safe,
    assert_nothing_invented,
    damage,
    golden,
    little,
    other_locale,
    read_as,
    reader,
    rows_of,
)

TOOLS = (
    netperf, netperf_omni, iperf3, iperf3_text, iperf2, sockperf, qperf, neper, nuttcp,
    flent, perftest,
)  # fmt: skip
TEXTS = [module for module in TOOLS if module is not flent]
FILES = [(module, path) for module in TOOLS for path in golden(module)]


def name_of(value: object) -> str:
    return getattr(value, "name", None) or getattr(value, "FORMAT", "")


@pytest.mark.parametrize(("module", "path"), FILES, ids=name_of)
def test_a_cut_log_never_invents_a_number(module, path, tmp_path):
    step = max(1, path.stat().st_size // 60)
    assert_cuts_are_safe(module, reader(module, tmp_path), path, step)


@pytest.mark.parametrize("module", TOOLS, ids=name_of)
@given(data=st.data())
def test_a_damaged_log_never_invents_a_number(module, tmp_path, data):
    path, damaged = data.draw(damage(golden(module)))
    reading = reader(module, tmp_path)(damaged)
    assert_nothing_invented(reading, rows_of(read_as(module, path)))


@pytest.mark.parametrize("module", TEXTS, ids=name_of)
@given(data=st.data())
def test_numbers_of_another_locale_are_refused_or_right(module, tmp_path, data):
    path, changed = data.draw(other_locale(golden(module)))
    reading = reader(module, tmp_path)(changed)
    assert_nothing_invented(reading, rows_of(read_as(module, path)))


@pytest.mark.parametrize("module", TOOLS, ids=name_of)
@given(tail=st.binary(max_size=300))
def test_any_bytes_behind_a_beginning_never_crash(module, tmp_path, tail):
    head = golden(module)[0].read_bytes()[:200]
    assert reader(module, tmp_path)(head + tail).format == module.FORMAT


@pytest.mark.parametrize(("module", "path"), FILES, ids=name_of)
def test_littles_law_holds_in_every_closed_loop(module, path):
    """It would not for one-way latencies (½), nor for messages as transactions (2)."""
    reading = read_as(module, path)
    closed = [
        row
        for row in rows_of(reading)
        if row["clients"] and row["rate"] and row["latency_mean_us"]
    ]
    for row in closed:
        assert little(row) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(("module", "path"), FILES, ids=name_of)
def test_bytes_are_transactions_times_payload(module, path):
    """It would not hold with bits for bytes (8), nor with one way only (2)."""
    for row in rows_of(read_as(module, path)):
        if row["rate"] and row["request_bytes"] and row["shape"] and row["clients"]:
            payload = row["request_bytes"] + row["response_bytes"]
            assert row["bytes_per_second"] / payload == pytest.approx(row["rate"])


@pytest.mark.parametrize(("module", "path"), FILES, ids=name_of)
def test_a_failed_log_has_no_measured_value(module, path):
    reading = read_as(module, path)
    if reading.status == "failed" and len(rows_of(reading)) == 1:
        (row,) = rows_of(reading)
        values = ("rate", "latency_mean_us", "bytes_per_second", "seconds")
        assert [row[name] for name in values] == [None] * 4
        assert reading.reason


@pytest.mark.parametrize(
    "text",
    ["4,00", "1.234,5", "1,234.5", "1'234.5", "nan", "inf", "1e999", "", "٣", "1_0"],
)
def test_only_plain_numbers_are_numbers(text):
    assert plain_number(text) is None


def test_a_plain_number_is_a_number():
    assert [plain_number(t) for t in ("4.00", "-1", " 12 ", "1e3")] == [4, -1, 12, 1000]


def test_each_letter_is_a_power_of_1000_or_1024_and_each_unit_of_time_has_its_length():
    letters = [(letter, power) for power, letter in enumerate(["", *"KMGTPE"])]
    assert {letter: 1000.0**n for letter, n in letters} == DECIMAL_STEPS
    assert {letter: 1024**n for letter, n in letters} == BINARY_STEPS
    assert SECONDS == {
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600,
    }  # fmt: skip
    lengths = {unit: pytest.approx(seconds * 1e6) for unit, seconds in SECONDS.items()}
    assert lengths == MICROSECONDS


def test_agreement_is_a_share_of_the_larger():
    assert agree(100, 99, 0.01)
    assert not agree(100, 98, 0.01)


def test_lines_are_whole_and_without_colours():
    lines, cut = text_lines(b"\xef\xbb\xbfone\r\n\x1b[2;35mtwo\x1b[0m\nthr")
    assert (lines, cut) == (["one", "two"], True)
    assert text_lines(b"one\n  ") == (["one"], False)


@pytest.mark.parametrize(
    ("name", "old", "new", "status", "told"),
    [
        ("ab/https.txt", "Level:      8", "Level:      80", "failed",
         "Time per request is 5.687, but 56.8723 by its counts"),
        ("wrk/latency.txt", "115.54us", "115.54ms", "degraded",
         "rate × latency ÷ clients is 1.08e+03, not 1"),
        ("netperf_omni/rr-all.keyval", "\nREQUEST_SIZE=40", "\nREQUEST_SIZE=4000",
         "failed", "REQUEST_SIZE is 4000"),
        ("qperf/verbose.txt", "=     100 bytes", "=     1 KB", "failed",
         "msg_size is 1000, but 100.063 by its bytes and messages"),
        ("iperf3/tcp.json", '"num_streams":\t1', '"num_streams":\t8', "degraded",
         "num_streams is 8, but 1 by its sockets"),
        ("iperf3/tcp.json", "1795234538", "1795148138", "degraded",
         "it began at 2026-11-20T04:15:38.000000Z by one of its times"),
        ("perf_stat/command.txt", "0.090528000", "0.900528000", "degraded",
         "user and system time is 0.90426, but 0.0938 by task-clock"),
    ],
)  # fmt: skip
def test_what_a_log_declares_is_held_against_what_it_shows(
    tmp_path, name, old, new, status, told
):
    assert read_file(GOLDEN / name, "UTC").status == "ok"
    path = tmp_path / "log.txt"
    path.write_text((GOLDEN / name).read_text().replace(old, new, 1))
    reading = read_file(path, "UTC")
    assert (reading.status, told in reading.reason) == (status, True), reading.reason
