"""The verdicts of a build as the result of a test: cases, exit codes, JUnit XML."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from analysis.cli import main
from analysis.declared.metrics import read_metrics
from analysis.derive.family import judge
from analysis.facts.fact import Fact, Facts, Lineage, write_facts
from analysis.facts.remark import Remark
from analysis.files.hashes import content_digest
from analysis.regress.verb import cases_of
from analysis.statistics.median_change import Change
from tests.conftest import ROOT

FACT = Fact(
    key="a.rr1-1b.-.latency.B.delta", edition="lab", study="a", workload="RR1(1B)",
    role=None, metric="latency", kind="delta", configuration="B", baseline="A",
    value=12.0, unit="%", better="lower", n=10, low=9.0, high=15.0, confidence=0.95,
    origin="measured", printed="+12%", verdict="regressed", p_value=0.001,
    p_adjusted=0.002, threshold=5.0, lineage=Lineage("r"),
)  # fmt: skip
STUDY = """\
title: T
question: Q
campaigns: [lab]
baseline: A
tests: [B]
workloads: ["RR*"]
figures: []
"""


def of(verdict: str | None, workload: str = "RR1(1B)", **more: object) -> Fact:
    return replace(FACT, verdict=verdict, workload=workload, key=workload, **more)


@pytest.fixture
def regress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run the verb on these facts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").symlink_to(ROOT / "data")
    folder = tmp_path / "report/lab/studies/a"
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(STUDY)
    edition = "title: T\nauthors: [A]\ndate: 2026-01-01\nfront: []\nstudies: [a]\n"
    (tmp_path / "report/lab/edition.yaml").write_text(edition)
    (tmp_path / "raw/lab").mkdir(parents=True)
    (tmp_path / "raw/lab/campaign.yaml").write_text("title: T\n")

    def run(*facts: Fact, options: str = "", digest: str = "") -> int:
        told = digest or content_digest(Path("raw/lab"), tmp_path / "digests")
        write_facts(Facts(facts, digests=(("lab", told),)), tmp_path / "facts.json")
        words = f"regress --edition lab --facts facts.json {options}"
        return main(words.split())

    return run


@pytest.mark.parametrize(
    ("verdicts", "options", "code"),
    [
        (["improved", "comparable"], "", 0),
        (["regressed", "comparable"], "", 1),
        (["inconclusive"], "", 0),
        (["inconclusive"], "--fail-on regressed inconclusive", 1),
        ([None], "", 2),
        ([], "", 2),
    ],
)
def test_the_exit_code_is_that_of_the_verdicts(regress, verdicts, options, code):
    facts = [of(v, f"RR{n}(1B)") for n, v in enumerate(verdicts, 1)]
    assert regress(*facts, options=options) == code


def test_facts_of_other_files_prove_nothing(regress, capsys):
    assert regress(of("improved"), digest="0" * 16) == 2
    assert "not made from the files of raw/lab" in capsys.readouterr().err


def test_junit_and_markdown_have_every_case(regress, tmp_path, capsys):
    facts = [of("regressed"), of("inconclusive", "RR10(1B)"), of("improved", "RR2(1B)")]
    files = "--junit out/r.xml --markdown out/r.md"
    assert regress(*facts, options=files) == 1
    root = etree.parse(tmp_path / "out/r.xml").getroot()
    counts = {name: root.get(name) for name in ("tests", "failures", "skipped")}
    assert counts == {"tests": "3", "failures": "1", "skipped": "1"}
    [failed] = [c for c in root.iter("testcase") if c.find("failure") is not None]
    assert failed.get("name") == "RR1(1B): latency, B against A"
    said = "regressed: +12%; interval +9.0 to +15.0%; a change counts from 5%"
    assert failed.find("failure").get("message").startswith(said)
    page = (tmp_path / "out/r.md").read_text()
    assert page.startswith("## lab: 1 failed, 1 open, 1 passed")
    assert page.index("RR1(1B)") < page.index("RR10(1B)") < page.index("RR2(1B)")
    assert capsys.readouterr().out.endswith("lab: 1 failed, 1 open, 1 passed\n")


def test_what_is_open_says_what_could_have_been_seen():
    open_one = of("inconclusive", detectable=15.2)
    warned = of("regressed", warnings=(Remark("exaggerated", values={"chance": 0.6}),))
    first, second = cases_of([warned, open_one], read_metrics(), ["regressed"])
    assert "only just significant: of true changes of this size 60%" in first.words
    assert second.words.endswith("such runs show a change from 15% on, with 80% power")
    assert "such runs" not in first.words


def test_what_nobody_measured_is_named_so():
    [case] = cases_of(
        [of("regressed", origin="synthetic")], read_metrics(), ["regressed"]
    )
    assert case.words.endswith("; synthetic")


def test_the_page_of_verdicts_agrees_with_the_code():
    text = (ROOT / "docs/verdicts.md").read_text(encoding="utf-8").replace("−", "-")
    floor, threshold = map(
        float, re.search(r"limit of (\d)%, a threshold of (\d)%", text).groups()
    )
    ends = r"([+-]\d+) to ([+-]\d+)%"
    row = rf"^\| ([+-]\d+)% \| {ends} \| {ends} \| (\S+) \| (\w+) \|$"
    found = re.findall(row, text, re.MULTILINE)
    assert len({verdict for *_, verdict in found}) == 4
    for *numbers, verdict in found:
        value, low, high, low_90, high_90, p = map(float, numbers)
        change = Change(value, low, high, p, low_90, high_90)
        assert judge(change, p, "higher", floor, threshold) == verdict
