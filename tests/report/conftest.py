"""A small edition with facts, figures and a campaign, in a temporary project."""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml.html import HtmlElement

from analysis.declared.edition import read_edition, read_studies
from analysis.declared.metrics import Metric, read_metrics
from analysis.declared.study import Study, sequence_id
from analysis.declared.vocabulary import Role
from analysis.declared.workload import parse_workload
from analysis.facts.fact import (
    Estimate,
    Fact,
    Facts,
    Lineage,
    RunCount,
    Verdict,
    fact_key,
    write_facts,
)
from analysis.facts.units import format_percent, format_value
from analysis.files.hashes import content_digest
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources
from tests.handed_over import hand_over
from tests.report.devtools import Browser, browser
from tests.report.sample_document import read_documents, sample_document

ROOT = Path(__file__).parents[2]
ESTIMATE = Estimate("generation", "generation transfer", "1", "a reason", "published")

EDITION = """\
title: 'A "small" report'
authors: [Ann Author]
date: 2026-03-05
number: "1"
front:
  - {id: preface, title: Preface, file: front/preface.md}
studies: [speed]
back:
  - {id: runs, title: Runs, file: back/runs.md}
"""
STUDY = """\
title: New against old
question: How much faster is the new one?
campaigns: [lab]
baseline: old
tests: [new]
workloads: [RR1(1kB), RR10(4kB), STR3(1B/20MB)]
metrics: [latency, throughput, cpu_cost]
figures:
  - {id: rr, kind: delta, metrics: [latency], workloads: RR*, question: Is it faster?}
  - {id: str, kind: value, metrics: [throughput], workloads: STR*, question: How much?}
"""
CAMPAIGN = """\
title: A laboratory
origin: measured
measured: {by: us, from: 2026-01-12, to: 2026-01-16, how: with care}
zone: UTC
systems:
  SYSA: {role: server, cps: 4, dedicated: true}
  SYSB: {role: client, cps: 4, dedicated: true}
configurations:
  old: {label: The old one, details: {CPC: z16, MTU: 1500}}
  new: {label: The new one, details: {CPC: z17, MTU: 1500}}
cpu: {source: lpar_busy}
hardware: {CPC: z17}
software: {z/OS: "3.2"}
"""
REFERENCES = """\
@book{smith, title = {On Latency}, author = {Smith, Ann}, year = {2001}}
"""
TEXTS = {
    "front/preface.md": "Measured with care [@smith].\n",
    "back/runs.md": "{{ runs_table() }}\n",
    "studies/speed/background.md": "The new one is new.\n",
    "studies/speed/environment.md": "The goal was to compare.\n",
    "studies/speed/observations.md": (
        'Latency {{ moves("latency", "RR1(1kB)") }} (@fig-speed-rr).\n'
    ),
}
CHANGES = {"RR1(1kB)": -37.2, "RR10(4kB)": -12.4, "STR3(1B/20MB)": 58.6}


def fact(**changes: object) -> Fact:
    """A value fact, with some of its fields changed."""
    example = Fact(
        key="speed.rr1-1kb.-.latency.old",
        edition="small",
        study="speed",
        workload="RR1(1kB)",
        role=None,
        metric="latency",
        kind="value",
        configuration="old",
        baseline=None,
        value=100.0,
        unit="µs",
        better="lower",
        n=10,
        low=95.0,
        high=104.0,
        confidence=0.95,
        origin="measured",
        printed="100 µs",
    )
    return replace(example, **changes)  # type: ignore[arg-type]


def facts_of(
    edition: str,
    studies: dict[str, Study],
    metrics: dict[str, Metric],
    roles: tuple[Role, ...] = ("client", "server"),
) -> Facts:
    """Facts for all that the studies declare: plausible, and always the same.

    Workloads that a study asks the models for have estimates instead of runs.
    """
    facts: list[Fact] = []
    runs: list[RunCount] = []
    for name, study in studies.items():
        asked = study.estimate.workloads
        for workload in study.loads:
            shape, slug = parse_workload(workload).shape, parse_workload(workload).slug
            for id in study.metrics:
                if shape in metrics[id].shapes:
                    facts += _of_metric(
                        edition, name, study, workload, slug, id, metrics[id], roles
                    )
            runs += [
                RunCount(edition, name, configuration, workload, 10, 0)
                for configuration in study.configurations
                if workload not in asked
            ]
    reasons = tuple((run, "connection reset") for run in ("run-09", "run-10"))
    runs[-1] = replace(runs[-1], used=8, excluded=2, reasons=reasons)
    told = [
        replace(f, estimate=ESTIMATE, verdict=None)
        if f.workload in studies[f.study].estimate.workloads
        else f
        for f in facts
    ]
    return Facts(tuple(told), tuple(runs))


Key = tuple[str, str, Role | None, str]  # study, slug, role, metric


def _of_metric(
    edition: str,
    name: str,
    study: Study,
    workload: str,
    slug: str,
    id: str,
    metric: Metric,
    roles: tuple[Role, ...],
) -> list[Fact]:
    made = []
    for role in roles if metric.roles else (None,):
        common = fact(
            edition=edition,
            study=name,
            workload=workload,
            role=role,
            metric=id,
            better=metric.better,
            lineage=Lineage("median", ("run-1",)),
        )
        key = (name, slug, role, id)
        for index, configuration in enumerate(study.configurations):
            made.append(_value(common, key, configuration, metric, index))
        for test in study.tests:
            change = CHANGES.get(workload, 0.4)
            made.append(_change(common, key, test, study, metric, change))
    return made


