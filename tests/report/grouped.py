"""Changes to the edition ``small``: a group of studies, and several baselines."""

from __future__ import annotations

import shutil

from analysis.declared.edition import read_edition, read_studies
from analysis.declared.metrics import read_metrics
from analysis.facts.fact import write_facts
from analysis.report.material import Sources
from tests.handed_over import hand_over
from tests.report.conftest import CAMPAIGN, EDITION, STUDY, facts_of, make_pictures

GROUPED = EDITION.replace(
    "studies: [speed]",
    "studies:\n  - {id: nets, title: Networks, file: nets.md, studies: [speed]}\n"
    "  - alone",
)
PAIRS = STUDY.replace("tests: [new]", "tests: [new, late]\nbaselines: {late: early}")
LABEL = "{label: Another, details: {CPC: z16, MTU: 9000}}"


def group(project: Sources) -> None:
    """Put the study ``speed`` in a group, and a study ``alone`` after it."""
    folder = project.report / "small"
    (folder / "edition.yaml").write_text(GROUPED, encoding="utf-8")
    (folder / "nets.md").write_text("Two ways to go.\n", encoding="utf-8")
    shutil.copytree(folder / "studies/speed", folder / "studies/alone")
    text = "Alike in all.\n"
    (folder / "studies/alone/observations.md").write_text(text, encoding="utf-8")
    remake(project)


def pair(project: Sources, study: str = PAIRS) -> None:
    """Give the study ``speed`` a second test with a baseline of its own."""
    folder = project.report / "small"
    (folder / "studies/speed/study.yaml").write_text(study, encoding="utf-8")
    more = "".join(f"  {name}: {LABEL}\n" for name in ("early", "late", "more"))
    text = CAMPAIGN.replace("cpu: {source", f"{more}cpu: {{source")
    (project.raw / "lab/campaign.yaml").write_text(text, encoding="utf-8")
    text = 'Latency {{ moves("latency", "RR1(1kB)", test="new") }} (@fig-speed-rr).\n'
    (folder / "studies/speed/observations.md").write_text(text, encoding="utf-8")
    remake(project)


def remake(project: Sources) -> None:
    """Make facts and figures anew for what the studies declare."""
    folder = project.report / "small"
    studies = read_studies(folder, read_edition(folder))
    write_facts(
        facts_of("small", studies, read_metrics(project.metrics)), project.facts
    )
    hand_over(project.raw, project.facts)
    shutil.rmtree(project.figures)
    make_pictures(project.figures, studies)
