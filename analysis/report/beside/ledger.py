"""Where facts come from: the page of every fact with its runs and raw files.

The files of a fact are known by their sha256; what derive handed over adds their
names and the positions (byte offset of a record, or line) of what was read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple
from urllib.parse import quote

from analysis.facts.evidence import CampaignEvidence
from analysis.facts.fact import Fact, run_prefix
from analysis.facts.units import MINUS
from analysis.report.beside.frame import Frame, page_beside
from analysis.report.bound import Number
from analysis.report.language.listing import expression_of
from analysis.report.material import Material
from analysis.report.tables.cells import estimate_note

TEMPLATE = "facts.html.j2"
_NUMBER = re.compile(r"(.*?)(\d+)\Z")


class FileOfRun(NamedTuple):
    """A file of a run: its path below ``raw/``, hash, and positions that were read.

    ``id`` is ``campaign/run``. Of its run and of its bytes it may be the first row, to
    which links lead.
    """

    id: str
    run: str
    file: str
    sha256: str
    positions: str
    first_of_run: bool = False
    first_of_file: bool = False


def facts_page(frame: Frame, numbers: Iterable[Number]) -> str:
    """The page of facts, study by study, of numbers of several facts, runs and files.

    ``numbers`` are those of the text. A draft tells by which expression a text prints
    each fact as well.
    """
    material = frame.material
    every = (f for id in material.studies for f in material.of_study(id).facts.facts)
    facts = sorted(every, key=lambda fact: fact.key)
    names = {fact.key: fact_name(fact, material) for fact in facts}
    draft = material.edition.status == "draft"
    averages: dict[str, dict[str, None]] = {}
    for number in numbers:
        if number.is_average:  # one entry for all that is printed of the same facts
            averages.setdefault(number.keys, {})[number.text] = None
    campaigns = {id: study.campaigns for id, study in material.studies.items()}
    rows = list(_rows(facts, material.evidence, campaigns))
    listed = {row.id for row in rows}

    def entry(fact: Fact) -> dict[str, Any]:
        prefix = run_prefix(campaigns[fact.study])
        return {
            "id": trace_id(fact.key),
            "name": names[fact.key],
            "fact": fact,
            "runs": _linked_runs(fact.lineage.runs, prefix, listed),
            "files": _linked_files(fact.lineage.files),
            "estimate": fact.estimate and estimate_note(fact.estimate),
            "prints": expression_of(fact, material.studies) if draft else "",
        }

    known = {
        "studies": [
            (id, study.title, [entry(fact) for fact in facts if fact.study == id])
            for id, study in material.studies.items()
        ],
        "averages": [
            (average_id(keys), texts, [(trace_id(k), names[k]) for k in keys.split()])
            for keys, texts in sorted(averages.items())
            if names.keys() >= set(keys.split())
        ],
        "rows": rows,
    }
    return page_beside(frame, TEMPLATE, known, {"exact": exact})


def trace_id(key: str) -> str:
    """The anchor of a fact's entry."""
    return f"trace-{key.replace('.', '-')}"


def average_id(keys: str) -> str:
    """The anchor of an average's entry; the page's filter hashes in the same way."""
    return f"average-{hashlib.sha1(keys.encode(), usedforsecurity=False).hexdigest()}"


def exact(number: float) -> str:
    """All digits that the number has, with a minus as in the text."""
    return repr(number).replace("-", MINUS)


def fact_name(fact: Fact, material: Material) -> str:
    """``Latency, RR1(1kB): Shared OSH relative to HiperSockets``."""
    tables = material.of_study(fact.study)
    return f"{tables.metric_name(fact)}, {fact.workload}: {tables.pair_name(fact)}"


def _rows(
    facts: Iterable[Fact],
    evidence: Mapping[str, CampaignEvidence],
    campaigns: Mapping[str, Sequence[str]],
) -> Iterator[FileOfRun]:
    """The files that facts rest on; those of no known run by hash alone.
    ``campaigns`` are those of each study."""
    runs = {
        f"{run_prefix(campaigns[fact.study])}{run}"
        for fact in facts
        for run in fact.lineage.runs
    }
    files = {file for fact in facts for file in fact.lineage.files}
    known = [f for f in files_of_runs(evidence) if f.id in runs and f.sha256 in files]
    id, listed = "", set[str]()
    for row in sorted(known):
        first = row.sha256 not in listed
        yield row._replace(first_of_run=row.id != id, first_of_file=first)
        id = row.id
        listed.add(row.sha256)
    for digest in sorted(files - listed):
        yield FileOfRun("", "", "", digest, "", first_of_file=True)


def files_of_runs(evidence: Mapping[str, CampaignEvidence]) -> Iterator[FileOfRun]:
    """What was read for each run, from the files of all campaigns."""
    for campaign, found in evidence.items():
        for run, file, positions in found.passages:
            sha256 = found.files[file].sha256
            ids = f"{campaign}/{run}", run
            at = ", ".join(map(str, positions))
            yield FileOfRun(*ids, f"{campaign}/{file}", sha256, at)


def _linked_runs(runs: Iterable[str], prefix: str, listed: Collection[str]) -> str:
    """Runs that lead to their rows; a template takes ten times as long for many.
    All of it is escaped."""
    return ", ".join(
        f'<a href="#run-{escape(quote(prefix + first))}">{escape(words)}</a>'
        if prefix + first in listed
        else escape(words)
        for first, words in run_spans(runs)
    )


def _linked_files(files: Iterable[str]) -> str:
    """Files by their hashes, which lead to their rows; all of it is escaped."""
    links = (f'<a href="#file-{escape(f[:16])}">{escape(f[:8])}</a>' for f in files)
    return ", ".join(links)


def run_spans(runs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Runs in a row as one: the first of them, and ``A-RR1(1kB)-01 to 10``."""
    spans: list[tuple[str, str, str]] = []  # the first, its stem, and the last number
    for run in sorted(runs):
        match = _NUMBER.match(run)
        stem, number = (match[1], match[2]) if match else (run, "")
        first, before, last = spans[-1] if spans else ("", "", "")
        if number and last and before == stem and int(number) == int(last) + 1:
            spans[-1] = first, stem, number
        else:
            spans.append((run, stem, number))
    for first, _, last in spans:
        yield first, first if first.endswith(last) else f"{first} to {last}"
