"""What the tour says of raw bytes and lines is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.ingest.detect import read_file
from benchmarks.project import ROOT

TEXT = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
TOUR = " ".join(TEXT.split())
LOG = "raw/linux-veth/B/STR3(1B_20MB)/rep05/client.txt"
MADE = "data/build/raw/zos-cs-3.2"
DUMP = f"{MADE}/smf/icsf-audit/synthetic_SYNA.smf"
RUN = f"{MADE}/uperf/icsf-audit/synthetic_sessobj-no-crr40-64b-8kb-3.txt"
TOD = 4096e6  # units of a second


def number(pattern: str) -> float:
    """The only number that the tour gives in these words."""
    [found] = set(re.findall(pattern, TOUR))
    return float(found.replace(",", ""))


pytestmark = pytest.mark.xdist_group("synthetic")


@pytest.fixture
def project(raw: Path) -> Path:
    """A folder with all campaigns where the tour says that they are."""
    return raw.parent


@pytest.mark.parametrize("name", [LOG, DUMP, RUN])
def test_the_tour_names_the_file(name):
    assert name in TOUR


def test_the_log_says_what_the_tour_says(project):
    [row] = read_file(project / LOG, "UTC").results
    assert row["rate"] == pytest.approx(number(r"([\d.]+) transactions per"), abs=0.05)
    assert row["bytes_per_second"] / 1e6 == pytest.approx(
        number(r"our log: ([\d.]+) MB/s"), abs=0.05
    )
    assert row["position"] == number(r"from line (\d+) on")
    last = next(
        line for line in (project / LOG).read_text().splitlines() if line[:5] == "Txn1 "
    )
    assert last.split() == re.search(r"^Txn1 .*$", TEXT, re.MULTILINE)[0].split()


def test_the_bytes_are_those_of_the_dump(project):
    data = (project / DUMP).read_bytes()
    printed = re.findall(r"^(\d{7}) ((?:[0-9a-f]{2} ?)+)$", TEXT, re.MULTILINE)
    assert len(printed) == 2
    for at, text in printed:
        there = bytes.fromhex(text)
        assert data[int(at) : int(at) + len(there)] == there
        assert f"-j {int(at)} -N {len(there)}" in TOUR


def test_waiting_and_working_follow_from_the_bytes(project):
    data = (project / DUMP).read_bytes()
    at = int(number(r"begins at byte ([\d,]+)"))
    assert int.from_bytes(data[at : at + 2], "big") == number(r"length, ([\d,]+) bytes")
    first, size, count = (
        int.from_bytes(data[at + offset : at + offset + length], "big")
        for offset, length in ((44, 4), (48, 2), (50, 2))
    )
    assert first == number(r"begin (\d+) bytes further on")
    assert at + first == number(r"at byte ([\d,]+), with the time")
    places = [at + first + i * size for i in range(count)]
    waited = [int.from_bytes(data[p : p + 8], "big") / TOD for p in places]
    assert waited[0] == pytest.approx(number(r"µs, are ([\d.]+) s"), abs=5e-7)
    assert sum(waited) == pytest.approx(number(r"CPs waited ([\d.]+) s"), abs=5e-4)
    online = count * number(r"for 4 × ([\d.]+) s")
    assert online - sum(waited) == pytest.approx(
        number(r"([\d.]+) s ÷ 182,763"), abs=5e-7
    )


def test_the_row_of_the_record_is_the_one_that_is_read(project):
    at = int(number(r"begins at byte ([\d,]+)"))
    rows = read_file(project / DUMP).tables["cpu_interval"].filter(position=at)
    assert rows["busy_seconds"].item() == pytest.approx(51.2415, abs=1e-4)
    assert rows["busy_pct"].item() == pytest.approx(21.351, abs=5e-4)
    [row] = read_file(project / RUN, "UTC").results
    assert row["transactions"] == 182_763
    assert row["position"] == number(r"in line (\d+):")
    cost = rows["busy_seconds"].item() * 1e6 / row["transactions"]
    assert cost == pytest.approx(number(r"are \*\*(\d+) µs\*\*"), abs=0.5)


def test_the_code_on_the_way_is_at_most_thirty_files_that_exist():
    files = re.findall(r"^\| `([\w/]+\.py)` \|", TEXT, re.MULTILINE)
    assert 20 < len(files) <= 30
    assert len(set(files)) == len(files)
    assert [file for file in files if not (ROOT / "analysis" / file).is_file()] == []
