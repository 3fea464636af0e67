"""A log that holds the same test twice: it counts once, or the file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.ingest.detect import read_file
from analysis.ingest.reading import Reading
from tests.ingest.logs import GOLDEN, golden, row, rows

# A display is what was seen at one moment, however often it is printed.
SNAPSHOTS = ("zos_displays", "ctg_statistics")


def usable_logs() -> list[Path]:
    logs = [path for path in GOLDEN.glob("*/*") if path.is_file()]
    return sorted(
        path
        for path in logs
        if path.suffix not in (".gz", ".bz2")
        and not path.name.endswith(".expected.json")
        and path.parent.name not in ("facts", "predictions", "__pycache__", *SNAPSHOTS)
        and read_file(path, "UTC").status in ("ok", "degraded")
    )


def twice(path: Path, folder: Path) -> Reading:
    data = path.read_bytes()
    log = folder / path.name
    log.write_bytes((data if data.endswith(b"\n") else data + b"\n") * 2)
    return read_file(log, "UTC")


def without_places(reading: Reading) -> list[dict]:
    return [{k: v for k, v in one.items() if k != "position"} for one in rows(reading)]


@pytest.mark.parametrize(
    "path", usable_logs(), ids=lambda p: f"{p.parent.name}-{p.name}"
)
def test_a_log_printed_twice_counts_once_or_is_refused(path, tmp_path):
    reading = twice(path, tmp_path)
    if reading.status in ("ok", "degraded"):
        assert without_places(reading) == without_places(read_file(path, "UTC"))
    else:
        assert reading.reason


def test_iperf3_prints_its_json_twice():
    """Of 3.16 and 3.17: one run of 1,170.2 MB/s, not two of them together."""
    reading = golden("iperf3/printed-twice.json")
    assert row(reading)["bytes_per_second"] == pytest.approx(1170.2e6, rel=1e-4)
    (problem,) = reading.problems
    assert (problem.remark.kind, problem.line) == ("same_test_twice", 393)


def test_two_sessions_of_iperf3_are_two_though_their_figures_are_equal(tmp_path):
    text = (GOLDEN / "iperf3" / "tcp.json").read_text()
    (cookie,) = (line for line in text.splitlines() if '"cookie"' in line)
    log = tmp_path / "log"
    log.write_text(text + text.replace(cookie, '"cookie": "another",'))
    assert len(rows(read_file(log))) == 2


def test_equal_figures_that_nothing_tells_apart_are_refused(tmp_path):
    reading = twice(GOLDEN / "nuttcp" / "fixed.txt", tmp_path)
    assert reading.status == "failed"
    assert "nothing tells apart" in reading.reason


def test_client_and_server_in_one_file_are_not_added_up(tmp_path):
    logs = [GOLDEN / "iperf3" / name for name in ("server-side.json", "tcp.json")]
    log = tmp_path / "log"
    log.write_text("".join(path.read_text() for path in logs))
    assert {one["test"] for one in rows(read_file(log))} == {"server", "client"}


def test_a_test_of_qperf_again_is_no_instance_beside_it(tmp_path):
    text = (GOLDEN / "qperf" / "verbose.txt").read_text()
    log = tmp_path / "log"
    log.write_text(text + text.replace("31.5 us", "31.6 us"))
    assert "the same test again" in read_file(log).reason


def test_a_second_report_of_vmstat_without_times_begins_with_the_time_since_boot(
    tmp_path,
):
    reading = twice(GOLDEN / "vmstat" / "untimed.txt", tmp_path)
    assert (reading.status, "several reports" in reading.reason) == ("failed", True)
