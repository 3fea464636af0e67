"""Energy counters of powercap: packages alone, in joules, and beyond their range."""

from __future__ import annotations

import csv

import pytest

from analysis.ingest.store import ingest
from tests.ingest.logs import golden, reader, rows, text_of

BEFORE = "powercap/before.txt"


def test_packages_count_and_the_platform_does_not():
    found = rows(golden(BEFORE), "energy_counter")
    assert [(r["zone"], r["joules"]) for r in found] == [
        ("0 package-0", 262143.0), ("1 package-1", 1000.0)
    ]  # fmt: skip
    assert found[0]["range_joules"] == pytest.approx(262143.32885)
    assert found[0]["read_utc"] == "2026-11-21T04:26:11.900000Z"


@pytest.mark.parametrize(
    ("old", "new", "status", "why"),
    [
        ("2026-11-21T04:26:11.900000000Z\n", "", "failed", "date -u"),
        ("package", "dram", "failed", "no name and energy_uj of a processor package"),
        ("328850\n", "328850", "truncated", "no end"),
        ("2026-11-21", "2026-99-21", "failed", "date -u"),
        ("intel-rapl:", "intel-rapl-mmio:", "failed", "processor package"),
    ],
)
def test_what_is_no_whole_snapshot(tmp_path, old, new, status, why):
    before, _, after = text_of(BEFORE).rpartition(old)
    text = before + new + after if old.endswith("\n") else text_of(BEFORE)
    reading = reader("powercap", tmp_path)(text.replace(old, new, 9))
    assert (reading.status, why in reading.reason) == (status, True)
    assert "energy_counter" not in reading.tables


def test_a_file_with_two_snapshots_has_none(tmp_path):
    assert reader("powercap", tmp_path)(text_of(BEFORE) * 2).status == "failed"


def _run_with(folder, *texts: str) -> str:
    """The first run of the folder, with these snapshots of its server."""
    path = folder.path / "runs.csv"
    with path.open(newline="") as stream:
        header, *lines = csv.reader(stream)
    for nth, text in enumerate(texts):
        (folder.path / f"energy.{nth}").write_text(text)
        lines[0][header.index("cpu")] += f";srv=energy.{nth}"
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *lines])
    folder.sign()
    return lines[0][0]


def _after(first: int, second: int) -> str:
    text = text_of(BEFORE).replace("04:26:11.9", "04:26:16.4")
    text = text.replace("262143000000", str(first))
    return text.replace(":1000000000", f":{second}")


@pytest.mark.parametrize("order", [1, -1])
def test_the_energy_between_two_snapshots_beyond_the_range_of_one(folder, order):
    """0.32885 J up to the end of the range, 100 J after it; and 50 J of the other, in
    4.5 s. Files are told apart by their times, and not by their order."""
    texts = [text_of(BEFORE), _after(100_000_000, 1_050_000_000)][::order]
    run = _run_with(folder, *texts)
    found = ingest(folder.path)["run_counter"].filter(run=run)
    (only,) = found.to_dicts()
    assert only["joules"] == pytest.approx(150.32885)
    assert only["seconds"] == pytest.approx(4.5)
    assert (only["scope"], only["basis"]) == ("system", "powercap")


def test_a_counter_that_fell_and_whose_range_is_not_known_tells_nothing(folder):
    texts = [text_of(BEFORE), _after(100_000_000, 1_050_000_000)]
    texts = [text.replace("max_energy_range_uj", "other") for text in texts]
    run = _run_with(folder, *texts)
    assert ingest(folder.path)["run_counter"].filter(run=run).is_empty()
