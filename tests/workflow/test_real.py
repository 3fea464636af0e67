"""The whole pipeline with its real stages and its real campaign."""

import os
import sys

import pytest

from analysis.facts.fact import read_facts
from analysis.files.hashes import hash_file
from analysis.report.pages.safe_page import check_page
from tests.report.paper import Paper
from tests.workflow.projects import EDITION, MAKE_REPORT, RULES, kill, wait_for

# One worker builds the project, once, for all of these.
pytestmark = pytest.mark.xdist_group("real")
AFTER_DERIVE = ["derive", "facts", "figures", "report", "place", "index"]
FACTS = f"data/build/facts/{EDITION}/facts.json"
OBSERVATIONS = f"report/{EDITION}/studies/offload/observations.md"
ANALYSIS = (sys.executable, "-m", "analysis")
RAW_FILE = "raw/linux-veth/A/RR10(100B)/rep01/client.txt"


def append(path, text):
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def own(project):
    """The files of the edition: those beside it tell what became of a build."""
    files = project.report().items()
    return {name: of for name, of in files if name.startswith(f"{EDITION}/")}


def page(project):
    return (project / f"report/build/{EDITION}/index.html").read_text(encoding="utf-8")


MADE = [
    *("data/build/perf.duckdb", FACTS, "report/build/index.html"),
    *(
        f"report/build/{EDITION}/{name}"
        for name in ("index.html", f"{EDITION}.pdf", "manifest.json")
    ),
]


def test_a_first_build_makes_all_results(built):
    assert [name for name in MADE if not (built / name).stat().st_size] == []


def test_new_dates_and_a_comment_run_no_job(project):
    before = project.report()
    for path in [*(project / "raw").rglob("*"), *(project / "report").rglob("*.md")]:
        os.utime(path)
    for path in (project / "analysis" / "derive").glob("*.py"):
        append(path, "\n# A remark that changes nothing.\n")
    assert project.build()[::2] == (0, [])
    assert project.report() == before


def test_an_edited_sentence_reruns_report_jobs_only(project):
    append(project / OBSERVATIONS, "\nThis sentence is new to the report.\n")
    code, said, ran = project.build()
    assert (code, ran) == (0, ["report", "place", "index"]), said
    assert "This sentence is new to the report." in page(project)


def test_a_changed_raw_file_is_refused_until_it_is_declared(project):
    before = own(project)
    append(project / RAW_FILE, "\n")
    code, said, ran = project.build()
    assert (code, ran) == (2, ["ingest"]), said
    assert RAW_FILE.removeprefix("raw/linux-veth/") in said
    assert "Traceback" not in said
    assert own(project) == before
    assert project.build(*ANALYSIS, "checksums", "raw/linux-veth")[0] == 0
    assert project.planned() == [rule for rule in RULES if rule != "backtest"]


def test_a_mistake_leaves_the_finished_report_untouched(project):
    before = own(project)
    append(project / OBSERVATIONS, '\nIt is {{ delta("latency", "RR99(1B)") }}.\n')
    code, said, _ = project.build(*MAKE_REPORT)
    assert code == 2
    assert said.count("error: ") == 2  # the mistake, and what is not built for it
    assert "RR99(1B)" in said
    assert "Traceback" not in said
    assert own(project) == before


def test_a_killed_build_resumes_with_the_same_numbers(project):
    facts = (project / FACTS).read_bytes()
    append(project / "analysis/derive/verb.py", "\nANOTHER_CONSTANT = 3\n")
    log = project / f"data/build/log/derive-{EDITION}.log"
    log.unlink()
    process = project.start()
    wait_for(log, process)
    kill(process, with_jobs=True)
    code, said, ran = project.build(*MAKE_REPORT)
    ran = [rule for rule in ran if rule != "catalogue"]
    assert (code, ran) == (0, AFTER_DERIVE), said
    assert (project / FACTS).read_bytes() == facts


def test_the_pages_of_its_pdf_are_broken_at_good_places(built):
    paper = Paper(built / f"report/build/{EDITION}/{EDITION}.pdf")
    assert len(paper.words) > 10
    assert len(paper.captions) > 10
    assert paper.faults() == []


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
