"""Texts and declarations: those of a small edition and its campaign, as checked."""

from __future__ import annotations

import datetime as dt
import hashlib
import shutil
from collections.abc import Iterator
from contextlib import chdir, suppress
from pathlib import Path

from analysis.declared.edition import read_edition, read_studies
from analysis.declared.metrics import read_metrics
from analysis.errors import UserError
from analysis.facts.fact import write_facts
from analysis.files.checksums import checksums_text
from analysis.ingest.campaign.check import read_checked
from analysis.programs.child import pandoc_program
from analysis.report.builds.check import check_edition
from analysis.report.checks.claims import check_texts
from analysis.report.material import read_material
from analysis.report.review.verb import approve
from tests.fuzz.guard import FoundError, guarded, scratch
from tests.fuzz.target import Seed, Target
from tests.handed_over import hand_over
from tests.report import conftest as small

EDITION, CAMPAIGN = "report/small", "raw/lab/campaign.yaml"
RUNS, SUMS = "raw/lab/runs.csv", "raw/lab/SHA256SUMS"
REVIEW = f"{EDITION}/studies/speed/review.yaml"
_GLOSSARY = "latency: {name: Latency, means: The time until an answer comes.}\n"
_OBSERVATIONS = """\
---
claims:
  - latency falls by at least 10% for RR*
  - throughput rises for STR* beyond noise
  - latency of new is above latency of old
---

Latency {{ moves("latency", "RR1(1kB)") }} (@fig-speed-rr), by
{{ delta("latency", "RR*") | span }} [@smith].[^1]

[^1]: `code` and *emphasis*.

| a | b |
|--:|:--|
| 1 | 2 |

::: {.callout-note}
{{ value("latency", "RR1(1kB)", configuration="old") }}
:::
"""
_RUNS = """\
run,configuration,workload,repetition,start,end,client,server,log,cpu
r1,old,RR1(1kB),1,2026-01-12T10:00:00Z,2026-01-12T10:01:00Z,SYSB,SYSA,r1.log,
r2,new,RR1(1kB),1,2026-01-12T10:02:00Z,2026-01-12T10:03:00Z,SYSB,SYSA,r2.log,c.smf
"""


_LOGS = ("r1.log", "r2.log", "c.smf")
_SUMS = checksums_text(dict.fromkeys(_LOGS, hashlib.sha256(b"x\n").hexdigest()))


def make_project(folder: Path) -> None:
    """A project with one edition, approved, and a campaign with two runs."""
    for name, text in _texts().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in _LOGS:
        (folder / "raw/lab" / name).write_text("x\n", encoding="utf-8")
    sources = small.sources_of(folder)
    studies = read_studies(folder / EDITION, read_edition(folder / EDITION))
    metrics = read_metrics(sources.metrics)
    write_facts(small.facts_of("small", studies, metrics), sources.facts)
    hand_over(sources.raw, sources.facts)
    small.make_pictures(sources.figures, studies)
    checked = check_texts(read_material("small", sources))
    approve(checked, "speed", "Ann Author", dt.date(2026, 3, 5))


def _texts() -> dict[str, str]:
    own = small.TEXTS | {
        "edition.yaml": small.EDITION,
        "references.bib": small.REFERENCES,
        "glossary.yaml": _GLOSSARY,
        "studies/speed/study.yaml": small.STUDY,
        "studies/speed/observations.md": _OBSERVATIONS,
    }
    texts = {f"{EDITION}/{name}": text for name, text in own.items()}
    return texts | {CAMPAIGN: small.CAMPAIGN, RUNS: _RUNS, SUMS: _SUMS}


def look(folder: Path, seed: Seed) -> None:
    """Check the edition and its campaign as ``make check`` and ingest do.

    Raises:
        FoundError: Two checks differ, or something was run or written.
    """
    if seed.file == CAMPAIGN:
        sources = small.sources_of(folder)
        with suppress(UserError):
            hand_over(sources.raw, sources.facts)
    with chdir(folder), guarded(folder, *_pandoc()):
        first = _said(folder, seed)
    if sum((folder / seed.file).read_bytes()) % 4 == 0:
        with chdir(folder), guarded(folder, *_pandoc()):
            again = _said(folder, seed)
        if first != again:
            raise FoundError("two checks differ")


def _pandoc() -> list[list[str]]:
    """The commands that a check may run: for references."""
    return [[pandoc_program(), "--sandbox", "--from=bibtex", "--to=csljson"]]


def _said(folder: Path, seed: Seed) -> str:
    said = ""
    if seed.file.startswith("raw/"):
        with suppress(UserError):
            said += repr(read_checked(folder / "raw/lab"))
    if seed.file != RUNS:
        with suppress(UserError):
            said += repr(check_edition("small", small.sources_of(folder)).findings)
    return said


def targets() -> Iterator[Target]:
    """All texts together, and each declaration by itself."""
    folder = scratch()
    make_project(folder)
    names = (*_texts(), REVIEW)
    seeds = [Seed(name, (folder / name).read_bytes(), name) for name in names]
    shutil.rmtree(folder)
    prose = tuple(seed for seed in seeds if seed.file.endswith(".md"))
    yield Target("texts", prose, look, make_project)
    for one in [seed for seed in seeds if seed not in prose]:
        yield Target(Path(one.file).name, (one,), look, make_project)


_DECLARED = [name for name in (*_texts(), REVIEW) if not name.endswith(".md")]
NAMES = ("texts", *(Path(name).name for name in _DECLARED))
