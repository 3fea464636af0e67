"""uperf logs: real ones, and every way in which one can mislead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.bench import uperf
from analysis.ingest.reading import Reading
from tests.fresh import write_fresh

GOLDEN = Path(__file__).parents[2] / "golden" / "uperf"
LOGS = sorted(path.name for path in GOLDEN.glob("*.txt") if "slave" not in path.name)


def log_text(name: str) -> str:
    return (GOLDEN / name).read_bytes().decode()


def rows_of(reading: Reading) -> list[dict]:
    return reading.results


def row_of(reading: Reading) -> dict:
    (row,) = rows_of(reading)
    return row


@pytest.fixture
def read(tmp_path: Path):
    """Read a text as a log."""

    def read_text(text: str | bytes) -> Reading:
        path = tmp_path / "log.txt"
        write_fresh(path, text)
        return uperf.read(path)

    return read_text


def test_request_response_raw():
    """Checked by hand: (1,412,631 − 1) ÷ 2 flowops in 3 s.

    The last progress line comes at 3.2032 s. But 706,316 transactions of 16.97 µs
    by 4 clients take 2.9965 s, and the profile says 3 s: for the rest uperf waited.
    """
    reading = uperf.read(GOLDEN / "rr-raw.txt")
    row = row_of(reading)
    assert reading.status == "ok"
    assert (row["shape"], row["clients"]) == ("RR", 4)
    assert row["transactions"] == 706316  # not 1,412,643 operations
    assert row["seconds"] == pytest.approx(2.996546)
    assert row["rate"] == pytest.approx((1412631 - 1) / 2 / 2.996546)
    assert row["bytes_per_second"] == pytest.approx((141263100 - 100) / 2.996546)
    assert row["latency_mean_us"] == 16.97
    assert row["start_utc"] == "2026-11-21T04:15:03.040390Z"
    assert (row["errors"], row["request_bytes"]) == (0, None)
    assert reading.details["flowops_per_transaction"] == 2


def test_connect_request_response_raw_ends_with_the_strands():
    """uperf prints the last line 0.2 s after the clients stopped."""
    row = row_of(uperf.read(GOLDEN / "crr-raw.txt"))
    assert row["shape"] == "CRR"
    assert row["transactions"] == 38985
    assert row["seconds"] == pytest.approx(1.405214, rel=1e-5)
    assert row["rate"] == pytest.approx((155927 - 8) / 4 / 1.405214, rel=1e-5)


def test_connect_request_response_text():
    """Progress to 2.81 s; 73,086 transactions of 142.58 µs take 4 clients 2.605 s."""
    reading = uperf.read(GOLDEN / "crr-text.txt")
    row = row_of(reading)
    assert (row["shape"], row["transactions"], row["clients"]) == ("CRR", 73086, 4)
    assert row["seconds"] == pytest.approx(2.60515)
    assert row["rate"] == pytest.approx(104178 * 2.81 / 4 / 2.60515)
    assert row["latency_mean_us"] == 142.58
    assert row["bytes_per_second"] == pytest.approx(575.45 * 2**20 / 2.60515)
    assert row["start_utc"] is None


def test_server_that_waits_after_connects_is_no_failure():
    reading = uperf.read(GOLDEN / "crr-text.txt")
    assert reading.status == "ok"
    assert "-248.49" in reading.problems[0].message


def test_a_stream_has_rate_and_bytes_of_its_text():
    row = row_of(uperf.read(GOLDEN / "str-text.txt"))
    assert (row["shape"], row["transactions"], row["clients"]) == ("STR", 446, 3)
    assert row["latency_mean_us"] == 20190  # 20.19ms
    assert row["rate"] == pytest.approx(44506 / 321 * 3.2 / 3.00158)
    assert row["bytes_per_second"] == pytest.approx(8.65 * 2**30 / 3.00158)


def test_stream_raw_counts_321_flowops_for_a_transaction():
    reading = uperf.read(GOLDEN / "str-raw.txt")
    row = row_of(reading)
    assert reading.details["flowops_per_transaction"] == 321
    assert row["rate"] == pytest.approx(89018 / 321 / (279 * 21.55e-3 / 3))
    # 20 MB and one byte a transaction: an independent way to the same rate.
    assert row["bytes_per_second"] / (20 * 2**20 + 1) == pytest.approx(
        row["rate"], rel=0.005
    )


@pytest.mark.parametrize(
    ("name", "reason", "line"),
    [
        ("server-killed-raw.txt", "*** Slave aborted! ***", 5),
        ("crr-reset-raw.txt", "8 errors, the first: Error for flowop read", 82),
    ],
)
def test_failed_runs_have_no_rate(name, reason, line):
    reading = uperf.read(GOLDEN / name)
    row = row_of(reading)
    assert reading.status == "failed"
    assert reading.reason.startswith(reason)
    assert reading.problems[0].line == line
    assert row["errors"] in (1, 8)
    assert [row[c] for c in ("rate", "latency_mean_us", "bytes_per_second")] == [
        None
    ] * 3


def test_group_lines_are_never_used(read):
    """They count every flowop twice."""
    text = log_text("rr-raw.txt")
    changed = re.sub(r"(name:Group0 nr_bytes:)\d+ nr_ops:\d+", r"\g<1>7 nr_ops:7", text)
    assert changed != text
    assert row_of(read(changed)) == row_of(read(text))


def test_progress_separated_by_carriage_returns(read):
    text = log_text("crr-text.txt")
    assert row_of(read(text.replace("\r", "\n")))["rate"] == row_of(read(text))["rate"]


@pytest.mark.parametrize("name", LOGS)
@given(st.data())
def test_states_are_read_together_as_one_by_one(read, name, data):
    """Where a line ends in a carriage return as well, each is read by itself."""
    lines = log_text(name).split("\n")
    for at in data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=4)):
        lines.insert(at, data.draw(st.sampled_from([lines[at], lines[0], "", "Txn"])))
    text = "\n".join(lines).encode()
    assert repr(read(text)) == repr(read(text.replace(b"\n", b"\r\n")))


def test_a_size_whose_unit_was_cut_off_comes_from_the_rate(read):
    """``1023.99MB`` is printed as ``1023.99``: seven characters."""
    text = log_text("str-text.txt").replace("8.65GB /   3.20(s)", "1023.99 /   3.20(s)")
    row = row_of(read(text))
    assert row["bytes_per_second"] == pytest.approx(23.21e9 / 8 * 3.2 / 3.00158)


@pytest.mark.parametrize(
    ("printed", "microseconds"),
    [("970.00ns", 0.97), ("16.97us", 16.97), ("16.97ms", 16970), ("1.50s", 1.5e6)],
)
def test_latency_is_read_in_each_unit(read, printed, microseconds):
    text = log_text("rr-raw.txt").replace("706316     16.97us", f"706316     {printed}")
    assert row_of(read(text))["latency_mean_us"] == pytest.approx(microseconds)


LAST = "Difference(%)     -0.00%     -0.00%        0.00%       -0.00%       0.00%\n"


@pytest.mark.parametrize(
    ("old", "new", "status", "reason"),
    [
        (LAST, f"{LAST}** Warning: slow\n", "ok", ""),
        (LAST, f"{LAST}** TCP: broken pipe\n", "failed", "TCP: broken pipe"),
        (LAST, f"{LAST}WARNING: Errors detected during run\n", "failed", "WARNING"),
        (LAST, "Difference(%) 0% 0% -nan% 0% -nan%\n", "failed", "no data was moved"),
        (LAST, "Difference(%) 0% 0% 0% 0% 1.50%\n", "degraded", "1.5% of the operat"),
        (LAST, "Difference(%) 0% -9% 0% 0% 0%\n", "degraded", "disagree on the data"),
        (LAST, "Difference(%) -50% 0% 0% 0% 0%\n", "degraded", "differ by -50%"),
        ("nr_bytes:141263100 nr_ops:1412643", "nr_bytes:0 nr_ops:9", "failed", "no d"),
        ("1795234506243.9045", "0.0000", "failed", "1 of 4 clients did not finish"),
        ("Txn1              706316", "Txn1      506316", "degraded", "does not fit"),
        ("Thr0 nr_bytes:35366600", "Thr0 nr_bytes:95366600", "failed", "(bytes)"),
        ("Thr0 nr_bytes:35366600 nr_ops:3", "Thr0 nr_bytes:35366600 nr_ops:9",
         "failed", "(ops)"),
        ("Starting 4 threads running", "Begun: 4 threads", "truncated", "begins after"),
        ("\nGroup Details", "\nError Statistics", "failed", "before 1.0"),
        ("name:Txn2", "name:Txn9", "degraded", "no steady part"),
        ("Txn2                   4", "Txn1                   4", "failed", "several"),
        ("Starting 4", "Starting 4 threads running profile:rr\nStarting 4", "failed",
         "2 logs in one file"),
    ],
)  # fmt: skip
def test_a_log_that_cannot_be_right_says_why(read, old, new, status, reason):
    text = log_text("rr-raw.txt")
    assert old in text
    reading = read(text.replace(old, new))
    assert reading.status == status
    assert reason in reading.reason


def test_missing_certificate_is_harmless():
    assert "server.pem" in log_text("rr-raw.txt")
    assert uperf.read(GOLDEN / "rr-raw.txt").problems == []


@pytest.mark.parametrize("name", ["slave.txt", "slave-quiet.txt"])
def test_log_of_a_slave(name):
    reading = uperf.read(GOLDEN / name)
    assert reading.status == "empty"
    assert reading.results == []


def test_server_that_is_not_there(read):
    text = "** TCP: Cannot connect to 10.99.0.2:20000 Connection refused\n"
    assert uperf.recognise(text.encode())
    reading = read(text)
    assert (reading.status, reading.reason[:19]) == ("failed", "TCP: Cannot connect")


def test_threads_and_processes_are_clients(read):
    text = log_text("rr-raw.txt").replace("4 threads", "3 threads, 1 processes")
    assert row_of(read(text))["clients"] == 4


def test_one_progress_line_is_enough(read):
    """A run shorter than the interval of the progress lines (``-i 30``)."""
    lines = log_text("rr-raw.txt").splitlines(keepends=True)
    main = [line for line in lines if "name:Txn2 " in line]
    short = "".join(line for line in lines if line not in main[:-1])
    row = row_of(read(short))
    assert row["seconds"] == pytest.approx(2.996546)
    assert row["rate"] == pytest.approx(1412631 / 2 / row["seconds"])


def test_think_time_leaves_the_window_to_the_clock(read):
    """Transactions that fill half of the run do not say when it ended."""
    text = log_text("rr-raw.txt").replace("706316     16.97us", "706316      8.97us")
    assert row_of(read(text))["seconds"] == pytest.approx(3.2032144)


def test_stream_whose_strands_do_not_decide(read):
    """Without strands the largest number of flowops that fits is taken."""
    lines = log_text("str-raw.txt").splitlines(keepends=True)
    text = "".join(line for line in lines if "name:Thr" not in line)
    assert read(text).details["flowops_per_transaction"] == 322


@pytest.mark.parametrize("name", LOGS)
def test_cut_before_the_last_line_is_never_ok(read, name):
    """At every byte. What is still printed of a cut log is what the log said."""
    data = (GOLDEN / name).read_bytes()
    whole = row_of(uperf.read(GOLDEN / name))
    end = data.rindex(b"%")
    for at in range(0, end, 11):
        reading = read(data[:at])
        assert reading.status in ("truncated", "failed", "empty")
        for row in rows_of(reading):
            same = ("transactions", "latency_mean_us", "rate", "shape")
            assert all(row[c] in (whole[c], None) for c in same)


@given(st.data())
def test_a_flipped_byte_never_crashes(read, data):
    log = bytearray((GOLDEN / data.draw(st.sampled_from(LOGS))).read_bytes())
    for at in data.draw(st.lists(st.integers(0, len(log) - 1), max_size=5)):
        log[at] = data.draw(st.integers(0, 255))
    reading = read(bytes(log))
    for row in rows_of(reading):
        assert row["rate"] is None or row["rate"] > 0


@given(st.binary(max_size=400))
def test_any_bytes_never_crash(read, data):
    assert read(b"Starting 4 threads running profile:rr\n" + data).format == "uperf"


def test_the_last_progress_lines_alone_are_not_the_phase():
    """66.11 GB in 30.23 s; the two lines that there are cover 3% of it."""
    reading = uperf.read(GOLDEN / "last-lines-only.txt")
    row = row_of(reading)
    assert (reading.status, row["seconds"]) == ("ok", 30.23)
    assert row["bytes_per_second"] == pytest.approx(66.11 * 2**30 / 30.23)
    assert row["rate"] == pytest.approx(866453 / 30.23, rel=1e-3)
    assert "cover 3% of the measured phase" in reading.problems[0].message


def test_a_raw_log_without_its_first_lines_begins_with_the_phase_before(read):
    lines = log_text("rr-raw.txt").splitlines(keepends=True)
    main = [line for line in lines if "name:Txn2 " in line]
    assert len(main) == 4
    reading = read("".join(line for line in lines if line not in main[:2]))
    row = row_of(reading)
    assert row["seconds"] == pytest.approx(1795234506.2436 - 1795234503.0402, abs=1e-3)
    assert row["rate"] == pytest.approx(1412631 / 2 / row["seconds"])
    assert "of the whole phase" in reading.problems[0].message


def test_a_warning_of_the_server_is_a_warning():
    reading = uperf.read(GOLDEN / "server-warning.txt")
    row = row_of(reading)
    assert (reading.status, row["errors"]) == ("degraded", 0)
    assert "disagree on the data" in reading.reason
    assert row["bytes_per_second"] == pytest.approx(79955230720 / 29.388, rel=1e-4)
    assert len(reading.problems) == 7


@pytest.mark.parametrize(
    ("name", "old", "new", "source"),
    [
        ("str-text.txt", "Total      8.65GB", "Total      86.5GB", "strands (bytes)"),
        ("str-text.txt", "Thr0       2.46GB", "Thr0       24.6GB", "strands (bytes)"),
        ("str-text.txt", "26864op/s", "76864op/s", "strands (ops)"),
        ("str-text.txt", "Txn2       8.65GB /   3.20", "Txn2       86.5GB /   3.20",
         "last lines (bytes)"),
        ("rr-raw.txt", "nr_bytes:141263100 nr_ops:1412631",
         "nr_bytes:141263100 nr_ops:4237893", "last lines (ops)"),
        ("rr-raw.txt", "nr_bytes:141263100 nr_ops:1412631",
         "nr_bytes:423789300 nr_ops:1412631", "last lines (bytes)"),
    ],
)  # fmt: skip
def test_parts_that_do_not_add_up_to_the_total_are_refused(
    read, name, old, new, source
):
    text = log_text(name)
    assert old in text
    reading = read(text.replace(old, new))
    assert (reading.status, source in reading.reason) == ("failed", True)
    assert row_of(reading)["rate"] is None


def test_several_long_transactions_add_up(read):
    """Progress is counted from the beginning of each transaction."""
    text = log_text("rr-raw.txt").replace("Txn1 nr_bytes:0 nr_ops:4", "Txn1 nr_bytes:"
        "70631550 nr_ops:706315").replace("nr_bytes:141263100 nr_ops:1412631",
        "nr_bytes:70631550 nr_ops:706316")  # fmt: skip
    assert "add up" not in read(text).reason
    assert "Total" not in read(text).reason


def test_a_longest_time_beyond_the_run_is_none(read):
    """uperf prints 184467440.00ms where its subtraction went below zero."""
    text = log_text("rr-raw.txt")
    [line] = [x for x in text.splitlines() if x.startswith("Txn1 ")]
    longest = line.split()[4]
    assert row_of(read(text))["latency_max_us"] > 0
    odd = text.replace(line, line.replace(longest, "184467440.00ms"))
    assert row_of(read(odd))["latency_max_us"] is None


def test_progress_lines_are_intervals_of_the_steady_part(read):
    """Of the real log's lines of Txn2, by hand: 285,430 flowops in 1.00095 s."""
    text = log_text("server-warning.txt")
    reading = read(text)
    rows = reading.tables["interval"]
    assert rows.height == text.count("name:Txn2") - 1
    first = rows.row(0, named=True)
    assert first["bytes_per_second"] == pytest.approx(2338242560 / 1.0009524, rel=1e-6)
    assert first["rate"] * 10 == pytest.approx(285430 / 1.0009524, rel=1e-3)
    row = row_of(reading)
    assert rows["seconds"].sum() == pytest.approx(row["seconds"])
    for name in ("rate", "bytes_per_second"):
        mean = (rows[name] * rows["seconds"]).sum() / row["seconds"]
        assert mean == pytest.approx(row[name])


def test_a_text_log_leaves_out_what_its_digits_do_not_tell(read):
    """``1.56GB`` after ``1.55GB`` is known to 70% of the difference, its rate is not
    zero: there is no value, and never a wrong one."""
    lines = "".join(
        f"Txn2   1.5{n}GB /   {1 + n / 10:.2f}(s) =   1.00Gb/s   2000op/s\r"
        for n in range(10)
    )
    text = log_text("str-text.txt")
    at = text.index("Txn2 ", text.index("8.65GB") - 40)
    rows = read(text[:at] + lines + text[at:]).tables["interval"]
    assert rows["bytes_per_second"].null_count() >= 9
