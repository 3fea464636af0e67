"""The whole pipeline with its real stages and its real campaign."""

import sys

import pytest
from pypdf import PdfReader

from analysis.facts.fact import read_facts
from analysis.files.hashes import hash_file
from analysis.report.pages.safe_page import check_page
from tests.report.paper import Paper
from tests.workflow.projects import EDITION

# One worker builds the project, once, for all of these.
pytestmark = pytest.mark.xdist_group("real")
FACTS = f"data/build/facts/{EDITION}/facts.json"
ANALYSIS = (sys.executable, "-m", "analysis")
RAW_FILE = "raw/linux-veth/A/RR10(100B)/rep01/client.txt"


MADE = [
    *("data/build/perf.duckdb", FACTS, "report/build/index.html"),
    *(
        f"report/build/{EDITION}/{name}"
        for name in ("index.html", f"{EDITION}.pdf", "manifest.json")
    ),
]


def test_a_first_build_makes_all_results(built):
    assert [name for name in MADE if not (built / name).stat().st_size] == []


def test_a_changed_raw_file_is_refused_and_the_report_stays(project):
    """A second build of the real stages: one of them fails under Snakemake, as people
    see it."""
    before = project.report()
    with (project / RAW_FILE).open("a") as file:
        file.write("\n")
    code, said, ran = project.build()
    assert (code, ran) == (2, ["ingest"]), said
    assert RAW_FILE.removeprefix("raw/linux-veth/") in said
    assert "Traceback" not in said
    after = project.report()
    own = [name for name in before if name.startswith(f"{EDITION}/")]
    assert [name for name in own if after[name] != before[name]] == []


def test_the_pages_of_its_pdf_are_broken_at_good_places(built):
    paper = Paper(built / f"report/build/{EDITION}/{EDITION}.pdf")
    assert len(paper.words) > 10
    assert len(paper.captions) > 10
    assert paper.faults() == []


def test_its_pdf_carries_the_data_that_stand_beside_it(built):
    folder = built / f"report/build/{EDITION}"
    attached = PdfReader(folder / f"{EDITION}.pdf").attachments
    beside = [*map(folder.joinpath, ("facts.json", "provenance.json"))]
    beside += folder.glob("data/*.csv")
    assert {name: data for name, [data] in attached.items()} == {
        path.name: path.read_bytes() for path in beside
    }


def test_what_was_built_is_published_whole_and_safe_to_serve(built, tmp_path):
    options = ("--to", str(tmp_path / "www"), "--draft", "--edition", EDITION)
    code, said, _ = built.build(*ANALYSIS, "publish", *options)
    assert code == 0, said
    release = tmp_path / "www/releases" / EDITION / "current"
    sums = (release / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in sums)}
    assert {f"{EDITION}.pdf", "index.html", "facts.json", "provenance.json"} <= {
        *listed
    }
    assert listed == {name: hash_file(release / name) for name in listed}
    paths = (path for path in release.rglob("*") if path.is_file())
    files = {path.relative_to(release).as_posix() for path in paths}
    assert files - {*listed} == {"SHA256SUMS", "release.json"}
    assert check_page(release / "index.html", files) == []


@pytest.mark.parametrize("configuration", ["A", "B", "B.delta"])
def test_the_tour_tells_the_numbers_of_the_report(built, configuration):
    key = f"offload.str3-1b-20mb.-.throughput.{configuration}"
    facts = read_facts(built / FACTS).facts
    fact = next(fact for fact in facts if fact.key == key)
    tour = (built / "docs/tour.md").read_text(encoding="utf-8")
    assert f"| `{key}` | {fact.printed} |" in tour
