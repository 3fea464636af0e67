"""What the tests of all benchmark logs share: real logs, and ways to damage them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import strategies as st

from analysis.derive.gates import little_ratio
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Reading
from tests.fresh import write_fresh

GOLDEN = Path(__file__).parents[1] / "golden"
Rows = list[dict]
Read = Callable[[str | bytes], Reading]


def golden(module: ModuleType) -> list[Path]:
    """The real logs of a format."""
    files = (GOLDEN / module.FORMAT).iterdir()
    return sorted(f for f in files if not f.name.endswith(".expected.json"))


def rows_of(reading: Reading) -> Rows:
    return reading.results


def row_of(reading: Reading) -> dict:
    (row,) = rows_of(reading)
    return row


def read_as(module: ModuleType, path: Path) -> Reading:
    """A file, unpacked, as one of that format."""
    with RawFile(path) as raw:
        return module.read(raw)


def unpacked(path: Path) -> bytes:
    with RawFile(path) as raw:
        return raw.read_bytes()


def reader(module: ModuleType, tmp_path: Path) -> Read:
    """Read a text or bytes as a file of that format."""

    def read(data: str | bytes) -> Reading:
        path = tmp_path / "log"
        write_fresh(path, data)
        return read_as(module, path)

    return read


def little(row: dict) -> float:
    """rate × latency ÷ clients: 2 or ½ for one-way latencies, 8 for bits."""
    return little_ratio(row["rate"], row["latency_mean_us"], row["clients"])


def measured(row: dict) -> tuple[float | None, float | None]:
    return row["rate"], row["bytes_per_second"]


def assert_nothing_invented(reading: Reading, whole: Rows) -> None:
    """A usable reading of a damaged log prints only what the log said."""
    if reading.status not in ("ok", "degraded") or "nothing tells" in reading.reason:
        return  # nothing to use, or said to be of unknown meaning
    # Of a degraded log a figure may be computed from rounded ones, such as 1.00 s.
    exact = 0.01 if reading.status == "degraded" else 1e-6
    known = [pytest.approx(value, rel=exact) for row in whole for value in measured(row)
             if value is not None]  # fmt: skip
    for row in rows_of(reading):
        assert all(value is None or value in known for value in measured(row))


def assert_cuts_are_safe(module: ModuleType, read: Read, path: Path, step: int) -> None:
    """The log cut at every ``step``-th byte."""
    data, whole = unpacked(path), rows_of(read_as(module, path))
    for at in range(0, len(data) - 1, step):
        reading = read(data[:at])
        assert reading.status == "ok" or reading.reason
        assert_nothing_invented(reading, whole)


@st.composite
def damage(draw: st.DrawFn, files: list[Path]) -> tuple[Path, bytes]:
    """A log with some bytes replaced by others that no number has."""
    path = draw(st.sampled_from(files))
    data = bytearray(unpacked(path))
    for at in draw(st.lists(st.integers(0, len(data) - 1), min_size=1, max_size=4)):
        data[at] = draw(st.sampled_from(b",x'\0~\xe9"))
    return path, bytes(data)


@st.composite
def other_locale(draw: st.DrawFn, files: list[Path]) -> tuple[Path, bytes]:
    """A log whose numbers have a decimal comma, or thousands apart."""
    path = draw(st.sampled_from(files))
    text = unpacked(path).decode("utf-8", "replace")
    comma = draw(st.booleans())
    apart = draw(st.sampled_from(["", ".", "'", "\u202f", ","]))
    chosen = draw(st.integers(1, 5))

    def write(number: re.Match[str]) -> str:
        if number.start() % chosen:
            return number[0]
        whole = re.sub(r"(?<=\d)(?=(\d{3})+$)", apart, number[1])
        return f"{whole}{',' if comma else '.'}{number[2]}"

    return path, re.sub(r"\b(\d+)\.(\d+)\b", write, text).encode()
