"""No reader can end the program: what it cannot cope with, the file says."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.errors import UserError
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
