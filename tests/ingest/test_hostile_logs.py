"""Logs cut, doubled and full of huge numbers are read or refused, never trusted."""

from __future__ import annotations

import json
import math
import re

from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from analysis.ingest.detect import FORMATS, read_file
from analysis.ingest.inspect_file import describe, row_lines, summary
from analysis.ingest.logs.checks import FIGURES
from analysis.ingest.reading import Reading
from tests.fresh import write_fresh
from tests.ingest.benchmark_logs import GOLDEN, unpacked

LARGEST = 100_000  # bytes of a log that is damaged here
LOGS = {
    str(path.relative_to(GOLDEN)): unpacked(path)
    for path in sorted(GOLDEN.rglob("*"))
    if path.is_file()
    and path.parent.name in FORMATS
    and not path.name.endswith(".expected.json")
    and path.stat().st_size < LARGEST
}
NUMBER = re.compile(rb"\d+(?:\.\d+)?")
ODD = [
    b"9" * 400,
    b"1" * 5000,
    b"1e999",
    b"1e-320",
    b"-1",
    b"-0.0",
    b"0",
    b"NaN",
    b"Infinity",
    b"99999999999999999999",
    b"9223372036854775808",
    b'"\\ud800"',
    b"null",
    b"[]",
    b"{}",
    b"\xff\xfe",
    b"\0",
    b"\r",
]
HURT = ("cut", "double", "drop", "swap", "number", "insert")


@st.composite
def hostile(draw: st.DrawFn) -> bytes:
    """A real log that was damaged up to three times."""
    data = LOGS[draw(st.sampled_from(sorted(LOGS)))]
    for how in draw(st.lists(st.sampled_from(HURT), min_size=1, max_size=3)):
        data = hurt(draw, how, data)
    return data


def hurt(draw: st.DrawFn, how: str, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    place = draw(st.integers(0, len(data)))
    numbers = list(NUMBER.finditer(data))
    if how == "cut":
        return data[:place]
    if how == "double":
        return b"\n".join([*lines[: at + 1], *lines[at:]])
    if how == "drop":
        return b"\n".join([*lines[:at], *lines[at + 1 :]])
    if how == "swap":
        other = draw(st.integers(0, len(lines) - 1))
        lines[at], lines[other] = lines[other], lines[at]
        return b"\n".join(lines)
    odd = draw(st.sampled_from(ODD))
    if how == "number" and numbers:
        found = draw(st.sampled_from(numbers))
        return data[: found.start()] + odd + data[found.end() :]
    return data[:place] + odd + data[place:]


@given(hostile())
def test_a_hostile_log_is_read_or_refused(tmp_path, data):
    path = tmp_path / "log"
    write_fresh(path, data)
    try:
        reading = read_file(path, "UTC")
    except UserError as error:
        assert error.issues[0].what
        return
    assert json.dumps(summary(path, reading), ensure_ascii=False).encode()
    assert "\n".join([*describe(path, reading), *row_lines(path, reading)]).encode()
    assert reading.status == "ok" or reading.reason
    assert_consistent(reading)


def assert_consistent(reading: Reading) -> None:
    """What is ok has figures, or rows of another table; all figures are finite."""
    for row in reading.results:
        status, _ = reading.verdict(row["test"] or "")
        told = [row[name] for name in (*FIGURES, "seconds", "transactions")]
        known = [value for value in told if value is not None]
        assert known or reading.tables or status != "ok"
        assert all(map(math.isfinite, known))
    for table in reading.tables.values():
        for row in table.iter_rows():
            assert all(math.isfinite(v) for v in row if isinstance(v, float))
