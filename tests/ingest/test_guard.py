"""No reader can end the program: what it cannot cope with, the file says."""

from __future__ import annotations

import errno
import gzip
from concurrent.futures import BrokenExecutor
from pathlib import Path

import polars as pl
import pytest

from analysis.errors import UserError, told
from analysis.ingest import read_all
from analysis.ingest.guard import read_safely
from analysis.ingest.reading import Reading


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
        read_all.read_all(tmp_path, ["day.smf"], "UTC")
    assert isinstance(caught.value, OSError | UserError)
    (issue,) = told(caught.value).issues
    assert issue.where and issue.mend
    assert ("process" in issue.what) == isinstance(error, BrokenExecutor)


def test_what_is_damaged_is_a_mistake_of_the_file(tmp_path: Path) -> None:
    def read() -> Reading:
        raise gzip.BadGzipFile("CRC check failed")

    assert read_safely("smf", read).status == "failed"
