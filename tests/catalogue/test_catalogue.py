"""The catalogue: what is declared, what was read of it, and what is missing."""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path

import pytest
from lxml import html

from analysis.cli import main
from analysis.derive.runs import newest_database
from analysis.report.builds.index import write_index
from tests.derive.conftest import METRICS, SLOW, World, utc
from tests.ingest.logs import GOLDEN

TEMPLATES = Path(__file__).parents[2] / "templates"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun")


def catalogue(world: World, *more: str) -> int:
    where = {
        "--raw": world.raw, "--report": world.report, "--database": world.database,
        "--metrics": METRICS, "--templates": TEMPLATES,
    }  # fmt: skip
    return main(["catalogue", *(str(x) for pair in where.items() for x in pair), *more])


def found(world: World, capsys: pytest.CaptureFixture[str]) -> dict:
    assert catalogue(world, "--format", "json") == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def months(world: World) -> World:
    """Six campaigns; from april on a kernel is newer, and rates are a tenth higher."""
    for number, month in enumerate(MONTHS):
        day, kernel = dt.date(2026, number + 1, 5), "6.1" if number < 3 else "6.2"
        world.campaign(
            month,
            measured={"by": "us", "from": day, "to": day, "how": "so"},
            software={"Kernel": kernel},
        )
        # The same rates would have no spread between months.
        rates = [r * (1 if number < 3 else 1.1) + number % 2 for r in SLOW[number:]]
        for configuration in "A", "B":
            for i, rate in enumerate(rates, 1):
                run = f"{month}-{configuration}-{i}"
                world.run(run, configuration, campaign=month, rate=rate, repetition=i)
                world.cpu(run, 1.0, 1.0, month)
        for row in world.rows["run_cpu"]:
            row.setdefault("campaign", month)
    world.study(campaigns=["jan", "feb"])
    world.write()
    return world


def test_a_campaign_has_its_dates_runs_sizes_and_editions(months, capsys):
    told = found(months, capsys)
    entries = {entry["name"]: entry for entry in told["campaigns"]}
    assert list(entries) == ["jan", "lab", *MONTHS[1:]]  # by date, then by name
    jan = entries["jan"]
    assert (jan["start"], jan["usable"], jan["failed"]) == ("2026-01-05", 20, 0)
    assert jan["editions"] == ["paper"]
    assert entries["mar"]["editions"] == []
    assert jan["raw_bytes"] == (months.raw / "jan/campaign.yaml").stat().st_size
    assert jan["workloads"] == ["RR10(100B)"]
    assert jan["gaps"] == ["no runs of A2"]


def test_after_a_build_of_one_edition_its_campaigns_are_read(world, capsys):
    """It leaves tables without a database, or one that is older than they are."""
    log = world.raw / "small/A/RR4(1B)/1.txt"
    log.parent.mkdir(parents=True)
    log.write_bytes((GOLDEN / "wrk/latency.txt").read_bytes())
    small = str(world.raw / "small")
    assert main(["campaign", "init", small]) == 0
    out = world.database.parent / "ingest" / "small"
    assert main(["ingest", "--campaign", small, "--out", str(out)]) == 0
    capsys.readouterr()
    counts = {one["name"]: one["usable"] for one in found(world, capsys)["campaigns"]}
    assert counts["small"] == 1
    world.write()  # with the campaign, but older than its tables
    os.utime(world.database, (0, 0))
    counts = {one["name"]: one["usable"] for one in found(world, capsys)["campaigns"]}
    assert counts["small"] == 1
    world.write()
    with newest_database(world.database, out.parent) as newest:
        assert newest == world.database


def test_a_change_of_level_is_told_with_what_differs(months, capsys):
    told = found(months, capsys)
    [trend] = [
        t for t in told["trends"] if (t["metric"], t["configuration"]) == ("rate", "A")
    ]
    [change] = trend["changes"]
    assert change["campaign"] == "apr"
    assert change["low"] < 10 < change["high"]
    assert change["differs"] == ["Kernel: 6.1 → 6.2"]
    assert [p["campaign"] for p in trend["points"]] == list(MONTHS)
    assert catalogue(months) == 0
    assert "from apr on; differs in Kernel: 6.1 → 6.2" in capsys.readouterr().out


