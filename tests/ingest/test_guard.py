"""No reader can end the program: what it cannot cope with, the file says."""

from __future__ import annotations

import errno
import gzip
import json
import re
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path

import polars as pl
import pytest

from analysis.errors import UserError, as_user_error
from analysis.ingest import read_all
from analysis.ingest.detect import read_file
from analysis.ingest.physical import read_safely
from analysis.ingest.reading import Reading
from synthetic.smf.dump import unblocked
from synthetic.smf.rmf import Activity, Cpu, Interval, Lpar, cpu_activity
from tests.ingest.logs import text_of


def test_a_panic_of_polars_fails_the_file():
    """It is no ``Exception`` of Python."""

    def read() -> Reading:
        raise pl.exceptions.PanicException("invalid or out-of-range datetime")

    reading = read_safely("smf", read)
    assert (reading.format, reading.status) == ("smf", "failed")
    assert "could not cope: PanicException: invalid" in reading.reason


def test_mistakes_of_users_are_told_as_they_are():
    def read() -> Reading:
        raise UserError([])

    with pytest.raises(UserError):
        read_safely("smf", read)


ROOM = (
    OSError(errno.ENOSPC, "No space left on device"),
    OSError("No space left on device (os error 28)"),  # as polars tells it
    OSError("1048576 requested and 131056 written"),  # as numpy tells it
    OSError(errno.EMFILE, "Too many open files"),
)


@pytest.mark.parametrize("error", [*ROOM, BrokenExecutor()], ids=repr)
def test_no_room_and_a_process_that_was_ended_are_no_mistake_of_the_file(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who kept that as what the file says would go on without it."""

    def fail(*_: object, **__: object) -> Reading:
        raise error

    with pytest.raises(type(error)):
        read_safely("smf", fail)
    (tmp_path / "day.smf").write_bytes(b"")
    monkeypatch.setattr(read_all, "read_file", fail)
    with pytest.raises((OSError, UserError)) as caught:
        read_all.read_all(read_all.FileReader(tmp_path, "UTC"), ["day.smf"])
    assert isinstance(caught.value, OSError | UserError)
    (issue,) = as_user_error(caught.value).issues
    assert issue.where and issue.mend
    assert ("process" in issue.what) == isinstance(error, BrokenExecutor)


def test_what_is_damaged_is_a_mistake_of_the_file(tmp_path: Path) -> None:
    def read() -> Reading:
        raise gzip.BadGzipFile("CRC check failed")

    assert read_safely("smf", read).status == "failed"


def _mpstat_twice() -> bytes:
    capture = json.loads(text_of("mpstat/str.json"))
    statistics = capture["sysstat"]["hosts"][0]["statistics"]
    statistics.insert(3, statistics[2])
    return json.dumps(capture, indent=1).encode()


def _sadf_longer() -> bytes:
    text = text_of("sadf/u.json")
    return re.sub(r'("interval": ?)1\b', r"\g<1>10", text).encode()


def _two_systems_of_one_name() -> bytes:
    cpus = ([Cpu(0, seconds * 1_000_000, 0)] for seconds in (400, 500))
    lpars = (Lpar("PROD", 3, each) for each in cpus)
    return unblocked([cpu_activity(Interval(), Activity([one])) for one in lpars])


@pytest.mark.parametrize(
    "capture", [_mpstat_twice, _sadf_longer, _two_systems_of_one_name]
)
def test_time_of_a_capture_that_would_count_twice_is_told(
    capture: Callable[[], bytes], tmp_path: Path
) -> None:
    (tmp_path / "capture").write_bytes(capture())
    reading = read_file(tmp_path / "capture", "UTC")
    assert (reading.status, reading.problems[-1].remark) == ("degraded", reading.cause)
    assert reading.cause and reading.cause.kind == "intervals_overlap"
