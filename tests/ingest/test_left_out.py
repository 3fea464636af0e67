"""What the runs of a campaign leave out is said, and is data."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

from analysis.cli import main
from analysis.declared.campaign import Measured
from analysis.ingest.joining.runs import unnamed_formats
from analysis.ingest.store import ingest
from analysis.ingest.tables.catalog import frame
from analysis.ingest.verb import warnings

DAY = dt.date(2026, 11, 21)
MEASURED = Measured.model_validate({"by": "us", "from": DAY, "to": DAY, "how": ""})
RAW = Path(__file__).parents[2] / "raw"
REP = "A/RR10(100B)/rep01"


FAILED = (
    "B/CRR10(64B_8kB)/rep05/client.txt: the run B-CRR10(64B/8kB)-05 failed: 8 errors, "
    "the first: Error for flowop read Connection reset by peer"
)


def without_a_line(folder, run: str) -> None:
    """Take the line of a run out of runs.csv."""
    path = folder.path / "runs.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(f"{run},")]
    assert len(kept) == len(lines) - 1
    path.write_text("".join(kept), encoding="utf-8")


def named_once(folder) -> None:
    """Make the only run that has no first repetition one that has."""
    folder.edit("runs.csv", "CRR10(64B/8kB),5,", "CRR10(64B/8kB),1,")


def test_a_run_that_was_taken_out_is_warned_of(folder, capsys):
    named_once(folder)
    without_a_line(folder, "A-RR10(100B)-01")
    out = folder.path.parent / "out"
    assert main(["ingest", "--campaign", str(folder.path), "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("small: 3 runs")
    assert said.err == (
        f"warning: {folder.path}: {FAILED}\n"
        f"warning: {folder.path}: no run in runs.csv names 5 files with "
        f"evidence: {REP}/client.txt, {REP}/meta.json, {REP}/mpstat.json "
        "and 2 more; "
        "name each there, or say why it is left out "
        "(inspect says whether it can be used)\n"
    )
    source = pl.read_parquet(out / "source.parquet")
    unnamed = source.filter(pl.col("reason") == "no run names it")
    assert dict(unnamed.select("file", "format").iter_rows()) == {
        f"{REP}/client.txt": "uperf",
        f"{REP}/meta.json": "run_meta",
        f"{REP}/mpstat.json": "mpstat",
        f"{REP}/proc_stat.after": "procstat",
        f"{REP}/proc_stat.before": "procstat",
    }


def test_nothing_is_said_of_notes_and_profiles(folder):
    named_once(folder)
    (folder.path / "notes.txt").write_text("uperf ran for 2 seconds")
    (folder.path / "rr.xml").write_text("<profile name='rr'/>")
    folder.sign()
    tables = ingest(folder.path)
    assert list(warnings(tables, MEASURED)) == [FAILED]
    formats = dict(tables["source"].select("file", "format").iter_rows())
    assert (formats["notes.txt"], formats["rr.xml"]) == ("document", "document")


def test_a_gap_in_the_repetitions_is_warned_of(folder):
    assert list(warnings(ingest(folder.path), MEASURED)) == [
        FAILED,
        "runs.csv lacks repetitions: 1 to 4 of B CRR10(64B/8kB); add the lines, or say "
        "why they are left out",
    ]


def test_what_is_named_like_a_log_is_one_though_it_is_empty(tmp_path):
    for name in ("A/rep1.txt", "A/rep2.txt", "A/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    files = ["A/rep1.txt", "A/rep2.txt", "A/notes.txt"]
    assert unnamed_formats(tmp_path, files, {"A/rep1.txt"}) == {
        "A/rep2.txt": "unknown",
        "A/notes.txt": "document",
    }


def of_repetitions(numbers: list[int], count: int = 1) -> dict[str, pl.DataFrame]:
    """Runs with these repetitions of each of so many configurations."""
    rows = [
        {"configuration": f"c{c}", "workload": "RR1(1B)", "repetition": number}
        for c in range(count)
        for number in numbers
    ]
    return {"run": frame("run", rows), "source": frame("source", [])}


@pytest.mark.parametrize(
    ("numbers", "gap"),
    [
        ([1, 2, 4], "3"),
        ([4, 1], "2 to 3"),
        ([2, 3, 7, 1_000_000], "1 and 4 to 6 and 8 to 999999"),
        (range(2, 100, 2), "1, 3, 5 and 46 more"),
    ],
)
def test_gaps_are_named(numbers, gap):
    (text,) = warnings(of_repetitions(numbers), MEASURED)
    assert f"lacks repetitions: {gap} of c0 RR1(1B);" in text


def test_many_gaps_are_counted():
    (text,) = warnings(of_repetitions([2], count=5), MEASURED)
    assert "lacks repetitions: 1 of c0 RR1(1B), 1 of c1" in text
    assert "1 of c2 RR1(1B) and 2 more;" in text


def test_repetitions_without_a_gap_are_sound():
    assert list(warnings(of_repetitions([3, 1, 2]), MEASURED)) == []


def test_the_campaign_with_documents_leaves_out_what_failed_alone(tmp_path, capsys):
    out = tmp_path / "out"
    campaign = RAW / "linux-veth"
    assert main(["ingest", "--campaign", str(campaign), "--out", str(out)]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0] == f"warning: {campaign}: {FAILED}"
    assert [" failed: " in line for line in said] == [True, True]


def test_days_on_which_nothing_ran_are_warned_of(folder, capsys):
    folder.edit("campaign.yaml", "from: 2026-11-21", "from: 2026-11-20")
    assert main(["ingest", "--campaign", str(folder.path)]) == 0
    assert "measured from" not in capsys.readouterr().err  # a day of another zone
    folder.edit("campaign.yaml", "from: 2026-11-20", "from: 2020-01-01")
    folder.edit("campaign.yaml", "to: 2026-11-21", "to: 2027-01-01")
    assert main(["ingest", "--campaign", str(folder.path)]) == 0
    err = capsys.readouterr().err
    assert "measured from 2020-01-01, but the first run is of 2026-11-21" in err
    assert "measured to 2027-01-01, but the last run is of 2026-11-21" in err


def test_a_hint_is_told_once_with_its_files(folder, capsys):
    """CPs that the sides of a machine may have divided, where no file denies it."""
    for _ in range(2):
        folder.edit("campaign.yaml", "cps: 2", "cps: 1")
    folder.edit("campaign.yaml", "CPUs: 2", "Cores: 2")
    for meta in folder.path.rglob("meta.json"):
        text = meta.read_text().replace("_percpu_s", "_per_cpu_s")
        meta.write_text(text)
    folder.sign()
    assert main(["ingest", "--campaign", str(folder.path)]) == 0
    lines = capsys.readouterr().err.splitlines()
    [line] = [one for one in lines if "campaign.yaml:20" in one]
    assert "campaign.yaml:20: cps is 1, but this file tells of 2 CPUs of vm (" in line