def test_generated_values_are_no_trend_with_measured_ones(months, capsys):
    for row in months.rows["run"]:
        if row["campaign"] in MONTHS[1:]:
            row["origin"] = "synthetic"
    months.write()
    trends = found(months, capsys)["trends"]
    assert {(t["origin"], len(t["points"])) for t in trends} == {("synthetic", 5)}


def test_gaps_are_runs_that_failed_or_are_missing_and_cpu_time(world, capsys):
    for i in (1, 2, 4):
        world.cpu(world.run(f"a{i}", "A", repetition=i), 1.0, 1.0)
    world.run("b1", "B", repetition=1, status="failed")
    world.run("c1", "A2", workload="RR1(1B)", repetition=1)
    world.write()
    [lab] = found(world, capsys)["campaigns"]
    assert (lab["usable"], lab["failed"]) == (4, 1)
    assert lab["gaps"] == [
        "no usable run of B RR10(100B)",
        "2 of 3 samples have fewer than 6 usable runs (the fewest 1): their medians "
        "have no interval",
        "missing repetitions: A RR10(100B) (3)",
        "no CPU time in 1 of 4 usable runs (A2 RR1(1B): 1)",
    ]


def test_intervals_of_dumps_that_do_not_cover_a_run_are_gaps(world, tmp_path, capsys):
    """Runs of 0 to 10, 20 to 30 and 40 to 50 s; the client's dump has no 25 to 35 s,
    and a router's ends at 20 s, so that two runs meet none of its intervals."""
    for i in range(3):
        world.run(f"a{i}", "A", repetition=i + 1, window=(20 * i, 20 * i + 10))
        router = {"run": f"a{i}", "campaign": "lab", "role": "router", "system": "rtr"}
        world.rows["run_role"].append(router)
    begun = {"cli": (0, 5, 20, 35, 40, 45), "rtr": (0, 5), "srv": range(0, 50, 5)}
    for system, starts in begun.items():
        sha = world.file(f"{system}.smf")
        world.rows["source"][-1]["format"] = "smf"
        for start in starts:
            row = {"system": system, "start_utc": utc(start), "seconds": 5.0}
            world.rows["partition_interval"].append(row | {"source": sha})
    world.write()
    [lab] = found(world, capsys)["campaigns"]

    assert [
        (d["system"], d["records"], d["intervals"], d["holes"], d["missing"],
         d["covered"], d["runs"]) for d in lab["dumps"]
    ] == [
        ("cli", "70-1", 6, 2, 20, 2, 3),
        ("rtr", "70-1", 2, 0, 0, 1, 3),
        ("srv", "70-1", 10, 0, 0, 3, 3),
    ]  # fmt: skip
    assert [gap.split(" of their t")[0] for gap in lab["gaps"] if "70-1" in gap] == [
        "70-1 of cli lacks part of 1 of 3 runs: its intervals of 5 s cover 83.3%",
        "70-1 of rtr lacks part of 2 of 3 runs: its intervals of 5 s cover 33.3%",
    ]
    where = ("--format", "html", "--out", str(tmp_path / "catalogue.html"))
    assert catalogue(world, *where) == 0
    page = html.parse(tmp_path / "catalogue.html").getroot()
    [part] = page.xpath("//section[@id='dumps']//details")
    assert "open" in part.attrib
    assert "lab: 2 of 3 lack part of a run" in part.text_content()
    assert "2, 20 s" in part.text_content()


def test_intervals_too_long_to_lie_in_a_run_cover_nothing_of_it(world, capsys):
    """A run of 10 s in a quarter of an hour, and one in an interval of 11 s."""
    world.run("a1", "A", window=(400, 410))
    for system, start, seconds in (("cli", 0, 900.0), ("srv", 399, 11.0)):
        sha = world.file(f"{system}.smf")
        world.rows["source"][-1]["format"] = "smf"
        row = {"system": system, "start_utc": utc(start), "seconds": seconds}
        world.rows["partition_interval"].append(row | {"source": sha})
    world.write()
    [lab] = found(world, capsys)["campaigns"]
    assert [d["covered"] for d in lab["dumps"]] == [0, 1]
    assert "its intervals of 900 s cover 0.0% of their time" in str(lab["gaps"])