def _value(
    common: Fact, key: Key, configuration: str, metric: Metric, index: int
) -> Fact:
    value = 1000.0 + 370 * index
    return replace(
        common,
        key=fact_key(*key, configuration),
        configuration=configuration,
        value=value,
        unit=metric.unit,
        low=value * 0.97,
        high=value * 1.02,
        samples=(value * 0.98, value, value * 1.01),
        printed=format_value(value, metric.unit),
    )


def _change(
    common: Fact, key: Key, test: str, study: Study, metric: Metric, change: float
) -> Fact:
    return replace(
        common,
        key=fact_key(*key, test, delta=True),
        kind="delta",
        configuration=test,
        baseline=study.baseline_of(test),
        value=change,
        unit="%",
        low=change - 2,
        high=change + 2,
        printed=format_percent(change),
        verdict=_verdict(metric, change),
        p_value=0.0001,
        p_adjusted=0.0009,
        threshold=2.0,
    )


def _verdict(metric: Metric, change: float) -> Verdict | None:
    if metric.better == "none":
        return None
    if abs(change) < 1:
        return "comparable"
    return "improved" if (change > 0) == (metric.better == "higher") else "regressed"


def make_pictures(
    folder: Path, studies: dict[str, Study], sequences: Iterable[str] = ()
) -> None:
    """The files of every declared figure, with the least that they may hold."""
    own = {
        f"{name}-{f.id}": f.kind
        for name, study in studies.items()
        for f in study.figures
    }
    for id in (*map(sequence_id, sequences), *own):
        place = folder / id
        place.mkdir(parents=True)
        svg = '<svg xmlns="http://www.w3.org/2000/svg" width="170mm" height="9mm"/>'
        for file in ("figure.svg", "figure-narrow.svg"):
            (place / file).write_text(svg)
        (place / "figure.csv").write_text("workload,value\nRR1(1kB),1\n")
        about = {
            "id": place.name, "alt": 'Bars. "Old" is longer.', "width_mm": 170,
            "caption": "Latency: change of new against old. Lower is better.",
            "title": "58% lower latency", "setup": False,
        }  # fmt: skip
        if own.get(id) == "table":
            cells = [{"key": "", "text": "–"}]
            about["table"] = {"corner": "", "heads": ["A"], "rows": [["One", cells]]}
        (place / "figure.json").write_text(json.dumps(about))


def sources_of(folder: Path) -> Sources:
    """Where the files of a project in a folder are, with the real declarations."""
    return Sources(
        facts=folder / "facts.json",
        figures=folder / "figures",
        report=folder / "report",
        raw=folder / "raw",
        templates=ROOT / "templates",
        metrics=ROOT / "data/metrics.yaml",
        published=ROOT / "data/published.csv",
        issues=ROOT / "data/published_issues.csv",
    )


@pytest.fixture
def project(tmp_path: Path) -> Sources:
    """A project with one finished edition ``small``, up to and including figures."""
    return make_project(tmp_path)


def make_project(tmp_path: Path) -> Sources:
    """The same in any folder."""
    for name, content in _small_project().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return sources_of(tmp_path)


@cache
def _small_project() -> dict[str, bytes]:
    """Its files by their paths: to make them takes longer than to write them."""
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder))
        found = [path for path in Path(folder).rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def _fill(project: Path) -> None:
    folder = project / "report" / "small"
    files = TEXTS | {
        "edition.yaml": EDITION,
        "references.bib": REFERENCES,
        "studies/speed/study.yaml": STUDY,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (project / "raw/lab").mkdir(parents=True)
    (project / "raw/lab/campaign.yaml").write_text(CAMPAIGN, encoding="utf-8")
    (project / "raw/lab/SHA256SUMS").touch()
    metrics = ROOT / "data/metrics.yaml"
    studies = read_studies(folder, read_edition(folder))
    digest = content_digest(project / "raw/lab", project / "digests")
    facts = facts_of("small", studies, read_metrics(metrics))
    told = replace(facts, digests=(("lab", digest),))
    write_facts(told, project / "facts.json")
    hand_over(project / "raw", project / "facts.json")
    make_pictures(project / "figures", studies)


@pytest.fixture
def write_text(project: Sources) -> Callable[[str, str], Path]:
    """Replaces one text of the edition ``small`` and returns its path."""

    def write(name: str, text: str) -> Path:
        path = project.report / "small" / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def rendered_sample(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> Path:
    """The page and the PDF of the sample; for tests of the group ``page-browser``."""
    folder = tmp_path_factory.mktemp("sample")
    PandocEngine(fonts).render(
        read_documents(sample_document(folder / "document")), folder / "out"
    )
    return folder / "out"


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests of a worker: to start one takes longer than most."""
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


def searched(page: HtmlElement) -> list[dict[str, Any]]:
    """What a list of reports is searched by, which it holds packed."""
    packed = base64.b64decode(json.loads(page.get_element_by_id("sections").text))
    found: list[dict[str, Any]] = json.loads(zlib.decompress(packed))
    return found
