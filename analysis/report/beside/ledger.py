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

from analysis.declared.vocabulary import part_words
from analysis.facts.evidence import CampaignEvidence
from analysis.facts.fact import Fact, run_prefix
from analysis.facts.units import MINUS
from analysis.report.beside.frame import Frame, page_beside
from analysis.report.expressions.expression import expression_of
from analysis.report.material import Material
from analysis.report.tables.cells import estimate_note

PAGE = "facts.html"
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


def facts_page(material: Material, averages: Mapping[str, str], frame: Frame) -> str:
    """The page of the facts, study by study, of averages, and of runs and files.

    ``averages`` are what the text prints, by the keys of the facts. A draft tells by
    which expression a text prints each fact as well.
    """
    every = (f for id in material.studies for f in material.tables(id).facts.facts)
    facts = sorted(every, key=lambda fact: fact.key)
    names = {fact.key: fact_name(fact, material) for fact in facts}
    draft = material.edition.status == "draft"
    campaigns = {id: study.campaigns for id, study in material.studies.items()}
    rows = list(_rows(facts, material.evidence, campaigns))
    listed = {row.id for row in rows}
    known = {
        "studies": [
            {
                "id": id,
                "title": study.title,
                "facts": [
                    _entry(fact, names[fact.key], run_prefix(study.campaigns), listed)
                    | {"prints": expression_of(fact, material.studies) if draft else ""}
                    for fact in facts
                    if fact.study == id
                ],
            }
            for id, study in material.studies.items()
        ],
        "averages": _averages(averages, names),
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
    unknown = files - {found.sha256 for found in known}
    id, seen = "", set[str]()
    for row in sorted(known):
        is_first = row.id != id, row.sha256 not in seen
        yield FileOfRun(*row[:5], *is_first)
        id = row.id
        seen.add(row.sha256)
    for digest in sorted(unknown):
        yield FileOfRun("", "", "", digest, "", first_of_file=True)


def files_of_runs(evidence: Mapping[str, CampaignEvidence]) -> Iterator[FileOfRun]:
    """What was read for each run, from the files of all campaigns."""
    for campaign, found in evidence.items():
        for run, file, positions in found.passages:
            sha256 = found.files[file].sha256
            ids = f"{campaign}/{run}", run
            at = ", ".join(map(str, positions))
            yield FileOfRun(*ids, f"{campaign}/{file}", sha256, at)


def _entry(
    fact: Fact, name: str, prefix: str, listed: Collection[str]
) -> dict[str, Any]:
    return {
        "id": trace_id(fact.key),
        "name": name,
        "fact": fact,
        "runs": _linked_runs(fact.lineage.runs, prefix, listed),
        "files": _linked_files(fact.lineage.files),
        "estimate": fact.estimate and estimate_note(fact.estimate),
    }


def _linked_runs(runs: Iterable[str], prefix: str, listed: Collection[str]) -> str:
    """Runs that lead to their rows; a template takes ten times as long for many.
    All of it is escaped."""
    told = (
        f'<a href="#run-{escape(quote(prefix + first))}">{escape(words)}</a>'
        if prefix + first in listed
        else escape(words)
        for first, words in run_spans(runs)
    )
    return ", ".join(told)


def _linked_files(files: Iterable[str]) -> str:
    """Files by their hashes, which lead to their rows; all of it is escaped."""
    told = (f'<a href="#file-{escape(f[:16])}">{escape(f[:8])}</a>' for f in files)
    return ", ".join(told)


def run_spans(runs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Runs in a row as one: the first of them, and ``A-RR1(1kB)-01 to 10``."""
    first, last, stem = "", "", ""
    for run in sorted(runs):
        found = _NUMBER.match(run)
        if stem and found and found[1] == stem and int(found[2]) == int(last) + 1:
            last = found[2]
            continue
        if first:
            yield first, _spoken(first, last)
        first, stem, last = run, found[1] if found else "", found[2] if found else ""
    if first:
        yield first, _spoken(first, last)


def _spoken(first: str, last: str) -> str:
    return first if not last or first.endswith(last) else f"{first} to {last}"


def _averages(
    found: Mapping[str, str], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    return [
        {
            "id": average_id(keys),
            "printed": printed,
            "of": [(trace_id(key), names[key]) for key in keys.split()],
        }
        for keys, printed in sorted(found.items())
        if all(key in names for key in keys.split())
    ]


def fact_name(fact: Fact, material: Material, *, pair: bool = True) -> str:
    """``Latency, RR1(1kB): Shared OSH relative to HiperSockets``; without the ``pair``
    metric, part and workload alone."""
    of = f"{metric_name(fact, material)}, {fact.workload}"
    return f"{of}: {pair_name(fact, material)}" if pair else of


def metric_name(fact: Fact, material: Material) -> str:
    """``CPU cost per transaction, client``."""
    label = material.metrics[fact.metric].label
    return f"{label}, {part_words(fact.role)}" if fact.role else label


def pair_name(fact: Fact, material: Material) -> str:
    """The configuration of a fact; of a change, what it is relative to as well."""
    tables = material.tables(fact.study)
    name = tables.name(fact.configuration)
    base = f" relative to {tables.name(fact.baseline)}" if fact.baseline else ""
    return f"{name}{base}"