def test_connections_over_smc_are_counted_by_configuration(world, tmp_path, capsys):
    """Runs of 0 to 10 and 20 to 30 s. A connection that only ends in a run, or lies
    between two, is of none; one that begins before a run or lasts longer is of it; of
    a run without times is none."""
    world.run("a1", "A", repetition=1, window=(0, 10))
    world.run("b1", "B", repetition=1, window=(20, 30))
    world.run("c1", "A2", repetition=1, start_utc=None, end_utc=None)
    sha = world.file("srv.smf")
    world.rows["source"][-1]["format"] = "smf"
    spans = (
        (1, 1, 0), (-0.5, 9.9, 0), (15, 15, 1), (12, 21, 1),
        (21, 22, 2), (22, 22, 3), (23, 23, None), (12, 90, 1),
    )  # fmt: skip
    for position, (start, stop, status) in enumerate(spans):
        row = {"system": "srv", "start_utc": utc(start), "end_utc": utc(stop)}
        row |= {"smc_status": status, "source": sha, "position": position}
        cause = "dropped by an operator" if position == 4 else "stack ended"
        world.rows["tcp_connection"].append(row | {"cause": cause})
    world.write()
    assert catalogue(world) == 0
    printed = capsys.readouterr().out
    assert "  SMC: A: 0 of 2 connections (119-2); 2 stack ended\n" in printed
    [lab] = found(world, capsys)["campaigns"]
    smc = [(c["configuration"], c["connections"], c["smc"]) for c in lab["smc"]]
    assert smc == [("A", 2, 0), ("B", 3, 3)]
    where = ("--format", "html", "--out", str(tmp_path / "catalogue.html"))
    assert catalogue(world, *where) == 0
    page = html.parse(tmp_path / "catalogue.html").getroot()
    rows = page.xpath("//section[@id='smc']//tbody/tr")
    assert [[cell.text_content() for cell in row] for row in rows] == [
        ["lab", "A", "2", "0 of 2", "2 stack ended"],
        ["lab", "B", "3", "3 of 3", "2 stack ended, 1 dropped by an operator"],
    ]


def test_that_no_record_tells_of_smc_is_told(world, tmp_path, capsys):
    world.run("a1", "A")
    world.write()
    assert catalogue(world) == 0
    assert "SMC" not in capsys.readouterr().out  # no dump of SMF
    world.file("srv.smf")
    world.rows["source"][-1]["format"] = "smf"
    world.write()
    assert catalogue(world) == 0
    assert "  SMC: no record 119-2 of runs of A\n" in capsys.readouterr().out


def test_the_page_has_all_of_it_and_the_list_of_reports_a_link(months, tmp_path):
    site = months.report / "build"
    site.mkdir()
    where = ("--format", "html", "--out", str(site / "catalogue.html"))
    assert catalogue(months, *where) == 0
    page = html.parse(site / "catalogue.html").getroot()
    assert page.get_element_by_id("jan").text_content().split()[0] == "janLab"
    plots = page.xpath("//figure[contains(., 'Transaction rate')]")
    assert len(plots[0].xpath(".//circle")) == len(MONTHS)
    assert "+12% (+9.1 to +15%) from apr on" in plots[0].text_content()
    assert plots[0].xpath(".//path/@d")[0].startswith("M")
    write_index(site / "index.html", site, months.report, Path("templates"))
    index = html.parse(site / "index.html").getroot()
    assert "catalogue.html" in index.xpath("//a/@href")


def test_the_title_of_a_generated_campaign_says_so(months, capsys):
    path = months.raw / "jan/campaign.yaml"
    path.write_text(path.read_text().replace("origin: measured", "origin: synthetic"))
    titles = {c["name"]: c["title"] for c in found(months, capsys)["campaigns"]}
    assert (titles["jan"], titles["feb"]) == ("Lab — synthetic data", "Lab")


def test_before_anything_is_there(tmp_path, capsys):
    world = World(tmp_path)
    assert catalogue(world) == 0
    assert "no campaign yet" in capsys.readouterr().out
    world.campaign("new")
    assert catalogue(world) == 0
    said = capsys.readouterr().out
    assert "not read yet: run 'make report'" in said
    assert "note: nothing is read yet" in said


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("raw/bad/campaign.yaml", "title: [", "raw/bad/campaign.yaml:2"),
        ("report/other/edition.yaml", "title: T\n", "report/other/edition.yaml"),
        ("perf.duckdb", "no database", "not a database that can be read"),
    ],
)
def test_what_cannot_be_read_is_told_beside_the_rest(months, capsys, file, text, told):
    path = months.root / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert catalogue(months) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert "\njan " in said.out
    if "raw" in file:
        assert "\nbad: cannot be read" in said.out
